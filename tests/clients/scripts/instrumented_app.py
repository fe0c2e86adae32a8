"""A support agent on the OpenAI client, instrumented by OpenInference or by OpenLLMetry, which no line of it calls."""

import json
import os
from contextlib import nullcontext

import openai
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

CONVENTION = os.environ["CONVENTION"]
provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
tracer = provider.get_tracer("support")
if CONVENTION == "openinference":
    from openinference.instrumentation import using_attributes
    from openinference.instrumentation.openai import OpenAIInstrumentor

    facts = using_attributes(
        session_id="session-1",
        user_id="user-1",
        tags=["beta", "web"],
        metadata={"channel": "web"},
        prompt_template="Be brief.",
        prompt_template_version="7",
    )
    ROOT = {
        "openinference.span.kind": "AGENT",
        "input.value": "Where is order 1047?",
        "session.id": "session-1",
        "user.id": "user-1",
        "tag.tags": ["beta", "web"],
    }
    TOOL = {
        "openinference.span.kind": "TOOL",
        "tool.name": "lookup_order",
        "input.value": '{"order": "1047"}',
        "input.mime_type": "application/json",
        "output.value": '{"status": "shipped"}',
        "output.mime_type": "application/json",
    }
    ANSWER = "output.value"
else:
    from opentelemetry.instrumentation.openai import OpenAIInstrumentor

    facts = nullcontext()
    ROOT = {
        "traceloop.span.kind": "agent",
        "traceloop.entity.name": "support",
        "traceloop.entity.input": '{"question": "Where is order 1047?"}',
        "traceloop.association.properties.session_id": "session-1",
        "traceloop.association.properties.user_id": "user-1",
    }
    TOOL = {
        "traceloop.span.kind": "tool",
        "traceloop.entity.name": "lookup_order",
        "traceloop.entity.input": '{"order": "1047"}',
        "traceloop.entity.output": '{"status": "shipped"}',
    }
    ANSWER = "traceloop.entity.output"
OpenAIInstrumentor().instrument(tracer_provider=provider)

client = openai.OpenAI(max_retries=0)
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "lookup_order",
            "description": "Find an order.",
            "parameters": {"type": "object", "properties": {"order": {"type": "string"}}},
        },
    }
]
talk: list = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Where is order 1047?"}]
sent = {}
with facts, tracer.start_as_current_span("answer a customer", attributes=ROOT) as root:
    sent["trace"] = f"{root.get_span_context().trace_id:032x}"
    first = client.chat.completions.create(model="small", messages=talk, tools=TOOLS, temperature=0)
    call = first.choices[0].message.tool_calls[0]
    with tracer.start_as_current_span("lookup_order", attributes=TOOL):
        result = {"status": "shipped"}
    talk.append({"role": "assistant", "tool_calls": [call.model_dump()]})
    talk.append({"role": "tool", "tool_call_id": call.id, "content": json.dumps(result)})
    second = client.chat.completions.create(model="small", messages=talk, tools=TOOLS)
    root.set_attribute(ANSWER, second.choices[0].message.content)
    try:
        client.chat.completions.create(model="retired-1", messages=talk[:2])
    except openai.NotFoundError as error:
        sent["error"] = str(error)
    parts = client.chat.completions.create(
        model="streamed", messages=talk[:2], stream=True, stream_options={"include_usage": True}
    )
    sent["streamed"] = "".join(part.choices[0].delta.content or "" for part in parts if part.choices)
sent["flushed"] = provider.force_flush(30_000)
provider.shutdown()
print(json.dumps(sent))
