# One image for every process: web, clock, worker, beat and manage.py (compose.yaml, docs/install.md).

# Any Debian from 12 on, with a Python of its own or without one: --build-arg BASE_IMAGE=debian:13-slim
ARG BASE_IMAGE=python:3.11-slim-bookworm

FROM ${BASE_IMAGE} AS base
# Pillow uses libfribidi0 to shape Indian scripts in pictures. No program gives its caller more rights.
RUN apt-get update \
 && apt-get install -y --no-install-recommends libfribidi0 $(command -v python3 >/dev/null || echo python3) \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* \
 && find / -xdev -type f -perm /6000 -exec chmod a-s {} +

# Bundles the pages' scripts and sheets; nothing of it ends up in the image.
FROM base AS esbuild
RUN apt-get update && apt-get install -y --no-install-recommends npm
COPY package.json /esbuild/
RUN npm install --prefix /esbuild --no-package-lock --no-audit --no-fund --silent

FROM base AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends binutils $(command -v pip >/dev/null || echo ca-certificates python3-pip)
COPY --from=esbuild /esbuild/node_modules/esbuild/bin/esbuild /usr/local/bin/esbuild
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python3 -m venv --without-pip /srv/venv
COPY requirements.txt requirements-tracing.txt requirements-s3.txt /srv/
# --build-arg TRACING=1: with trace export (docs/tracing.md). --build-arg S3=1: with object storage for
# documents.
ARG TRACING=
ARG S3=
RUN pip --python /srv/venv/bin/python install --require-hashes --no-deps -r /srv/requirements.txt \
      ${TRACING:+-r /srv/requirements-tracing.txt} ${S3:+-r /srv/requirements-s3.txt}
WORKDIR /srv/openrummy
COPY . .
# The static files' names contain their hashes; computing them needs no secret.
RUN DJANGO_SETTINGS_MODULE=config.settings.production SECRET_KEY=build ALLOWED_HOSTS=build \
    WEBSOCKET_ORIGINS=https://build DATABASE_URL=postgresql://build/build REDIS_URL=redis://build/0 \
    STATIC_ROOT=/srv/static ESBUILD=/usr/local/bin/esbuild /srv/venv/bin/python manage.py collectstatic --noinput --verbosity 0 \
 && /srv/venv/bin/python -m compileall -q accounts config core games history lobby players tables tournaments wallet
# What only translators, debuggers and collectstatic read.
RUN find /srv -name '*.po' -delete && find /srv/static -name '*.map*' -delete \
 && find /srv/venv -type d -name static ! -exec test -e {}/__init__.py ';' -prune -exec rm -r {} + \
 && find /srv/venv -name '*.so*' -exec strip --strip-unneeded {} +

FROM base
RUN useradd --uid 10001 --no-create-home --home-dir /srv/openrummy --shell /usr/sbin/nologin openrummy \
 && install -d -o openrummy -g openrummy -m 700 /srv/private \
 && install -d -o openrummy -g openrummy -m 755 /srv/served
COPY --from=build /srv/venv /srv/venv
COPY --from=build /srv/static /srv/static
COPY --from=build /srv/openrummy /srv/openrummy
ENV PATH=/srv/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    DJANGO_SETTINGS_MODULE=config.settings.production \
    STATIC_ROOT=/srv/static \
    PRIVATE_FILES=/srv/private \
    HOST=0.0.0.0 \
    PORT=8000
WORKDIR /srv/openrummy
USER openrummy
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["python", "-m", "config.run.web"]
