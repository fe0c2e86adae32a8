"""What to paste into an app so that its traces arrive here, one way for each SDK. Pure."""

from dataclasses import dataclass

SECRET = "<your secret key>"  # noqa: S105 - the place of one
PUBLIC = "<your public key>"


@dataclass(frozen=True)
class Way:
    """One way to connect: its name on the tab, what to paste, and a sentence below."""

    key: str
    name: str
    text: str
    note: str


def ways(url: str, public: str = PUBLIC, secret: str = SECRET) -> list[Way]:
    """The snippets, with this instance's address and, right after it was made, the key."""
    url = url.rstrip("/")
    bearer = f"authorization=Bearer%20{secret}"
    return [
        Way(
            "otel", "OpenTelemetry",
            "# In your app’s environment\n"
            f"OTEL_EXPORTER_OTLP_ENDPOINT={url}\n"
            f"OTEL_EXPORTER_OTLP_HEADERS={bearer}\n"
            "OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf",
            "Works with every OpenTelemetry SDK and collector. Restart the app afterwards.",
        ),
        Way(
            "python", "Python",
            "# pip install opentelemetry-sdk opentelemetry-exporter-otlp-proto-http\n"
            "from opentelemetry import trace\n"
            "from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter\n"
            "from opentelemetry.sdk.trace import TracerProvider\n"
            "from opentelemetry.sdk.trace.export import BatchSpanProcessor\n\n"
            "exporter = OTLPSpanExporter(\n"
            f'    endpoint="{url}/v1/traces",\n'
            f'    headers={{"authorization": "Bearer {secret}"}},\n'
            ")\n"
            "provider = TracerProvider()\n"
            "provider.add_span_processor(BatchSpanProcessor(exporter))\n"
            "trace.set_tracer_provider(provider)\n\n"
            'with trace.get_tracer("my app").start_as_current_span("chat my-model") as span:\n'
            '    span.set_attribute("gen_ai.operation.name", "chat")\n'
            '    span.set_attribute("gen_ai.request.model", "my-model")\n'
            '    span.set_attribute("input.value", "Where is my order?")\n'
            '    span.set_attribute("output.value", "It arrives on Thursday.")\n'
            "provider.shutdown()",
            "The attributes are those of the GenAI semantic conventions and of OpenInference.",
        ),
        Way(
            "openinference", "OpenInference",
            "# pip install openinference-instrumentation-openai opentelemetry-sdk\n"
            "# pip install opentelemetry-exporter-otlp-proto-http\n"
            "from openinference.instrumentation.openai import OpenAIInstrumentor\n"
            "from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter\n"
            "from opentelemetry.sdk.trace import TracerProvider\n"
            "from opentelemetry.sdk.trace.export import BatchSpanProcessor\n\n"
            "provider = TracerProvider()\n"
            "provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(\n"
            f'    endpoint="{url}/v1/traces",\n'
            f'    headers={{"authorization": "Bearer {secret}"}},\n'
            ")))\n"
            "OpenAIInstrumentor().instrument(tracer_provider=provider)",
            "Every OpenInference instrumentor (LangChain, LlamaIndex, DSPy and others) is set up the same way.",
        ),
        Way(
            "langfuse", "Langfuse SDK",
            "# In your app’s environment\n"
            f"LANGFUSE_HOST={url}\n"
            f"LANGFUSE_BASE_URL={url}\n"
            f"LANGFUSE_PUBLIC_KEY={public}\n"
            f"LANGFUSE_SECRET_KEY={secret}",
            "Versions 3, 4 and 5. No line of your code changes; scores arrive as signals.",
        ),
        Way(
            "langsmith", "LangSmith SDK",
            "# In your app’s environment\n"
            "LANGSMITH_TRACING=true\n"
            f"LANGSMITH_ENDPOINT={url}\n"
            f"LANGSMITH_API_KEY={secret}",
            "LangChain and LangGraph report through it by themselves. Feedback arrives as signals.",
        ),
        Way(
            "curl", "Plain JSON",
            f"curl {url}/api/v1/traces \\\n"
            f'  -H "Authorization: Bearer {secret}" \\\n'
            '  -H "Content-Type: application/json" \\\n'
            """  -d '{"input": "Where is my order?", "output": "It arrives on Thursday."}'""",
            "For apps with no SDK: one object for a conversation, or a list of them.",
        ),
    ]  # fmt: skip
