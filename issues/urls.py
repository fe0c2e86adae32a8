"""The addresses of finding: doors for applications at the root, pages below the project."""

from django.urls import URLPattern, URLResolver, path

from issues.views import ingest

urlpatterns: list[URLPattern | URLResolver] = [
    path("v1/traces", ingest.otlp_traces, name="otlp_traces"),
    path("v1/logs", ingest.otlp_logs, name="otlp_logs"),
    path("api/public/otel/v1/traces", ingest.otlp_traces, name="langfuse_traces"),
]
project_urls: list[URLPattern | URLResolver] = []
