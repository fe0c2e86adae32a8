"""The documentation: Markdown files under `docs/`, read once per process, shown at /docs and searched.

A file opens with its title, summary, part and order. A line `[[name]]` stands for a table that is made
from the code, so that roles, scopes and settings are never copied. Imports neither Django nor Celery.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

from markdown_it import MarkdownIt
from markdown_it.token import Token

from reviewer import env
from reviewer.roles import ABILITIES, SCOPES, Role

FOLDER = Path(__file__).parent / "docs"
PARTS = ("Start", "Use", "Run")


class BadPage(ValueError):
    """A documentation file that cannot be shown; the message names it."""


@dataclass(frozen=True)
class Section:
    """What lies under one heading; the first one of a page has the page's own title and no anchor."""

    title: str
    anchor: str
    level: int
    text: str


@dataclass(frozen=True)
class Page:
    slug: str
    title: str
    summary: str
    part: str
    order: int
    html: str
    sections: tuple[Section, ...]

    @property
    def contents(self) -> list[Section]:
        """The headings of the page's own table of contents."""
        return [section for section in self.sections if section.level == 2]


# --- tables made from the code --------------------------------------------------------------------


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _roles() -> str:
    rows = (
        [ability.label, *("yes" if role.includes(ability.least) else "–" for role in Role)]
        for ability in ABILITIES.values()
    )
    return _table(["What", *(role.label for role in Role)], rows)


def _role_meanings() -> str:
    return _table(["Role", "For"], ([f"**{role.label}**", role.meaning] for role in Role))


def _scopes() -> str:
    return _table(["Scope", "What it opens"], ([f"`{scope.name}`", scope.label] for scope in SCOPES.values()))


def _settings() -> str:
    def shown(setting: env.Setting) -> str:
        """Values as code, words as they are."""
        words = "`" in setting.default or (" " in setting.default and "<" not in setting.default)
        return setting.default if words else f"`{setting.default or 'empty'}`"

    every = sorted(env.SETTINGS.values(), key=lambda setting: setting.name)
    return _table(
        ["Variable", "Kind", "Default", "What it does"],
        ([f"`{one.name}`", one.kind, shown(one), one.meaning] for one in every),
    )


TABLES: dict[str, Callable[[], str]] = {
    "roles": _roles,
    "role-meanings": _role_meanings,
    "scopes": _scopes,
    "settings": _settings,
}

# --- reading --------------------------------------------------------------------------------------


@cache
def pages() -> dict[str, Page]:
    """Every page by its slug, in reading order."""
    found = [_read(file) for file in FOLDER.glob("*.md")]
    return {page.slug: page for page in sorted(found, key=lambda page: (PARTS.index(page.part), page.order))}


def parts() -> list[tuple[str, list[Page]]]:
    """The index: each part with its pages."""
    return [(part, [page for page in pages().values() if page.part == part]) for part in PARTS]


def _read(file: Path) -> Page:
    match = re.fullmatch(r"---\n(.*?)\n---\n(.*)", file.read_text(encoding="utf-8"), re.DOTALL)
    if match is None:
        raise BadPage(f"{file.name} does not open with its title, summary, part and order.")
    facts = dict(line.split(": ", 1) for line in match[1].splitlines())
    if facts.get("part") not in PARTS:
        raise BadPage(f"{file.name} must say its part: {', '.join(PARTS)}.")
    text = re.sub(r"^\[\[([a-z-]+)\]\]$", lambda marker: _made(file, marker[1]), match[2], flags=re.MULTILINE)
    tokens = _markdown().parse(text)
    sections = _sections(tokens, facts["title"], facts["summary"])
    return Page(
        slug=file.stem,
        title=facts["title"],
        summary=facts["summary"],
        part=facts["part"],
        order=int(facts["order"]),
        html=_markdown().renderer.render(tokens, _markdown().options, {}),
        sections=tuple(sections),
    )


def _made(file: Path, name: str) -> str:
    if name not in TABLES:
        raise BadPage(f"{file.name} asks for the table “{name}”, which nobody makes.")
    return TABLES[name]()


@cache
def _markdown() -> MarkdownIt:
    """CommonMark with tables, no raw HTML; wide things scroll on their own and can be reached by keyboard."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    rules: dict[str, Any] = cast(Any, markdown.renderer).rules
    rules["table_open"] = _fixed('<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>\n')
    rules["table_close"] = _fixed("</table></div>\n")
    for kind in ("fence", "code_block"):
        rules[kind] = _focusable(rules[kind])
    return markdown


def _fixed(html: str) -> Callable[..., str]:
    return lambda tokens, index, options, env: html


def _focusable(render: Callable[..., str]) -> Callable[..., str]:
    return lambda *args: render(*args).replace("<pre>", '<pre tabindex="0">', 1)


def _sections(tokens: list[Token], title: str, summary: str) -> list[Section]:
    """Cut the page at its headings, giving each an anchor that nobody else has."""
    parts: list[tuple[str, str, int, list[str]]] = [(title, "", 1, [summary])]
    taken: set[str] = set()
    for index, token in enumerate(tokens):
        if token.type == "heading_open":
            heading = _plain(tokens[index + 1])
            anchor = _anchor(heading, taken)
            token.attrSet("id", anchor)
            parts.append((heading, anchor, int(token.tag[1]), []))
        elif token.type == "inline" and tokens[index - 1].type != "heading_open":
            parts[-1][3].append(_plain(token))
        elif token.type in {"fence", "code_block"}:
            parts[-1][3].append(token.content)
    return [Section(title, anchor, level, " ".join(" ".join(texts).split())) for title, anchor, level, texts in parts]


def _plain(token: Token) -> str:
    kept = {"text", "code_inline"}
    return "".join(child.content if child.type in kept else " " if "break" in child.type else ""
                   for child in token.children or [])  # fmt: skip


def _anchor(heading: str, taken: set[str]) -> str:
    base = re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-") or "section"
    anchor, number = base, 2
    while anchor in taken:
        anchor, number = f"{base}-{number}", number + 1
    taken.add(anchor)
    return anchor


# --- searching ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hit:
    """A section that speaks of the words asked for; `excerpt` alternates plain and found text."""

    page: Page
    section: Section
    excerpt: tuple[tuple[str, bool], ...]

    @property
    def path(self) -> str:
        """Where it is, below /docs/."""
        return self.page.slug + (f"#{self.section.anchor}" if self.section.anchor else "")

    @property
    def title(self) -> str:
        return self.section.title

    @property
    def hint(self) -> str:
        """What tells it from others: the page it is on, or for a whole page its summary."""
        return self.page.title if self.section.anchor else self.page.summary


def search(query: str, limit: int = 20) -> list[Hit]:
    """The sections that hold every word asked for, best first; titles weigh more than text."""
    words = [_stem(word) for word in re.findall(r"\w+", query.casefold())][:8]
    if not words:
        return []
    scored = []
    for order, page in enumerate(pages().values()):
        for section in page.sections:
            score = _score(words, page, section)
            if score:
                scored.append((-score, order, section.anchor, Hit(page, section, _excerpt(section.text, words))))
    return [hit for *_, hit in sorted(scored, key=lambda one: one[:3])[:limit]]


def _stem(word: str) -> str:
    """Enough to find “keys” by “key” and the other way round."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _score(words: list[str], page: Page, section: Section) -> float:
    title = re.findall(r"\w+", section.title.casefold())
    text = re.findall(r"\w+", section.text.casefold())
    about = re.findall(r"\w+", page.title.casefold())
    score = 0.0
    for word in words:
        in_title, in_text, in_about = (sum(one.startswith(word) for one in where) for where in (title, text, about))
        if not (in_title or in_text or in_about):
            return 0.0
        score += 10 * bool(in_title) + 3 * bool(in_about) + min(in_text, 5)
    return score + (5 if not section.anchor and score >= 10 * len(words) else 0)


def _excerpt(text: str, words: list[str]) -> tuple[tuple[str, bool], ...]:
    """About 160 characters around the first word found, cut between words."""
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\w*", re.IGNORECASE)
    first = pattern.search(text)
    start = max(0, (first.start() if first else 0) - 60)
    if start:
        start = text.find(" ", start) + 1
    piece = text[start : start + 160]
    if start + 160 < len(text):
        piece = piece.rsplit(" ", 1)[0] + " …"
    if start:
        piece = "… " + piece
    out: list[tuple[str, bool]] = []
    at = 0
    for match in pattern.finditer(piece):
        out += [(piece[at : match.start()], False), (match[0], True)]
        at = match.end()
    return tuple(one for one in [*out, (piece[at:], False)] if one[0])
