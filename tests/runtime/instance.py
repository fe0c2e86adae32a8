"""A whole Whetstone, started as a person would start it, and a small browser-like client for it."""

import contextlib
import http.cookiejar
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import psutil

CHECKOUT = Path(__file__).resolve().parent.parent.parent


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def clean_environment(home: Path, **extra: str) -> dict[str, str]:
    """The environment of a person who has set nothing but the home."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("WHETSTONE_", "PYTEST_", "DJANGO_"))
        and name not in {"DATABASE_URL", "SECRET_KEY", "CELERY_BROKER_URL"}
    }
    return {**kept, "WHETSTONE_HOME": str(home), "COLUMNS": "200", **extra}


def manage(home: Path, *words: str, **options) -> subprocess.CompletedProcess[str]:
    """Run a management command on a home, to its end."""
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=CHECKOUT,
        env=clean_environment(home),
        capture_output=True,
        text=True,
        timeout=120,
        **options,
    )


class Instance:
    """One `manage.py up`, with its output as it comes."""

    def __init__(
        self,
        home: Path,
        *options: str,
        port: int | None = None,
        python: str = sys.executable,
        environment=None,
        **popen,
    ) -> None:
        self.home = home
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.lines: list[str] = []
        self.process = subprocess.Popen(
            [python, "manage.py", "up", "--home", str(home), "--port", str(self.port), *options],
            cwd=CHECKOUT,
            env=clean_environment(home, **(environment or {})),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            **popen,
        )
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        with self.process.stdout as stream:
            for line in stream:
                self.lines.append(line.rstrip())

    @property
    def output(self) -> str:
        return "\n".join(self.lines)

    def wait_for(self, text: str, seconds: float = 90) -> str:
        """The first line that holds the text."""
        return eventually(lambda: next((line for line in list(self.lines) if text in line), None), seconds, self)

    def wait_ready(self) -> "Instance":
        self.wait_for("Whetstone is ready at")
        return self

    def pid(self, part: str) -> int:
        return int((self.home / "run" / f"{part}.pid").read_text())

    def processes(self) -> list[psutil.Process]:
        """Every living process that belongs to this home."""
        found = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                mine = process.environ().get("WHETSTONE_HOME") == str(self.home)
                if mine and process.status() != psutil.STATUS_ZOMBIE and process.pid != self.process.pid:
                    found.append(process)
        return found

    def readiness(self) -> dict | None:
        with contextlib.suppress(OSError, ValueError):
            try:
                reply = urllib.request.urlopen(f"{self.url}/readyz", timeout=10)
            except urllib.error.HTTPError as error:
                reply = error
            with reply:
                return json.loads(reply.read())
        return None

    def is_ready(self) -> bool:
        return bool((self.readiness() or {}).get("ready"))

    def stop(self, how: int = signal.SIGTERM) -> int:
        self.process.send_signal(how)
        code = self.process.wait(60)
        self.reader.join(10)
        return code

    def __enter__(self) -> "Instance":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.stop()
        for process in self.processes():
            with contextlib.suppress(psutil.Error):
                process.kill()
        self.reader.join(10)


def eventually(check, seconds: float = 60, instance: Instance | None = None):
    """What `check` returns once it is true; fails with the instance's last lines otherwise."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if outcome := check():
            return outcome
        time.sleep(0.1)
    tail = "\n".join(instance.lines[-40:]) if instance else ""
    raise AssertionError(f"It did not happen within {seconds} s.\n{tail}")


class Visitor:
    """Signs in and posts forms with cookies and tokens, as a browser without scripts does."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()), urllib.request.ProxyHandler({})
        )
        self.token = ""

    def _open(self, request: str | urllib.request.Request) -> str:
        try:
            with self.opener.open(request, timeout=15) as reply:
                return reply.read().decode()
        except urllib.error.HTTPError as error:
            error.close()
            raise

    def get(self, path: str) -> str:
        page = self._open(urllib.parse.urljoin(self.url, path))
        if found := re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page):
            self.token = found[1]
        return page

    def post(self, path: str, **fields: str | list[str]) -> str:
        data = urllib.parse.urlencode({**fields, "csrfmiddlewaretoken": self.token}, doseq=True).encode()
        request = urllib.request.Request(urllib.parse.urljoin(self.url, path), data, {"Referer": f"{self.url}{path}"})
        return self._open(request)

    def sign_in_demo(self, role: str) -> "Visitor":
        self.get("/sign-in")
        self.post(f"/sign-in/demo/{role}")
        return self
