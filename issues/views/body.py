"""Reading a request's body safely: limits before and after decompression, and a sentence for what is refused."""

import io
import zlib

from django.conf import settings
from django.http import HttpRequest


class BadBody(Exception):
    """The body cannot be taken; `status` is the answer's, the message is for the engineer."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def read_body(request: HttpRequest) -> bytes:
    """The request's bytes, decompressed; a bomb is stopped at the limit, not after it."""
    limit = settings.INTAKE_MAX_BYTES
    try:
        told = int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        raise BadBody(400, "Content-Length is not a number.") from None
    if told > limit:
        raise BadBody(413, _too_large(limit))
    raw = request.read(limit + 1)
    _let_go(request)
    if len(raw) > limit:
        raise BadBody(413, _too_large(limit))
    encoding = request.headers.get("Content-Encoding", "").strip().lower()
    if encoding in {"", "identity"}:
        return raw
    if encoding in {"gzip", "x-gzip", "deflate"}:
        return _inflate(raw, 15 if encoding == "deflate" else 31, limit)
    raise BadBody(415, f"Content-Encoding {encoding[:40]!r} is not known here: send gzip, deflate or none.")


def _let_go(request: HttpRequest) -> None:
    """Give the server's copy of the body back at once.

    Django's request stands in circles with its user and its messages, so it lives until the collector comes by, and
    would hold on to megabytes until then.
    """
    request.META["wsgi.input"] = request._stream = io.BytesIO()


def _inflate(raw: bytes, window: int, limit: int) -> bytes:
    parts, size, rest = [], 0, raw
    try:
        while rest:
            machine = zlib.decompressobj(window)
            part = machine.decompress(rest, limit - size + 1)
            size += len(part)
            if size > limit:
                raise BadBody(413, _too_large(limit))
            parts.append(part)
            if not machine.eof:
                raise BadBody(400, "The compressed body ends too early.")
            rest = machine.unused_data.lstrip(b"\0")
    except zlib.error as error:
        raise BadBody(400, f"The body is not what its Content-Encoding says: {error}.") from None
    return b"".join(parts)


def _too_large(limit: int) -> str:
    return f"The body is larger than {limit // 2**20} MB decompressed. Send smaller batches."
