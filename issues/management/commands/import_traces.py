"""`manage.py import_traces FILE… --project SLUG`: history into a project, through the same door as live traffic."""

import gzip
import hashlib
import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from issues.models import Import
from issues.protocols.imports import from_jsonl_line
from issues.protocols.jsontext import read_body
from issues.receive import receive
from issues.record import Parsed, Unreadable
from reviewer.models import Project

BATCH_SPANS = 2_000
MOST_SHOWN = 10


class Command(BaseCommand):
    help = "Import traces from JSONL or OTLP JSON files, plain or gzip. Safe to repeat; goes on where it was stopped."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument("--project", required=True, help="Short name of the project.")
        parser.add_argument("--again", action="store_true", help="Read from the start, even if it was read before.")

    def handle(self, *args: Any, files: list[str], project: str, again: bool, **options: Any) -> None:
        home = Project.objects.filter(slug=project).first()
        if home is None:
            raise CommandError(f"There is no project {project}. Make it with: manage.py create_project {project}")
        for name in files:
            path = Path(name)
            if not path.is_file():
                raise CommandError(f"{name} is not a file.")
            self.read(home, path, again)

    def read(self, project: Project, path: Path, again: bool) -> None:
        """One file, in batches, each committed with how far it came."""
        state, _ = Import.objects.get_or_create(
            project=project, digest=digest_of(path), defaults={"name": path.name[:200]}
        )
        if again:
            state.items, state.finished_at = 0, None
        if state.finished_at:
            self.stdout.write(f"{path.name}: read already; use --again to read it once more.")
            return
        if state.items:
            self.stdout.write(f"{path.name}: going on after item {state.items:,}.")
        batch, totals, refused = Parsed(), [0, 0], []
        size, number = path.stat().st_size, 0
        with path.open("rb") as raw:
            for number, item in enumerate(items_of(raw), 1):
                if number <= state.items:
                    continue
                try:
                    parsed = from_jsonl_line(item)
                except Unreadable as error:
                    refused.append(f"item {number}: {error}")
                    continue
                batch.spans += parsed.spans
                batch.signals += parsed.signals
                refused += [f"item {number}: {rejected.why}" for rejected in parsed.rejected]
                if len(batch.spans) >= BATCH_SPANS:
                    batch = self.commit(project, state, batch, number, totals)
                    self.show(path.name, raw.tell() / max(size, 1), totals)
        self.commit(project, state, batch, number, totals)
        state.finished_at = timezone.now()
        state.save(update_fields=["finished_at"])
        self.show(path.name, 1, totals, last=True)
        for line in refused[:MOST_SHOWN]:
            self.stderr.write(f"  {line}")
        if len(refused) > MOST_SHOWN:
            self.stderr.write(f"  and {len(refused) - MOST_SHOWN:,} more items that could not be read")

    def commit(self, project: Project, state: Import, batch: Parsed, number: int, totals: list[int]) -> Parsed:
        """Store a batch, then how far we are: a kill in between repeats the batch, which changes nothing."""
        receive(project.pk, batch)
        totals[0] += len(batch.spans)
        totals[1] += len(batch.signals)
        state.items = number
        state.save(update_fields=["items"])
        return Parsed()

    def show(self, name: str, share: float, totals: list[int], *, last: bool = False) -> None:
        line = f"{name}: {'█' * round(share * 20):<20} {share:4.0%}  {totals[0]:,} spans, {totals[1]:,} signals"
        if last:
            self.stdout.write(("\r" if sys.stdout.isatty() else "") + line)
        elif sys.stdout.isatty():
            self.stdout.write("\r" + line, ending="")
            self.stdout.flush()


def digest_of(path: Path) -> str:
    """What tells a file from another: its size and its beginning."""
    with path.open("rb") as file:
        return hashlib.sha256(f"{path.stat().st_size}\n".encode() + file.read(65_536)).hexdigest()


def items_of(raw: IO[bytes]) -> Iterator[Any]:
    """The JSON items of a file: its lines, or the one document it is; lists are taken apart."""
    packed = raw.read(2) == b"\x1f\x8b"
    raw.seek(0)
    stream: Any = gzip.GzipFile(fileobj=raw) if packed else raw
    try:
        first = stream.readline()
        try:
            begun = json.loads(first)
        except ValueError:
            yield from _document(first + stream.read())
            return
        yield from begun if isinstance(begun, list) else [begun]
        for line in stream:
            if line.strip():
                yield _line(line)
    except (OSError, EOFError) as error:
        raise CommandError(f"The file cannot be read to its end: {error}") from error


def _document(text: bytes) -> Iterator[Any]:
    try:
        whole = read_body(text)
    except Unreadable as error:
        raise CommandError(f"The file is neither JSON lines nor one JSON document: {error}") from error
    yield from whole if isinstance(whole, list) else [whole]


def _line(line: bytes) -> Any:
    try:
        return read_body(line)
    except Unreadable:
        return line.decode(errors="replace")[:200]
