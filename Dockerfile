# One image for prepare, web, worker and beat; compose.yaml gives each its command.
FROM python:3.11-slim

# The address of PyTorch's CPU wheel index, see its install page. Empty takes the usual index, whose build
# may be the one for GPUs: several GB that nothing here uses.
ARG TORCH_INDEX=""

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /app

# Dependencies first, so that a change of our own code does not install them again.
COPY pyproject.toml constraints.txt README.md ./
RUN mkdir reviewer issues prompts && touch reviewer/__init__.py issues/__init__.py prompts/__init__.py \
    && if [ -n "$TORCH_INDEX" ]; then pip install --constraint constraints.txt --index-url "$TORCH_INDEX" torch; fi \
    && pip install --constraint constraints.txt --editable .

COPY . .
RUN SECRET_KEY=only-while-the-image-is-built-no-request-sees-it-0 DATABASE_URL=postgresql:///none \
    python manage.py collectstatic --no-input --verbosity 0 \
    && useradd --uid 10001 --no-create-home whetstone

USER whetstone
ENV HOME=/tmp WHETSTONE_HOME=/tmp/whetstone
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["python", "-m", "granian", "--interface", "wsgi", "--host", "0.0.0.0", "--port", "8000", "--workers", "2", "--blocking-threads", "2", "--respawn-failed-workers", "--no-ws", "reviewer.wsgi:application"]
