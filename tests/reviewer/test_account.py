"""A person's own account."""

from reviewer.models import Audit


def test_name_and_theme_are_saved(as_amara, amara):
    assert as_amara.post("/account", {"name": "Amara O.", "theme": "dark"})["Location"] == "/account"
    amara.refresh_from_db()
    assert (amara.name, amara.theme) == ("Amara O.", "dark")
    assert 'data-theme="dark"' in as_amara.get("/account").content.decode()
    assert Audit.objects.get(verb="renamed").detail == {"from": "Amara Osei", "to": "Amara O."}


def test_saving_the_same_changes_nothing(as_amara, amara):
    as_amara.post("/account", {"name": amara.name, "theme": amara.theme})
    assert not Audit.objects.exists()


def test_an_empty_name_and_an_unknown_theme_are_refused(as_amara, amara):
    response = as_amara.post("/account", {"name": "", "theme": "pink"})
    assert response.status_code == 422
    amara.refresh_from_db()
    assert amara.name == "Amara Osei"


def test_it_lists_the_projects_with_roles(as_amara):
    page = as_amara.get("/account").content.decode()
    assert "Fernwood shop" in page
    assert "Reviewer" in page


def test_only_admins_are_offered_a_new_project(as_priya, as_amara):
    assert "/projects/new" in as_priya.get("/account").content.decode()
    assert "/projects/new" not in as_amara.get("/account").content.decode()


def test_markup_in_a_name_stays_text(as_amara):
    as_amara.post("/account", {"name": "<script>alert(1)</script>", "theme": "system"})
    page = as_amara.get("/account").content.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page


def test_an_empty_page_takes_four_queries(as_amara, django_assert_max_num_queries):
    with django_assert_max_num_queries(4):
        assert as_amara.get("/account").status_code == 200
