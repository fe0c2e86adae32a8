"""The names of facts in every convention, with their rank: the lowest rank that was told wins."""

OURS, LANGFUSE, GENAI, OLD, OPENINFERENCE, OPENLLMETRY, VERCEL, GENERIC = range(8)

_NAMES: dict[str, dict[int, str]] = {
    # Facts that are columns of a SpanRecord.
    "model": {
        LANGFUSE: "langfuse.observation.model.name",
        GENAI: "gen_ai.response.model",
        OLD: "gen_ai.request.model",
        OPENINFERENCE: "llm.model_name embedding.model_name reranker.model_name",
        OPENLLMETRY: "llm.response.model llm.request.model",
        VERCEL: "ai.response.model",
        GENERIC: "ai.model.id",
    },
    "provider": {
        GENAI: "gen_ai.provider.name",
        OLD: "gen_ai.system",
        OPENINFERENCE: "llm.provider",
        OPENLLMETRY: "llm.system llm.vendor",
        VERCEL: "ai.model.provider",
    },
    "tool": {
        GENAI: "gen_ai.tool.name",
        OPENINFERENCE: "tool.name tool_call.function.name",
        VERCEL: "ai.toolCall.name",
        GENERIC: "mcp.tool.name",
    },
    "finish_reason": {
        GENAI: "gen_ai.response.finish_reasons",
        OLD: "gen_ai.response.finish_reason",
        OPENINFERENCE: "llm.finish_reason",
        OPENLLMETRY: "llm.response.finish_reason llm.response.stop_reason",
        VERCEL: "ai.response.finishReason",
    },
    "prompt_name": {
        LANGFUSE: "langfuse.observation.prompt.name langfuse.prompt.name",
        GENAI: "gen_ai.prompt.name",
        OPENINFERENCE: "prompt.name",
        OPENLLMETRY: "traceloop.prompt.key",
        VERCEL: "ai.telemetry.metadata.promptName",
        GENERIC: "prompt.id",
    },
    "prompt_version": {
        LANGFUSE: "langfuse.observation.prompt.version langfuse.prompt.version",
        GENAI: "gen_ai.prompt.version",
        OPENINFERENCE: "llm.prompt_template.version",
        OPENLLMETRY: "traceloop.prompt.version",
        VERCEL: "ai.telemetry.metadata.promptVersion",
        GENERIC: "prompt.version",
    },
    "input_tokens": {
        GENAI: "gen_ai.usage.input_tokens",
        OLD: "gen_ai.usage.prompt_tokens",
        OPENINFERENCE: "llm.token_count.prompt",
        OPENLLMETRY: "llm.usage.prompt_tokens",
        VERCEL: "ai.usage.inputTokens",
        GENERIC: "ai.usage.promptTokens ai.usage.tokens",
    },
    "output_tokens": {
        GENAI: "gen_ai.usage.output_tokens",
        OLD: "gen_ai.usage.completion_tokens",
        OPENINFERENCE: "llm.token_count.completion",
        OPENLLMETRY: "llm.usage.completion_tokens",
        VERCEL: "ai.usage.outputTokens",
        GENERIC: "ai.usage.completionTokens",
    },
    "cached_tokens": {
        GENAI: "gen_ai.usage.cache_read.input_tokens",
        OLD: "gen_ai.usage.cache_read_input_tokens gen_ai.usage.cached_tokens gen_ai.usage.input_tokens.cached",
        OPENINFERENCE: "llm.token_count.prompt_details.cache_read",
        OPENLLMETRY: "llm.usage.cache_read_input_tokens",
        VERCEL: "ai.usage.cachedInputTokens",
    },
    "cost": {
        GENAI: "gen_ai.usage.cost",
        OLD: "gen_ai.usage.total_cost gen_ai.cost.total_cost operation.cost",
        OPENINFERENCE: "llm.cost.total",
    },
    "session": {
        LANGFUSE: "langfuse.session.id",
        GENAI: "session.id",
        OLD: "gen_ai.conversation.id",
        OPENINFERENCE: "gen_ai.thread.id",
        OPENLLMETRY: "traceloop.association.properties.session_id",
        VERCEL: "ai.telemetry.metadata.sessionId",
        GENERIC: "traceloop.association.properties.chat_id thread_id",
    },
    "user": {
        LANGFUSE: "langfuse.user.id",
        GENAI: "user.id",
        OLD: "enduser.id",
        OPENINFERENCE: "llm.user",
        OPENLLMETRY: "traceloop.association.properties.user_id",
        VERCEL: "ai.telemetry.metadata.userId",
        GENERIC: "gen_ai.request.user",
    },
    "environment": {
        LANGFUSE: "langfuse.environment",
        GENAI: "deployment.environment.name",
        OLD: "deployment.environment",
    },
    "release": {LANGFUSE: "langfuse.release", GENAI: "service.version", GENERIC: "langfuse.version"},
    "trace_name": {
        LANGFUSE: "langfuse.trace.name",
        GENAI: "gen_ai.workflow.name",
        OPENLLMETRY: "traceloop.workflow.name",
    },
    "run": {OURS: "whetstone.run"},
    "tags": {
        OURS: "whetstone.tags",
        LANGFUSE: "langfuse.trace.tags",
        OPENINFERENCE: "tag.tags",
        VERCEL: "ai.telemetry.metadata.tags",
    },
    # Facts that are worked on before they become columns.
    "kind": {
        GENAI: "gen_ai.operation.name",
        OPENINFERENCE: "openinference.span.kind",
        OPENLLMETRY: "traceloop.span.kind llm.request.type",
        VERCEL: "ai.operationId",
    },
    "langfuse_kind": {LANGFUSE: "langfuse.observation.type"},
    "input": {
        LANGFUSE: "langfuse.observation.input",
        GENAI: "gen_ai.input.messages",
        OLD: "gen_ai.tool.call.arguments gen_ai.retrieval.query.text gen_ai.prompt",
        OPENINFERENCE: "input.value",
        OPENLLMETRY: "traceloop.entity.input",
        VERCEL: "ai.prompt.messages ai.toolCall.args ai.toolCall.input ai.value ai.values",
        GENERIC: "ai.prompt tool.parameters tool_call.function.arguments langfuse.trace.input",
    },
    "output": {
        LANGFUSE: "langfuse.observation.output",
        GENAI: "gen_ai.output.messages",
        OLD: "gen_ai.tool.call.result gen_ai.completion",
        OPENINFERENCE: "output.value",
        OPENLLMETRY: "traceloop.entity.output",
        VERCEL: "ai.response.object ai.toolCall.result ai.toolCall.output",
        GENERIC: "langfuse.trace.output",
    },
    "system": {GENAI: "gen_ai.system_instructions", OLD: "gen_ai.request.instructions"},
    "documents": {GENAI: "gen_ai.retrieval.documents"},
    "usage": {LANGFUSE: "langfuse.observation.usage_details"},
    "costs": {LANGFUSE: "langfuse.observation.cost_details"},
    "level": {LANGFUSE: "langfuse.observation.level"},
    "status_message": {LANGFUSE: "langfuse.observation.status_message"},
    "entity": {OPENLLMETRY: "traceloop.entity.name"},
    "ai_text": {VERCEL: "ai.response.text ai.result.text"},
    "ai_calls": {VERCEL: "ai.response.toolCalls ai.result.toolCalls"},
    # Said again elsewhere: not worth keeping.
    "": {
        GENERIC: "input.mime_type output.mime_type gen_ai.usage.total_tokens llm.usage.total_tokens"
        " llm.token_count.total ai.usage.totalTokens langfuse.internal.is_app_root"
    },
}

FACTS: dict[str, tuple[str, int]] = {
    key: (fact, rank * 10 + place)
    for fact, ranks in _NAMES.items()
    for rank, keys in ranks.items()
    for place, key in enumerate(keys.split())
}
"""Attribute key to the fact it tells and its rank."""

FLAT = (
    "llm.input_messages.",
    "llm.output_messages.",
    "gen_ai.prompt.",
    "gen_ai.completion.",
    "retrieval.documents.",
    "reranker.output_documents.",
    "annotations.",
    "evaluations.",
    "trace.annotations.",
    "trace.evaluations.",
    "session.annotations.",
    "session.evaluations.",
)
"""Families whose keys carry an index."""

KINDS_BY_NAME = {
    # GenAI operations
    "chat": "llm",
    "generate_content": "llm",
    "text_completion": "llm",
    "completion": "llm",
    "embeddings": "embedding",
    "retrieval": "retrieval",
    "search_memory": "retrieval",
    "create_agent": "agent",
    "invoke_agent": "agent",
    "execute_tool": "tool",
    "execute_step": "chain",
    "invoke_workflow": "chain",
    "workflow": "chain",
    "task": "chain",
    "plan": "chain",
    # OpenInference and Langfuse
    "llm": "llm",
    "generation": "llm",
    "tool": "tool",
    "chain": "chain",
    "agent": "agent",
    "retriever": "retrieval",
    "reranker": "retrieval",
    "rerank": "retrieval",
    "embedding": "embedding",
    "guardrail": "guardrail",
    "evaluator": "evaluator",
    "prompt": "chain",
    # Vercel AI SDK
    "ai.generateText": "agent",
    "ai.streamText": "agent",
    "ai.generateObject": "agent",
    "ai.streamObject": "agent",
    "ai.generateText.doGenerate": "llm",
    "ai.streamText.doStream": "llm",
    "ai.generateObject.doGenerate": "llm",
    "ai.streamObject.doStream": "llm",
    "ai.toolCall": "tool",
    "ai.embed": "chain",
    "ai.embedMany": "chain",
    "ai.embed.doEmbed": "embedding",
    "ai.embedMany.doEmbed": "embedding",
}

MESSAGE_EVENTS = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
    "gen_ai.choice": "",
    "gen_ai.content.prompt": "",
    "gen_ai.content.completion": "",
}
DETAILS_EVENT = "gen_ai.client.inference.operation.details"
EVALUATION_EVENT = "gen_ai.evaluation.result"
