"""HTTP to Whetstone, with nothing but the standard library: a key, JSON, gzip, and patience when told to wait."""

import gzip
import json
import time
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import urlsplit

TRIES = 8


class Unreachable(Exception):
    """Whetstone did not take what was sent; the message says what it answered."""


class Client:
    """One application's connection to one Whetstone."""

    def __init__(self, url: str, key: str, *, timeout: float = 60.0) -> None:
        if urlsplit(url).scheme not in {"http", "https"}:
            raise ValueError(f"{url!r} is not an http address.")
        self.url, self.key, self.timeout = url.rstrip("/"), key, timeout
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def post(self, path: str, body: bytes | Any, *, tries: int = TRIES) -> dict[str, Any]:
        """Send; try again while the other side is busy, restarting or away."""
        raw = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        if len(raw) > 4_096:
            raw, headers["Content-Encoding"] = gzip.compress(raw, 1), "gzip"
        wait, why = 0.3, ""
        for attempt in range(tries):
            request = urllib.request.Request(f"{self.url}{path}", raw, headers, method="POST")  # noqa: S310
            try:
                with self.opener.open(request, timeout=self.timeout) as reply:
                    answer: dict[str, Any] = json.loads(reply.read() or b"{}")
                    return answer
            except urllib.error.HTTPError as error:
                with error:
                    why = f"{error.code} {error.read(300).decode('utf-8', 'replace')}"
                    if error.code not in {429, 500, 502, 503, 504}:
                        raise Unreachable(f"{path}: {why}") from None
                    wait = max(wait, min(float(error.headers.get("Retry-After") or 0), 15.0))
            except (urllib.error.URLError, OSError, TimeoutError) as error:
                why = str(error)
            if attempt + 1 < tries:
                time.sleep(wait)
                wait = min(wait * 2, 10.0)
        raise Unreachable(f"{path}: {why}")
