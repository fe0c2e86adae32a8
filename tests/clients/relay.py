"""A relay between a client and the product, on loopback: it remembers every request, and may lose first answers.

A lost answer is how a retry happens in life: the product has stored the request, the client hears 503 and sends it
again. Nothing of the product is replaced; the relay is one more hop on the way.
"""

import http.client
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

HOP = {"connection", "keep-alive", "transfer-encoding", "host", "content-length", "date", "server"}


@dataclass
class Passed:
    """One request, and what the product answered."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    status: int
    answer: bytes


@dataclass
class Relay:
    """`with Relay(url) as relay: ...` listens at `relay.url`."""

    target: str
    lossy: bool = False
    passed: list[Passed] = field(default_factory=list)

    def __enter__(self) -> "Relay":
        self._lost: set[tuple[str, bytes]] = set()
        self._guard = threading.Lock()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), type("Hop", (_Hop,), {"relay": self}))
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def forward(self, method: str, path: str, headers: dict[str, str], body: bytes) -> Passed:
        """Send a request on and remember it."""
        there = urlsplit(self.target)
        connection = http.client.HTTPConnection(there.hostname or "", there.port, timeout=30)
        try:
            connection.request(method, path, body, headers | {"content-length": str(len(body))})
            reply = connection.getresponse()
            known = {name: value for name, value in reply.getheaders() if name.lower() not in HOP}
            done = Passed(method, path, headers, body, reply.status, reply.read())
        finally:
            connection.close()
        with self._guard:
            self.passed.append(done)
        done.headers_back = known  # type: ignore[attr-defined]
        return done

    def loses(self, done: Passed) -> bool:
        """Whether this answer is lost: the first one to each body that was stored."""
        with self._guard:
            key = (done.path, done.body)
            if not self.lossy or done.method != "POST" or done.status >= 300 or key in self._lost:
                return False
            self._lost.add(key)
            return True

    def stored(self) -> list[Passed]:
        """The distinct requests that brought something, as they first came."""
        first = {(done.path, done.body): done for done in reversed(self.passed) if done.method == "POST"}
        return list(reversed(first.values()))


class _Hop(BaseHTTPRequestHandler):
    relay: Relay
    protocol_version = "HTTP/1.1"

    def _pass(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items() if name.lower() not in HOP}
        done = self.relay.forward(self.command, self.path, headers, self._body())
        lost = self.relay.loses(done)
        answer = b'{"message": "the answer was lost on the way"}' if lost else done.answer
        self.send_response(503 if lost else done.status)
        back: dict[str, Any] = {"Content-Type": "application/json"} if lost else done.headers_back  # type: ignore[attr-defined]
        for name, value in back.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer)

    do_GET = do_HEAD = do_POST = do_PATCH = do_PUT = do_DELETE = _pass

    def _body(self) -> bytes:
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            parts = []
            while size := int(self.rfile.readline().split(b";")[0], 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(parts)
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def log_message(self, *_: object) -> None:
        """Quiet: what passed is remembered."""
