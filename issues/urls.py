"""The addresses of finding: doors for applications at the root, pages below the project."""

from django.urls import URLPattern, URLResolver, path, register_converter

from issues.reading.addresses import ForeignId
from issues.views import connect, ingest, langfuse, langsmith, rules, session, signals, trace, traces

register_converter(ForeignId, "id")

urlpatterns: list[URLPattern | URLResolver] = [
    path("v1/traces", ingest.otlp_traces, name="otlp_traces"),
    path("v1/logs", ingest.otlp_logs, name="otlp_logs"),
    path("api/public/otel/v1/traces", ingest.otlp_traces, name="langfuse_traces"),
    path("api/public/projects", langfuse.langfuse_projects, name="langfuse_projects"),
    path("api/public/ingestion", langfuse.langfuse_ingestion, name="langfuse_ingestion"),
    path("api/public/scores", langfuse.langfuse_scores, name="langfuse_scores"),
    path("otel/v1/traces", ingest.otlp_traces, name="langsmith_traces"),
    path("info", langsmith.langsmith_info, name="langsmith_info"),
    path("runs/multipart", langsmith.langsmith_multipart, name="langsmith_multipart"),
    path("runs/batch", langsmith.langsmith_batch, name="langsmith_batch"),
    path("feedback", langsmith.langsmith_feedback, name="langsmith_feedback"),
]
project_urls: list[URLPattern | URLResolver] = [
    path("/traces", traces.traces, name="traces"),
    path("/traces/<id:trace_id>", trace.trace, name="trace"),
    path("/sessions/<id:session>", session.session, name="session"),
    path("/connect", connect.connect, name="connect"),
    path("/connect/key", connect.make_connect_key, name="make_connect_key"),
    path("/settings/signals", signals.signals, name="signals"),
    path("/settings/signals/<int:signal>/direction", signals.change_direction, name="change_direction"),
    path("/settings/intake", rules.intake_settings, name="intake_settings"),
    path("/settings/intake/try", rules.try_masking, name="try_masking"),
]
