"""The documentation inside the product: complete, linked, searchable, open to all."""

import re
from html.parser import HTMLParser

import pytest
from django.test import Client
from django.urls import reverse

from reviewer import handbook
from reviewer.readiness import DEADLINE, QUEUE_LIMIT
from reviewer.roles import ABILITIES, SCOPES, Role
from reviewer.throttle import LIMITS

pytestmark = pytest.mark.django_db
CHAPTERS = {
    "getting-started", "keyboard", "roles", "api-keys", "how-numbers-are-computed",
    "settings", "operations", "production", "benchmarks", "traces", "signals", "masking",
}  # fmt: skip


class Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.hrefs: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.hrefs += [value or "" for name, value in attrs if tag == "a" and name == "href"]


def links_in(html: str) -> list[str]:
    links = Links()
    links.feed(html)
    return links.hrefs


def test_every_chapter_is_there_and_in_the_index(client: Client):
    assert set(handbook.pages()) >= CHAPTERS
    index = client.get(reverse("docs_index"))
    assert index.status_code == 200
    for page in handbook.pages().values():
        assert reverse("docs_page", args=[page.slug]) in index.text
        assert page.title in index.text


@pytest.mark.parametrize("slug", sorted(CHAPTERS))
def test_a_page_is_open_without_signing_in(client: Client, slug: str):
    answer = client.get(reverse("docs_page", args=[slug]))
    assert answer.status_code == 200
    assert f"<h1>{handbook.pages()[slug].title}</h1>" in answer.text


def test_a_page_is_open_for_members_too(as_jonas: Client):
    assert as_jonas.get(reverse("docs_page", args=["roles"])).status_code == 200


def test_an_unknown_page_is_404(client: Client):
    assert client.get(reverse("docs_page", args=["no-such-page"])).status_code == 404


@pytest.mark.parametrize("view", ["docs_index", "docs_search"])
def test_nothing_can_be_posted(client: Client, view: str):
    assert client.post(reverse(view)).status_code == 405


def test_every_link_between_pages_leads_somewhere():
    anchors = {page.slug: {section.anchor for section in page.sections} for page in handbook.pages().values()}
    for page in handbook.pages().values():
        for href in links_in(page.html):
            target, _, anchor = href.partition("#")
            if "://" in target:
                continue
            assert (target or page.slug) in anchors, f"{page.slug} links to {href}"
            assert anchor in anchors[target or page.slug], f"{page.slug} links to {href}"


def test_every_page_of_the_product_that_links_to_a_chapter_finds_it():
    templates = handbook.FOLDER.parent.parent / "templates"
    for file in templates.rglob("*.html"):
        for slug in re.findall(r"""{% url ['"]docs_page['"] ['"]([\w-]+)['"]""", file.read_text()):
            assert slug in handbook.pages(), f"{file} links to {slug}"


def test_the_table_of_roles_is_made_from_the_code():
    html = handbook.pages()["roles"].html
    for ability in ABILITIES.values():
        cells = "".join(f"<td>{'yes' if role.includes(ability.least) else '–'}</td>\n" for role in Role)
        assert f"<td>{ability.label}</td>\n{cells}" in html


def test_the_table_of_scopes_is_made_from_the_code():
    for scope in SCOPES.values():
        assert f"<td><code>{scope.name}</code></td>\n<td>{scope.label}</td>" in handbook.pages()["api-keys"].html


def test_the_numbers_in_the_documentation_are_those_of_the_code():
    text = " ".join(section.text for section in handbook.pages()["how-numbers-are-computed"].sections)
    assert f"within {DEADLINE:g} s" in text
    assert f"{QUEUE_LIMIT:,} tasks" in text
    for limit in LIMITS.values():
        assert f" {limit.by_email} {limit.by_address} " in text


def test_markup_in_a_file_is_shown_not_run():
    assert "<script>" not in handbook._markdown().render("<script>alert(1)</script>")


def test_wide_things_scroll_and_can_be_reached_by_keyboard():
    html = handbook.pages()["operations"].html
    assert html.count("<table>") == html.count(
        '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>'
    )
    assert "<pre>" not in html


def test_equal_headings_get_anchors_of_their_own():
    tokens = handbook._markdown().parse("## Again\n\n## Again\n")
    assert [section.anchor for section in handbook._sections(tokens, "T", "S")] == ["", "again", "again-2"]


def test_a_file_without_its_facts_is_refused(tmp_path):
    file = tmp_path / "bare.md"
    file.write_text("# Bare\n")
    with pytest.raises(handbook.BadPage, match=r"bare\.md"):
        handbook._read(file)


def test_a_file_that_asks_for_an_unknown_table_is_refused(tmp_path):
    file = tmp_path / "odd.md"
    file.write_text("---\ntitle: Odd\nsummary: Odd.\npart: Use\norder: 1\n---\n[[nothing]]\n")
    with pytest.raises(handbook.BadPage, match="nothing"):
        handbook._read(file)


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("restore", "operations#restore"),
        ("api key", "api-keys"),
        ("brokers", "production#brokers"),
        ("ROLE", "roles"),
        ("readyz", "operations#health"),
        ("DATABASE_URL", "settings#what-a-production-instance-needs"),
    ],
)
def test_the_best_section_comes_first(query: str, best: str):
    assert best in [hit.path for hit in handbook.search(query, 2)]


@pytest.mark.parametrize("query", ["", "  ", "zebra", "!?", "backup zebra", "\x00"])
def test_nothing_is_found_where_nothing_is(client: Client, query: str):
    assert handbook.search(query) == []
    assert client.get(reverse("docs_search"), {"q": query}).status_code == 200


def test_search_shows_where_the_words_are(client: Client):
    answer = client.get(reverse("docs_search"), {"q": "pg_dump"})
    assert reverse("docs_page", args=["operations"]) + "#back-up" in answer.text
    assert "<mark>pg_dump</mark>" in answer.text
    assert "<html" in answer.text


def test_search_answers_htmx_with_the_hits_alone(client: Client):
    answer = client.get(reverse("docs_search"), {"q": "pg_dump"}, headers={"HX-Request": "true"})
    assert "#back-up" in answer.text
    assert "<html" not in answer.text


def test_what_is_asked_for_is_escaped(client: Client):
    assert "<b>x" not in client.get(reverse("docs_search"), {"q": "<b>x"}).text


def test_the_palette_finds_help(as_jonas: Client):
    answer = as_jonas.get(reverse("jump", args=["fernwood"]), {"q": "restore"})
    assert reverse("docs_page", args=["operations"]) + "#restore" in answer.text
