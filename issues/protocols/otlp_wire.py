"""When a protobuf request as a whole cannot be decoded, save the spans that can.

One string with invalid UTF-8, or one value nested too deep, makes protobuf refuse everything beside it. This walks the
request's outer levels by hand, leaves out the spans that do not decode, and says so. Pure; only for broken requests.
"""

from collections.abc import Iterator

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import InstrumentationScope
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from issues.record import Parsed, Rejected, Unreadable

NOT_OTLP = "The body is not an OTLP ExportTraceServiceRequest in protobuf."
BROKEN = "A span could not be decoded: invalid UTF-8 in a string, or values nested too deep."


def salvage(body: bytes, parsed: Parsed) -> ExportTraceServiceRequest:
    """The request without the spans that do not decode; those are noted in `parsed`."""
    request = ExportTraceServiceRequest()
    view = memoryview(body)
    for number, block in fields(view):
        if number != 1:
            continue
        made = request.resource_spans.add()
        for number_, part in fields(block):
            if number_ == 1:
                _try(made.resource, part)
            elif number_ == 2:
                scope = made.scope_spans.add()
                for number__, inner in fields(part):
                    if number__ == 1:
                        _try(scope.scope, inner)
                    elif number__ == 2 and not _try(scope.spans.add(), inner):
                        del scope.spans[-1]
                        parsed.rejected.append(Rejected(BROKEN))
    return request


def _try(message: Span | Resource | InstrumentationScope, data: memoryview) -> bool:
    try:
        message.ParseFromString(bytes(data))
    except DecodeError:
        message.Clear()
        return False
    return True


def fields(data: memoryview) -> Iterator[tuple[int, memoryview]]:
    """The length-delimited fields of one message."""
    place, end = 0, len(data)
    while place < end:
        tag, place = _varint(data, place)
        kind = tag & 7
        if kind == 2:
            size, place = _varint(data, place)
            if size > end - place:
                raise Unreadable(NOT_OTLP)
            yield tag >> 3, data[place : place + size]
            place += size
        elif kind == 0:
            _, place = _varint(data, place)
        elif kind == 1:
            place += 8
        elif kind == 5:
            place += 4
        else:
            raise Unreadable(NOT_OTLP)
    if place != end:
        raise Unreadable(NOT_OTLP)


def _varint(data: memoryview, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if place >= len(data) or shift > 63:
            raise Unreadable(NOT_OTLP)
        byte = data[place]
        place += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, place
        shift += 7
