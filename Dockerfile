# The standalone project, on PostgreSQL or, with a volume at /data, on SQLite. SIGTERM ends it within 30 seconds, so use
# `docker stop --time 30`. With DRAIN_SECONDS, add these seconds. The image holds no secrets. They come from the
# environment of the container.
#
# For a reproducible build, name the base image by digest: --build-arg PYTHON=3.11-slim-bookworm@sha256:…
ARG PYTHON=3.11-slim-bookworm

FROM python:${PYTHON} AS build

# The versions are not pinned, because Debian's mirrors delete older versions.
# hadolint ignore=DL3008
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /build
ENV PIP_NO_CACHE_DIR=1 PIP_REQUIRE_HASHES=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
COPY requirements.runtime.lock ./
RUN python -m venv --without-pip /venv \
    && pip --python /venv/bin/python install --no-compile --only-binary :all: -r requirements.runtime.lock

# Argon2 takes most of the time of a login. A build for AVX2 takes less time than the wheels, which run on any x86-64. The
# image has both, because some virtual machines lack AVX2. Each process chooses at its start. The service knows the build
# by the name of its directory, and uses PyNaCl without it (accounts/passwords/argon2id.py).
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
# The compiled files do not record the times of the sources, because the times differ from build to build.
RUN rm /app/requirements.*.lock && python -m compileall -q --invalidation-mode unchecked-hash /venv /app


FROM python:${PYTHON}

ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 SIGNING_KEYS_FILE=/data/signing-keys.json \
    DATABASE_URL=sqlite:////data/auth.sqlite3
RUN useradd --uid 10001 --no-log-init --no-create-home --home-dir /data --shell /usr/sbin/nologin gatehouse \
    && install -d -m 700 -o gatehouse -g gatehouse /data
COPY --from=build /venv /venv
COPY --from=build /app /app
WORKDIR /app
# The user is a number, so that an orchestrator can see that it is not root.
USER 10001:10001
VOLUME /data
EXPOSE 8000
# urllib would use the proxy that a container may have for outgoing calls, so the check uses http.client.
HEALTHCHECK --interval=10s --timeout=4s --start-period=20s CMD \
    ["python", "-c", "import http.client as h; c = h.HTTPConnection('127.0.0.1', 8000, timeout=3.5); c.request('GET', '/v1/health'); raise SystemExit(c.getresponse().status != 200)"]
ENTRYPOINT ["python", "manage.py"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000"]
