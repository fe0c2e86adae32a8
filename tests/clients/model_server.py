"""A model provider on loopback that speaks the OpenAI chat protocol: it asks for a tool, then answers."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

CALL = {"id": "call_1", "type": "function", "function": {"name": "lookup_order", "arguments": '{"order": "1047"}'}}
ANSWER = "It is on its way."


@contextmanager
def model_server() -> Iterator[str]:
    """The base address, as OPENAI_BASE_URL wants it."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Provider)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Provider(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if asked["model"] == "retired-1":
            self._send(404, {"error": {"message": "The model retired-1 does not exist.", "code": "model_not_found"}})
        elif asked.get("stream"):
            self._stream(asked["model"])
        else:
            self._send(200, _completion(asked))

    def _send(self, status: int, body: dict[str, Any]) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, model: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        head = {"id": "chat-3", "object": "chat.completion.chunk", "created": 1_770_000_000, "model": model}
        pieces: list[dict[str, Any]] = [
            {"choices": [{"index": 0, "delta": {"role": "assistant", "content": word}, "finish_reason": None}]}
            for word in ("Good", "bye.")
        ]
        pieces.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        pieces.append({"choices": [], "usage": _usage(20, 2)})
        for piece in pieces:
            self.wfile.write(b"data: " + json.dumps(head | piece).encode() + b"\n\n")
        self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Quiet."""


def _completion(asked: dict[str, Any]) -> dict[str, Any]:
    answered = any(message["role"] == "tool" for message in asked["messages"])
    message: dict[str, Any] = {"role": "assistant", "content": ANSWER if answered else None}
    if not answered:
        message["tool_calls"] = [CALL]
    return {
        "id": "chat-2" if answered else "chat-1",
        "object": "chat.completion",
        "created": 1_770_000_000,
        "model": f"{asked['model']}-2026",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop" if answered else "tool_calls"}],
        "usage": _usage(80, 12) if answered else _usage(50, 10),
    }


def _usage(read: int, written: int) -> dict[str, int]:
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
