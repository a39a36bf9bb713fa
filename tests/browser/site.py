"""The site of an application, at another origin than the service. Its only page embeds the element `<ask-ai>`."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


@contextmanager
def embedding(service_url: str) -> Iterator[str]:
    """Serve the page on loopback, under a policy without inline code. Yield the origin of the site."""
    policy = (
        f"default-src 'none'; script-src {service_url}; connect-src {service_url}; img-src data:; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    )
    html = f"""<!DOCTYPE html><html lang="en"><meta name="viewport" content="width=device-width, initial-scale=1">
        <title>A site</title><link rel="icon" href="data:,"><meta name="color-scheme" content="light dark">
        <body><ask-ai></ask-ai><script src="{service_url}/v1/ask-ai/ask-ai.js" defer></script></body></html>""".encode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(html)))
            self.send_header("Content-Security-Policy", policy)
            self.end_headers()
            self.wfile.write(html)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://localhost:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
