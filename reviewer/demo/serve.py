"""The application's process: its address for experiments, its history at the first start, its live traffic after that.

    python -m reviewer.demo.serve --whetstone http://127.0.0.1:8000 --folder .whetstone/demo --port 8001

The key is read from the file `key` in the folder. `manage.py up` starts this in demo mode.
"""

import argparse
import contextlib
import json
import signal
import sys
import threading
from collections.abc import Sequence
from datetime import datetime, timedelta
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from reviewer.demo import history, plan, target
from reviewer.demo.client import Client, Unreachable
from reviewer.demo.status import KEY
from reviewer.demo.traffic import Traffic

LONGEST_BODY = 2_000_000
ABOUT = "Fernwood support assistant. Simulated. POST /answer with a message and the versions to use."


class Door(BaseHTTPRequestHandler):
    """Answers at the application's own address."""

    server: "Server"
    server_version = "Fernwood"
    sys_version = ""
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_GET(self) -> None:
        if self.path in {"/", "/health"}:
            self._send(HTTPStatus.OK, {"app": "fernwood-support", "simulated": True, "about": ABOUT})
        else:
            self._send(HTTPStatus.NOT_FOUND, {"error": "There is /health and /answer."})

    def do_POST(self) -> None:
        if self.path != "/answer":
            self._send(HTTPStatus.NOT_FOUND, {"error": "There is /health and /answer."}, close=True)
            return
        try:
            size = int(self.headers.get("Content-Length") or "")
        except ValueError:
            self._send(HTTPStatus.LENGTH_REQUIRED, {"error": "Send a Content-Length."}, close=True)
            return
        if not 0 <= size <= LONGEST_BODY:
            self._send(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, {"error": f"At most {LONGEST_BODY:,} bytes."}, close=True)
            return
        try:
            told = json.loads(self.rfile.read(size))
            reply, mark = target.answer(told)
        except target.BadRequest as error:
            self._send(HTTPStatus.BAD_REQUEST, {"error": str(error)})
            return
        except (ValueError, RecursionError):
            self._send(HTTPStatus.BAD_REQUEST, {"error": "The body is not JSON."})
            return
        if mark and self.server.client:
            with contextlib.suppress(Unreachable):
                self.server.client.post("/v1/traces", reply["trace"], tries=2)
        self._send(HTTPStatus.OK, reply)

    def _send(self, status: HTTPStatus, told: dict[str, Any], *, close: bool = False) -> None:
        body = json.dumps(told, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if close:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = close or self.close_connection

    def log_message(self, *_: Any) -> None:
        """Quiet: experiments make many requests."""


class Server(ThreadingHTTPServer):
    """The address; threads end with the process."""

    daemon_threads = True

    def __init__(self, port: int, client: Client | None) -> None:
        super().__init__(("127.0.0.1", port), Door)
        self.client = client


def past_and_present(client: Client, folder: Path, *, rate: float, traces: int, stop: threading.Event) -> None:
    """The history first, then live traffic, until told to stop."""
    while not stop.is_set():
        try:
            status = history.fill(client, folder, traces=traces, log=say)
        except Unreachable as error:
            say(f"The history waits: {error}")
            stop.wait(5)
            continue
        start = datetime.fromisoformat(status["end"]) - timedelta(days=plan.DAYS)
        if rate > 0:
            say(f"Live traffic: about {rate:g} traces a second.")
            Traffic(client, folder, rate=rate, start=start).run(stop, log=say)
        return


def say(text: str) -> None:
    print(text, flush=True)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=ABOUT)
    parser.add_argument("--whetstone", required=True, help="address of the Whetstone to send to")
    parser.add_argument("--folder", required=True, type=Path, help="where the key is, and the state is kept")
    parser.add_argument("--port", type=int, default=8001)
    parser.add_argument("--rate", type=float, default=2.0, help="live traces a second; 0 for none")
    parser.add_argument("--traces", type=int, default=plan.TRACES, help="size of the history")
    options = parser.parse_args(argv)
    key = (options.folder / KEY).read_text().strip()
    client = Client(options.whetstone, key)
    try:
        server = Server(options.port, client)
    except OSError as error:
        say(f"Port {options.port} cannot be used ({error.strerror}); taking another.")
        server = Server(0, client)
    say(f"The simulated shop answers at http://127.0.0.1:{server.server_address[1]}/answer")
    stop = threading.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: stop.set())
    threading.Thread(target=server.serve_forever, daemon=True, name="address").start()
    work = threading.Thread(
        target=past_and_present, args=(client, options.folder),
        kwargs={"rate": options.rate, "traces": options.traces, "stop": stop}, daemon=True, name="shop",
    )  # fmt: skip
    work.start()
    while not stop.wait(1):
        pass
    server.shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
