# The standalone project, on PostgreSQL or, with a volume at /data, on SQLite.
FROM python:3.11-slim AS build

RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY requirements.runtime.lock ./
# Argon2 is most of what a login costs. Its wheel is built for any x86-64; built here for the processors of the last
# ten years it takes half the time.
RUN python -m venv /app/venv \
    && if [ "$(uname -m)" = x86_64 ]; then export CFLAGS="-O3 -march=x86-64-v3"; fi \
    && /app/venv/bin/pip install --no-cache-dir --require-hashes --no-binary argon2-cffi-bindings -r requirements.runtime.lock \
    && find /app/venv -name __pycache__ -prune -exec rm -rf {} +

FROM python:3.11-slim

ENV PATH=/app/venv/bin:$PATH PYTHONUNBUFFERED=1 SIGNING_KEYS_FILE=/data/signing-keys.json \
    DATABASE_URL=sqlite:////data/auth.sqlite3
RUN useradd --system --uid 10001 --home-dir /data --create-home gatehouse
WORKDIR /app
COPY --from=build /app/venv /app/venv
COPY manage.py ./
COPY accounts accounts
COPY sessions_app sessions_app
COPY mfa mfa
COPY apikeys apikeys
COPY askai askai
COPY console console
COPY config config
RUN python -m compileall -q /app
USER gatehouse
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=4s --start-period=20s CMD \
    ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/v1/health', timeout=3.5)"]
ENTRYPOINT ["python", "manage.py"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000"]
