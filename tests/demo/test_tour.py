"""The tour and the progress line: in demo mode only, never in the way, gone when told so."""

import pytest
from django.test import Client

from reviewer.demo.accounts import ensure_demo_accounts
from reviewer.demo.status import write_status
from reviewer.demo.tour import STEPS
from reviewer.home import Home
from reviewer.models import User
from tests import make

pytestmark = pytest.mark.django_db
HOME = "/p/fernwood"


@pytest.fixture
def demo(settings, tmp_path) -> Client:
    """Jonas, a viewer, in the demo."""
    settings.DEMO, settings.HOME = True, Home(tmp_path)
    ensure_demo_accounts()
    client = Client()
    client.force_login(User.objects.get(email="jonas@fernwood.example"))
    return client


def page(client: Client, path: str = HOME) -> str:
    return client.get(path).content.decode()


def test_five_steps_each_on_a_page_a_viewer_may_open(demo):
    assert len(STEPS) == 5
    for number, step in enumerate(STEPS, 1):
        shown = demo.post("/demo/tour", {"step": str(number)}, follow=True)
        assert shown.status_code == 200
        assert (
            shown.request["PATH_INFO"] + (f"?{shown.request['QUERY_STRING']}" if shown.request["QUERY_STRING"] else "")
            == step.url
        )
        text = shown.content.decode()
        assert f"Tour {number} of 5" in text
        assert step.title in text
        assert len(step.text) < 180


def test_it_opens_by_itself_and_stays_closed_once_closed(demo):
    assert "Tour 1 of 5" in page(demo)
    assert "Take the tour" not in page(demo)
    shown = demo.post("/demo/tour", {"step": "0", "back": f"{HOME}/traces"})
    assert shown["Location"] == f"{HOME}/traces"
    for path in (HOME, f"{HOME}/traces"):
        assert "Tour 1 of 5" not in page(demo, path)
    assert "Take the tour" in page(demo)
    demo.post("/demo/tour", {"step": "1"})
    assert "Tour 1 of 5" in page(demo)


def test_the_last_step_ends_and_no_step_has_a_filled_button(demo):
    shown = demo.post("/demo/tour", {"step": "5"}, follow=True).content.decode()
    tour = shown.partition("Tour of the demo")[2].partition("</section>")[0]
    assert "Done" in tour
    assert "Next" not in tour
    assert "primary" not in tour


@pytest.mark.parametrize("word", ["", "6", "99", "-1", "x", "1" * 400, "²"])
def test_an_odd_step_closes_it(demo, word):
    assert demo.post("/demo/tour", {"step": word}).status_code == 302
    assert "Tour of the demo" not in page(demo)


@pytest.mark.parametrize(
    "back", ["https://elsewhere.example", "//elsewhere.example", "/p/fernwood\\@x", "/p/other", "/\\x"]
)
def test_closing_never_leaves_the_product(demo, back):
    assert demo.post("/demo/tour", {"step": "0", "back": back})["Location"] == HOME


def test_each_person_has_a_place_of_their_own(demo):
    demo.post("/demo/tour", {"step": "0"})
    other = Client()
    other.force_login(User.objects.get(email="amara@fernwood.example"))
    assert "Tour 1 of 5" in page(other)


def test_outside_the_demo_there_is_none_of_it(as_jonas, settings, tmp_path):
    settings.HOME = Home(tmp_path)
    write_status(settings.HOME.demo, {"sent": 5, "of": 50, "done": False})
    text = page(as_jonas)
    assert "Tour of the demo" not in text
    assert "demo.css" not in text
    assert "filling" not in text
    assert as_jonas.post("/demo/tour", {"step": "1"}).status_code == 404
    assert as_jonas.get("/demo/progress").status_code == 404


def test_another_project_of_a_demo_instance_is_left_alone(demo):
    other = make.project("own-shop", "Own shop")
    person = make.member(other, "admin")
    client = Client()
    client.force_login(person)
    assert "Tour of the demo" not in page(client, "/p/own-shop")
    assert client.post("/demo/tour", {"step": "1"}).status_code == 404


def test_the_line_tells_how_far_the_history_is_until_it_is_there(demo, settings):
    assert 'id="filling"' not in page(demo)
    write_status(settings.HOME.demo, {"sent": 1250, "of": 5018, "done": False})
    assert "1,250 of 5,018 conversations" in page(demo)
    assert 'value="1250" max="5018"' in demo.get("/demo/progress").content.decode()
    write_status(settings.HOME.demo, {"sent": 5018, "of": 5018, "done": True})
    assert 'id="filling"' not in page(demo)
    last = demo.get("/demo/progress").content.decode()
    assert "5,018 conversations" in last
    assert "hx-get" not in last


def test_a_broken_status_file_breaks_no_page(demo, settings):
    settings.HOME.demo.mkdir()
    (settings.HOME.demo / "history.json").write_text("{")
    assert demo.get(HOME).status_code == 200
    assert demo.get("/demo/progress").status_code == 200


def test_the_tour_refuses_get_and_progress_refuses_post(demo):
    assert demo.get("/demo/tour").status_code == 405
    assert demo.post("/demo/progress").status_code == 405
