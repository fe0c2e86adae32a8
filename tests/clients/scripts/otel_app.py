"""A support agent written against the OpenTelemetry SDK with the GenAI conventions."""

import json
import logging

from opentelemetry import trace
from opentelemetry._logs import LogRecord, SeverityNumber
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Status, StatusCode

logging.basicConfig(level=logging.WARNING)
provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
tracer = provider.get_tracer("support")

QUESTION = {"role": "user", "parts": [{"type": "text", "content": "Where is order 1047?"}]}
CALL = {"type": "tool_call", "id": "call_1", "name": "lookup_order", "arguments": {"order": "1047"}}
RESULT = {"type": "tool_call_response", "id": "call_1", "response": {"status": "shipped"}}
ANSWER = {"role": "assistant", "parts": [{"type": "text", "content": "It is on its way."}], "finish_reason": "stop"}


def chat(asked: list, said: dict, tokens: tuple[int, int], finish: str) -> str:
    with tracer.start_as_current_span("chat small-1") as span:
        span.set_attributes(
            {
                "gen_ai.operation.name": "chat",
                "gen_ai.provider.name": "acme",
                "gen_ai.request.model": "small",
                "gen_ai.response.model": "small-1",
                "gen_ai.prompt.name": "support/answer",
                "gen_ai.prompt.version": "7",
                "gen_ai.system_instructions": json.dumps([{"type": "text", "content": "Be brief."}]),
                "gen_ai.input.messages": json.dumps(asked),
                "gen_ai.output.messages": json.dumps([said]),
                "gen_ai.usage.input_tokens": tokens[0],
                "gen_ai.usage.output_tokens": tokens[1],
                "gen_ai.response.finish_reasons": [finish],
            }
        )
        return f"{span.get_span_context().span_id:016x}"


sent = {}
with tracer.start_as_current_span("invoke_agent support") as root:
    root.set_attributes(
        {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": "support",
            "gen_ai.conversation.id": "conversation-1",
            "user.id": "user-1",
            "shop.basket": 3,
        }
    )
    sent["trace"] = f"{root.get_span_context().trace_id:032x}"
    sent["first"] = chat(
        [QUESTION], {"role": "assistant", "parts": [CALL], "finish_reason": "tool_calls"}, (50, 10), "tool_calls"
    )
    with tracer.start_as_current_span("execute_tool lookup_order") as span:
        span.set_attributes(
            {
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": "lookup_order",
                "gen_ai.tool.call.id": "call_1",
                "gen_ai.tool.call.arguments": json.dumps(CALL["arguments"]),
                "gen_ai.tool.call.result": json.dumps(RESULT["response"]),
            }
        )
    try:
        with tracer.start_as_current_span("execute_tool send_mail") as span:
            span.set_attributes({"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "send_mail"})
            raise TimeoutError("The mail server did not answer.")
    except TimeoutError:
        pass
    sent["second"] = chat(
        [QUESTION, {"role": "assistant", "parts": [CALL]}, {"role": "tool", "parts": [RESULT]}],
        ANSWER,
        (80, 12),
        "stop",
    )
    root.set_status(Status(StatusCode.OK))
context = trace.set_span_in_context(root)

sent["flushed"] = provider.force_flush(30_000)
log_provider = LoggerProvider(resource=provider.resource)
log_provider.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
log_provider.get_logger("evaluation").emit(
    LogRecord(
        timestamp=1_770_000_000_000_000_000,
        context=context,
        severity_number=SeverityNumber.INFO,
        event_name="gen_ai.evaluation.result",
        attributes={
            "gen_ai.evaluation.name": "helpfulness",
            "gen_ai.evaluation.score.value": 0.75,
            "gen_ai.evaluation.explanation": "It answers the question.",
        },
    )
)
log_provider.force_flush()
log_provider.shutdown()
provider.shutdown()
print(json.dumps(sent))
