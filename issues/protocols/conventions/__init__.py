"""What the attribute conventions of LLM telemetry mean, in the fields of a `SpanRecord`.

One pass over a span's attributes sorts them into facts; `understand` then fills the record. Several conventions may
stand on one span (an OpenLLMetry span sent through the Langfuse SDK, Vercel with its `gen_ai.*` copies). Then, fact by
fact, the more deliberate one wins:

    Whetstone's own > Langfuse > GenAI (new spelling > old) > OpenInference > OpenLLMetry > Vercel AI SDK > generic
    > span events > the resource

The lesser spelling of a fact that was told is dropped; what is not understood stays in the record's attributes. Pure.
"""

from issues.protocols.conventions.fill import Origin, origin, understand

__all__ = ["Origin", "origin", "understand"]
