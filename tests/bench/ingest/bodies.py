"""Export requests in protobuf: real traces with fresh ids, or made-up ones where no data folder is given.

Every trace is serialised once. A repetition only exchanges its ids in the bytes, so the sender stays cheap.
"""

import gzip
import json
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from google.protobuf.json_format import ParseDict
from opentelemetry.proto.common.v1.common_pb2 import InstrumentationScope
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import Span

WORDS = ("order", "refund", "parcel", "please", "cancel", "flight", "seat", "invoice", "thanks", "account", "email")


@dataclass(frozen=True)
class Template:
    """One trace: its spans' bytes and where in them each id lies."""

    origin: tuple[bytes, bytes]
    """Resource and scope, serialised."""
    spans: int
    content: bytes
    ids: tuple[tuple[int, bytes], ...]

    def fresh(self) -> bytes:
        """The same spans under new ids; parents still point at their children's parents."""
        trace, span = random.randbytes(16), int.from_bytes(random.randbytes(8))
        made = bytearray(self.content)
        for place, old in self.ids:
            size = len(old)
            made[place : place + size] = trace if size == 16 else (int.from_bytes(old) ^ span or span).to_bytes(8)
        return bytes(made)


def templates() -> tuple[list[Template], str]:
    """The traces to send, and where they come from in words."""
    folder = os.environ.get("WHETSTONE_DATA", "")
    files = sorted(Path(folder, "otlp").glob("*.json.gz")) if folder else []
    if not files:
        return [*_group(_invented(random.Random(3)))], "generated traces"
    return [*_group(item for file in files for item in _from_file(file))], "the OTLP files of WHETSTONE_DATA"


def bodies(traces: list[Template], per_request: int, spans: int) -> Iterator[tuple[int, bytes]]:
    """Requests of so many traces, each with its number of spans, until that many spans were given."""
    given, endless = 0, _endless(traces)
    while given < spans:
        chosen = list(islice(endless, per_request))
        count = sum(trace.spans for trace in chosen)
        given += count
        yield count, request(chosen)


def request(chosen: list[Template]) -> bytes:
    """An ExportTraceServiceRequest: what shares a resource and a scope stands together, as exporters do it."""
    parts: dict[tuple[bytes, bytes], list[bytes]] = {}
    for trace in chosen:
        parts.setdefault(trace.origin, []).append(trace.fresh())
    return b"".join(
        _field(1, _field(1, resource) + _field(2, _field(1, scope) + b"".join(spans)))
        for (resource, scope), spans in parts.items()
    )


def _endless(traces: list[Template]) -> Iterator[Template]:
    while True:
        yield from traces


def _field(number: int, content: bytes) -> bytes:
    """A length-delimited protobuf field."""
    size, length = len(content), bytearray()
    while size > 127:
        length.append(size & 127 | 128)
        size >>= 7
    length.append(size)
    return bytes([number << 3 | 2]) + length + content


def _group(items: Any) -> Iterator[Template]:
    """Spans, each with its origin, as one template a trace."""
    found: dict[bytes, tuple[tuple[bytes, bytes], list[Span]]] = {}
    for origin, span in items:
        found.setdefault(span.trace_id, (origin, []))[1].append(span)
    for origin, spans in found.values():
        content, ids = bytearray(), []
        for span in spans:
            whole = _field(2, span.SerializeToString())
            for old in (span.trace_id, span.span_id, span.parent_span_id):
                if old:
                    ids.append((len(content) + whole.index(old), old))
            content += whole
        yield Template(origin, len(spans), bytes(content), tuple(ids))


def _from_file(file: Path) -> Iterator[tuple[tuple[bytes, bytes], Span]]:
    with gzip.open(file) as stream:
        export = json.load(stream)
    for group in export["resourceSpans"]:
        resource = ParseDict(group.get("resource", {}), Resource()).SerializeToString()
        for inner in group["scopeSpans"]:
            scope = ParseDict(inner.get("scope", {}), InstrumentationScope()).SerializeToString()
            for item in inner["spans"]:
                ids = {key: bytes.fromhex(item.pop(key, "")) for key in ("traceId", "spanId", "parentSpanId")}
                span = ParseDict(item, Span(), ignore_unknown_fields=True)
                span.trace_id, span.span_id, span.parent_span_id = ids.values()
                yield (resource, scope), span


def _invented(chance: random.Random) -> Iterator[tuple[tuple[bytes, bytes], Span]]:
    """Conversations of about the shape of a support agent's: a root, then calls of a model and of tools."""
    service = {"key": "service.name", "value": {"stringValue": "bench"}}
    resource = ParseDict({"attributes": [service]}, Resource()).SerializeToString()
    scope = InstrumentationScope(name="bench").SerializeToString()
    for number in range(400):
        trace_id, root = chance.randbytes(16), chance.randbytes(8)
        moment = (1_760_000_000 + number * 600) * 10**9
        for place in range(chance.randint(8, 34)):
            span = Span(trace_id=trace_id, span_id=root if place == 0 else chance.randbytes(8))
            span.parent_span_id = b"" if place == 0 else root
            span.start_time_unix_nano = moment + place * 10**9
            span.end_time_unix_nano = moment + (40 if place == 0 else place + 1) * 10**9
            _speak(span, "invoke_agent" if place == 0 else "execute_tool" if place % 3 == 0 else "chat", chance)
            yield (resource, scope), span


def _speak(span: Span, operation: str, chance: random.Random) -> None:
    said = {"gen_ai.operation.name": operation}
    if operation == "execute_tool":
        said |= {"gen_ai.tool.name": "lookup", "gen_ai.tool.call.arguments": json.dumps({"id": _words(chance, 2)})}
        said["gen_ai.tool.call.result"] = json.dumps({"found": _words(chance, 60)})
    else:
        said["gen_ai.request.model"] = "small-1"
        said["gen_ai.input.messages"] = _message("user", _words(chance, 25))
        said["gen_ai.output.messages"] = _message("assistant", _words(chance, 50))
    span.name = f"{operation} bench"
    for key, value in said.items():
        span.attributes.add(key=key).value.string_value = value


def _words(chance: random.Random, count: int) -> str:
    return " ".join(f"{chance.choice(WORDS)}{chance.randrange(40)}" for _ in range(count))


def _message(role: str, text: str) -> str:
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])
