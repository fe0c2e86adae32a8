"""The developers' page, and the promises of single components."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django import forms
from django.template import Context, Template
from django.test import Client, RequestFactory

from reviewer.icons import ICONS
from reviewer.models import Project, User

STATIC = Path(__file__).parents[2] / "static"
TEMPLATES = Path(__file__).parents[2] / "templates"


def draw(source: str, **context: object) -> str:
    return Template(source).render(Context(context))


def test_it_is_there_for_developers(as_jonas: Client, settings):
    settings.DEBUG = True
    response = as_jonas.get("/components")
    assert response.status_code == 200
    assert b"<b>Do not</b>" not in response.content


def test_it_is_not_there_for_others(as_jonas: Client):
    assert as_jonas.get("/components").status_code == 404


def test_our_script_stays_small():
    assert sum(path.stat().st_size for path in STATIC.glob("**/*.js")) < 15_000


@pytest.mark.parametrize("path", sorted(TEMPLATES.glob("**/*.html")), ids=lambda path: path.stem)
def test_no_template_has_inline_styles_or_scripts(path: Path):
    source = path.read_text()
    for forbidden in (" style=", "<style", "onclick=", "onload=", "onsubmit=", "onchange=", "hx-on", "javascript:"):
        assert forbidden not in source
    assert source.count("<script") == source.count("<script src=")


def test_the_stylesheet_names_colours_only_as_tokens():
    source = (STATIC / "app.css").read_text()
    rest = source[source.index("/* ---- base ---- */") : source.index("/* ---- print ---- */")]
    assert set(re.findall(r"#[0-9a-f]{3,8}\b", rest)) <= {"#0000"}


@pytest.mark.parametrize("name", sorted(ICONS))
def test_every_icon_is_hidden_from_screen_readers(name: str):
    assert 'aria-hidden="true"' in draw("{% icon name %}", name=name)


class OneForm(forms.Form):
    email = forms.EmailField(help_text="Where it goes.")


def test_a_field_ties_help_and_error_to_its_control():
    page = draw("{% field form.email %}", form=OneForm({"email": "<nobody>"}))
    assert 'aria-describedby="id_email_help id_email_error"' in page
    assert 'id="id_email_help"' in page
    assert 'id="id_email_error"' in page
    assert 'aria-invalid="true"' in page
    assert "<nobody>" not in page


def test_times_are_short_and_exact():
    now = datetime.now(UTC)
    assert "today " in draw("{% when at %}", at=now)
    assert "<time" in draw("{% when at %}", at=now - timedelta(days=900))
    assert "not yet" in draw('{% when at never="not yet" %}', at=None)


def test_names_are_escaped_in_avatars_and_badges():
    page = draw("{% avatar who %}{% badge text %}", who=User(name='"><i>'), text="<i>")
    assert "<i>" not in page


def test_a_link_shows_itself_to_those_who_may_follow_it(shop: Project, priya: User, jonas: User):
    request = RequestFactory().get(f"/p/{shop.slug}/settings/keys")
    source = '{% nav_link "keys" "API keys" %}'
    for person, shown in ((priya, True), (jonas, False)):
        can = person.memberships.get().abilities
        page = draw(source, project=shop, can=can, request=request)
        assert ("API keys" in page) is shown
        assert ('aria-current="page"' in page) is shown
