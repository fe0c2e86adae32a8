"""Real requests of every door, and ways to break their bytes."""

import base64
import gzip
import json
import random
from typing import Any, NamedTuple

from google.protobuf import json_format
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.issues.wire import SPAN, START, TRACE, as_json, as_protobuf, pairs, payload

BOUNDARY = "fd73eb437e914b3ebbebe24edc310806"
JSON, PROTOBUF = "application/json", "application/x-protobuf"
SHARP = [
    b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"\\ud800", b"\\u0000", b"NaN", b"-Infinity", b"1e999", b"-1", b"null",
    b"true", b"[]", b"{}", b'""', b"18446744073709551616", b"9" * 400, b"[" * 5_000, b'{"a":' * 3_000, b"../..",
    b"\x0a\xff\xff\xff\xff\x07", b"\x80" * 12, b"2200-01-01T00:00:00Z", b"0001-01-01T00:00:00+14:00",
    b"\r\n--" + BOUNDARY.encode(), "ſ𝕏́".encode(), b"%s%n",
]  # fmt: skip


class Door(NamedTuple):
    path: str
    content_type: str
    bodies: list[bytes]


def _json(*values: Any) -> list[bytes]:
    return [json.dumps(value).encode() for value in values]


def _logs() -> dict[str, Any]:
    said = {"gen_ai.evaluation.name": "relevance", "gen_ai.evaluation.score.value": 0.5}
    record = {"timeUnixNano": str(START), "traceId": TRACE, "spanId": SPAN, "eventName": "gen_ai.evaluation.result"}
    return {"resourceLogs": [{"scopeLogs": [{"logRecords": [{**record, "attributes": pairs(said)}]}]}]}


def _logs_in_protobuf() -> bytes:
    request = _logs()
    record = request["resourceLogs"][0]["scopeLogs"][0]["logRecords"][0]
    for key in ("traceId", "spanId"):
        record[key] = base64.b64encode(bytes.fromhex(record[key])).decode()
    return json_format.ParseDict(request, ExportLogsServiceRequest()).SerializeToString()


def _form() -> bytes:
    parts = []
    for name, value in payload("langsmith_runs.json").items():
        head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\nContent-Type: application/json'
        parts.append(f"{head}\r\n\r\n{json.dumps(value)}\r\n")
    return ("".join(parts) + f"--{BOUNDARY}--\r\n").encode()


def doors() -> dict[str, Door]:
    """Every address that applications write to, with what they write."""
    exports = [as_json(*payload(f"{name}.json")) for name in ("genai", "openinference", "openllmetry", "vercel")]
    run = "01a1edc6-cb3d-7380-b274-4ccb789e1fff"
    told = {"id": run, "trace_id": run, "name": "x", "run_type": "llm", "inputs": {"q": 1}, "start_time": "2026-05-04"}
    feedback = {"id": "f1", "run_id": run, "trace_id": run, "key": "thumb", "score": 1, "comment": "nice"}
    score = {"id": "s1", "traceId": TRACE, "name": "stars", "value": 4, "timestamp": "2026-05-04T08:00:00Z"}
    step = {"id": "1", "kind": "llm", "input": [{"role": "user", "content": "Hi"}], "output": "Hello", "model": "m"}
    trace = {
        "id": "t1",
        "input": "Hi",
        "output": "Hello",
        "time": "2026-05-04T08:00:00Z",
        "spans": [step],
        "tags": ["a"],
    }
    rollout = {"fact": "prompt", "name": "answer", "value": "8", "time": "2026-05-04T08:00:00Z"}
    return {
        "traces in protobuf": Door("/v1/traces", PROTOBUF, [as_protobuf(export) for export in exports]),
        "traces in JSON": Door("/v1/traces", JSON, _json(*exports)),
        "logs in protobuf": Door("/v1/logs", PROTOBUF, [_logs_in_protobuf()]),
        "logs in JSON": Door("/v1/logs", JSON, _json(_logs())),
        "Langfuse spans": Door(
            "/api/public/otel/v1/traces", PROTOBUF, [as_protobuf(as_json(*payload("langfuse_spans.json")))]
        ),
        "Langfuse batches": Door(
            "/api/public/ingestion",
            JSON,
            _json(payload("langfuse_scores_batch.json"), payload("langfuse_observations_batch.json")),
        ),
        "Langfuse scores": Door("/api/public/scores", JSON, _json(score, [score, {**score, "id": "s2"}])),
        "LangSmith forms": Door("/runs/multipart", f"multipart/form-data; boundary={BOUNDARY}", [_form()]),
        "LangSmith batches": Door(
            "/runs/batch", JSON, _json({"post": [told], "patch": [{**told, "outputs": {"a": 2}}]})
        ),
        "LangSmith feedback": Door("/feedback", JSON, _json(feedback, [feedback])),
        "our traces": Door("/api/v1/traces", JSON, _json(trace, [trace, {**trace, "id": "t2"}])),
        "our feedback": Door(
            "/api/v1/feedback", JSON, _json([{"trace_id": "t1", "name": "thumb", "value": True, "comment": "nice"}])
        ),
        "our rollouts": Door("/api/v1/rollouts", JSON, _json([rollout])),
    }


def mutate(body: bytes, dice: random.Random, others: list[bytes]) -> bytes:
    """A few wounds: bits turned, pieces cut, doubled, swapped, or replaced by something sharp."""
    data = bytearray(body)
    for _ in range(dice.choice((1, 1, 2, 3, 8))):
        at = dice.randrange(len(data) + 1)
        end = min(len(data), at + dice.choice((1, 2, 4, 8, 40, 400)))
        match dice.randrange(8):
            case 0 if at < len(data):
                data[at] ^= 1 << dice.randrange(8)
            case 1:
                data[at:end] = b""
            case 2:
                data[at:at] = data[at:end] * dice.choice((1, 2, 50))
            case 3:
                data[at:at] = dice.randbytes(dice.choice((1, 2, 9)))
            case 4 | 5:
                data[at : at + dice.choice((0, 1, 6))] = dice.choice(SHARP)
            case 6:
                other = dice.choice(others)
                begin = dice.randrange(len(other) + 1)
                data[at:end] = other[begin : begin + end - at]
            case 7 if dice.random() < 0.3:
                del data[at:]
    return bytes(data)


def value_swapped(body: bytes, dice: random.Random) -> bytes:
    """The JSON is whole, but one of its values is another kind of thing."""
    document = json.loads(body)
    place, key = _somewhere(document, dice)
    strange = (None, True, -1, 2**70, 1e308, "", "\x00", "é" * 300, [], {}, [[]], {"": {}}, [None], "2200-01-01", 0.1)
    if place is None:
        return json.dumps(dice.choice(strange)).encode()
    place[key] = dice.choice(strange)
    return json.dumps(document).encode()


def _somewhere(document: Any, dice: random.Random) -> tuple[Any, Any]:
    place, key, here = None, None, document
    while isinstance(here, dict | list) and here and (place is None or dice.random() < 0.85):
        place, key = here, dice.choice(list(here) if isinstance(here, dict) else range(len(here)))
        here = here[key]
    return place, key


def field_swapped(body: bytes, message: Any, dice: random.Random) -> bytes:
    """The protobuf is whole, but one of its fields holds something strange, or a message is there many times."""
    message.ParseFromString(body)
    place = message
    while True:
        field, value = dice.choice(place.ListFields())
        if not isinstance(value, bytes | str | int | float | bool):  # a message, or a list of them
            if dice.random() < 0.05:
                place.ClearField(field.name)
            elif hasattr(value, "add"):
                if dice.random() < 0.05:
                    value.extend(list(value) * 20)
                place = dice.choice(value)
            else:
                place = value
            if place.ListFields():
                continue
            break
        for strange in dice.sample(
            [b"", dice.randbytes(9), b"\xff" * 16, "", "\x00", "[" * 900, 0, -1, 2**63, 1e308], 10
        ):
            try:
                setattr(place, field.name, strange)
                break
            except (TypeError, ValueError):
                continue  # not of this field's type
        break
    return bytes(message.SerializeToString())


def broken_request(door: Door, number: int) -> tuple[bytes, str, dict[str, str]]:
    """Body, content type and headers of one attempt; the same number is the same attempt."""
    dice = random.Random(f"{door.path} {door.content_type} {number}")
    body = dice.choice(door.bodies)
    if door.content_type == JSON and dice.random() < 0.4:
        broken = value_swapped(body, dice)
    elif door.content_type == PROTOBUF and dice.random() < 0.5:
        message = ExportLogsServiceRequest() if "logs" in door.path else ExportTraceServiceRequest()
        broken = field_swapped(body, message, dice)
    else:
        broken = mutate(body, dice, door.bodies)
    content_type = door.content_type
    if dice.random() < 0.03:
        content_type = dice.choice(
            [JSON, PROTOBUF, "", "text/plain", "multipart/form-data", "application/json; charset=x"]
        )
    headers = {}
    if dice.random() < 0.1:
        headers["Content-Encoding"] = dice.choice(["gzip", "deflate", "zstd", "gzip, gzip"])
        broken = gzip.compress(broken)
        if dice.random() < 0.5:
            broken = mutate(broken, dice, [broken])
    return broken, content_type, headers
