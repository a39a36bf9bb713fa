# The standalone project, on PostgreSQL or, with a volume at /data, on SQLite. SIGTERM ends it within 30 seconds: let
# `docker stop --time 30` wait. Secrets come with the environment of the container, none is in here.
#
# What has to come out the same again names its base by digest: --build-arg PYTHON=3.11-slim-bookworm@sha256:…
ARG PYTHON=3.11-slim-bookworm

FROM python:${PYTHON} AS build

# Debian keeps no older versions that could be named.
# hadolint ignore=DL3008
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /build
ENV PIP_NO_CACHE_DIR=1 PIP_REQUIRE_HASHES=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
COPY requirements.runtime.lock ./
RUN python -m venv --without-pip /venv \
    && pip --python /venv/bin/python install --no-compile --only-binary :all: -r requirements.runtime.lock

# Argon2 is most of what a login costs. Its wheel runs on any x86-64; built for AVX2 it takes half the time. Both are
# there, and each process takes the second where it can: some hosts hide AVX2 from their guests.
COPY requirements.image.lock ./
RUN if [ "$(uname -m)" = x86_64 ]; then \
        pip install -r requirements.image.lock \
        && sed -n '/^argon2-cffi-bindings==/,/[^\\]$/p' requirements.runtime.lock > argon2.lock \
        && CFLAGS="-O3 -mavx2" pip install --no-build-isolation --no-deps --no-compile --no-binary :all: \
            --target /venv/avx2 -r argon2.lock \
        && echo "import sys; 'avx2' in open('/proc/cpuinfo').read(8192).split() and sys.path.insert(0, '/venv/avx2')" \
            > "$(/venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/avx2.pth"; \
    fi
COPY . /app
# By content, not by the time of each file, which differs from build to build.
RUN rm /app/requirements.*.lock && python -m compileall -q --invalidation-mode unchecked-hash /venv /app


FROM python:${PYTHON}

ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 SIGNING_KEYS_FILE=/data/signing-keys.json \
    DATABASE_URL=sqlite:////data/auth.sqlite3
RUN useradd --uid 10001 --no-log-init --no-create-home --home-dir /data --shell /usr/sbin/nologin gatehouse \
    && install -d -m 700 -o gatehouse -g gatehouse /data
COPY --from=build /venv /venv
COPY --from=build /app /app
WORKDIR /app
# By number, so that an orchestrator can tell that it is not root.
USER 10001:10001
VOLUME /data
EXPOSE 8000
# Not by urllib, which would ask the proxy that a container may have for its calls to the outside.
HEALTHCHECK --interval=10s --timeout=4s --start-period=20s CMD \
    ["python", "-c", "import http.client as h; c = h.HTTPConnection('127.0.0.1', 8000, timeout=3.5); c.request('GET', '/v1/health'); raise SystemExit(c.getresponse().status != 200)"]
ENTRYPOINT ["python", "manage.py"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000"]
