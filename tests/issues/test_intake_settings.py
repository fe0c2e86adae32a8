"""What a project says about its intake."""

import pytest

from issues.models import IntakeRules
from issues.receive import receive
from issues.record import Parsed
from reviewer.models import Audit
from tests.make_traces import span, trace

URL = "/p/fernwood/settings/intake"
RULES = {"masked_kinds": ["secrets", "email"], "patterns": "order = FW-[0-9]{5}", "keep_days": "30",
         "production": "live, prod", "unnamed": "on"}  # fmt: skip


def test_without_a_change_secrets_are_masked_and_traces_kept_for_90_days(as_priya, shop):
    form = as_priya.get(URL).context["form"]
    assert form.initial["masked_kinds"] == ["secrets"]
    assert form.initial["keep_days"] == 90
    assert not IntakeRules.objects.exists()


def test_an_admin_changes_the_rules_and_the_log_says_so(as_priya, shop):
    assert as_priya.post(URL, RULES).status_code == 302
    rules = IntakeRules.objects.get(project=shop)
    assert rules.masked_kinds == ["secrets", "email"]
    assert rules.patterns == [{"name": "order", "pattern": "FW-[0-9]{5}"}]
    assert (rules.keep_days, rules.production) == (30, ["live", "prod", ""])
    assert "what is masked" in Audit.objects.get(verb="changed the intake rules of").detail["changed"]
    as_priya.post(URL, RULES)
    assert Audit.objects.count() == 1
    assert as_priya.get(URL).context["form"].initial["production"] == "live, prod"


def test_the_rules_hold_for_what_arrives_from_then_on(as_priya, shop):
    as_priya.post(URL, RULES)
    receive(shop.pk, Parsed([span("t", "1", input="Order FW-20418 for lea@fernwood.example")]))
    page = as_priya.get("/p/fernwood/traces/t").content.decode()
    assert "FW-20418" not in page
    assert "lea@" not in page
    assert "1 order" in page
    assert dict(as_priya.get(URL).context["lately"]) == {"email": 1, "order": 1}


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"patterns": "no equals sign"}, "Line 1: write a name"),
        ({"patterns": "a = x\nb = (unclosed"}, "Line 2: The pattern was refused"),
        ({"patterns": "a = (?=x)"}, "Line 1: The pattern was refused"),
        ({"patterns": "a = x*"}, "matches empty text"),
        ({"patterns": "a = x\na = y"}, "twice"),
        ({"patterns": "\n".join(f"p{n} = x{n}" for n in range(30))}, "At most 20"),
        ({"keep_days": "-1"}, "greater than or equal to 0"),
        ({"masked_kinds": ["faces"]}, "faces"),
    ],
)
def test_what_cannot_be_used_is_explained_and_not_kept(as_priya, shop, wrong, why):
    response = as_priya.post(URL, RULES | wrong)
    assert response.status_code == 422
    assert why in response.content.decode()
    assert not IntakeRules.objects.exists()


def test_a_text_can_be_tried_and_is_not_stored(as_priya, shop):
    as_priya.post(URL, RULES)
    text = "Write to lea@fernwood.example about FW-20418"
    response = as_priya.post(URL + "/try", {"text": text})
    assert response.context["masked"] == "Write to [redacted:email] about [redacted:order]"
    assert response.context["counts"] == [("email", 1), ("order", 1)]
    part = as_priya.post(URL + "/try", {"text": text}, headers={"HX-Request": "true", "HX-Target": "tried"})
    assert b"<html" not in part.content
    assert as_priya.post(URL + "/try", {"text": ""}).status_code == 422


def test_nobody_else_sees_or_changes_them(as_amara, shop):
    trace(shop, "one")
    assert as_amara.get(URL).status_code == 403
    assert as_amara.post(URL, RULES).status_code == 403
