"""What is masked, what is not, and that JSON stays JSON."""

import json
import time

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from issues.redact import KINDS, Redactor, check_pattern, luhn, mask_name

SECRETS = Redactor({"secrets"})
ALL = Redactor(set(KINDS), [("Order number", r"ORD-\d{6}"), ("everything after", r"password.*")])
# Put together from pieces, so that no scanner takes this file for a leak.
EXAMPLES = {
    "openai_key": "sk-" + "proj-a1B2c3D4e5F6g7H8i9J0" * 2,
    "anthropic_key": "sk-" + "ant-api03-" + "a1B2c3D4e5F6g7H8" * 4,
    "aws_access_key": "AKIA" + "IOSFODNN7EXAMPLE",
    "google_key": "AIza" + "SyA1234567890abcdefghijklmnopqrstuv",
    "github_token": "ghp_" + "a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8",
    "gitlab_token": "glpat-" + "a1B2c3D4e5F6g7H8i9J0",
    "slack_token": "xoxb-" + "123456789012-abcdefABCDEF",
    "stripe_key": "sk_" + "live_a1B2c3D4e5F6g7H8i9J0a1B2",
    "huggingface_token": "hf_" + "aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH",
    "npm_token": "npm_" + "a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8",
    "pypi_token": "pypi-" + "AgEIcHlwaS5vcmc" + "a1B2c3D4" * 8,
    "langsmith_key": "lsv2_" + "pt_0123456789abcdef0123456789abcdef_0123456789",
    "jwt": "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
}


@pytest.mark.parametrize("kind", EXAMPLES)
@pytest.mark.parametrize("shape", ["{}", "the key is {}, ok", "a\n{}\n", '"{}"', "key={}", "a {} {}"])
def test_a_key_is_masked_and_its_place_is_kept(kind, shape):
    text = shape.replace("{}", EXAMPLES[kind])
    wanted = shape.replace("{}", f"[redacted:{kind}]")
    assert SECRETS.text(text) == (wanted, {kind: shape.count("{}")})
    masked, counts = SECRETS.text(json.dumps({"note": text}))
    assert json.loads(masked) == {"note": wanted}
    masked, counts = SECRETS.text(json.dumps({"note": json.dumps({"inner": text})}))
    assert json.loads(json.loads(masked)["note"]) == {"inner": wanted}
    assert counts == {kind: shape.count("{}")}


def test_a_secret_is_known_by_its_company():
    token = "a1B2c3D4" * 5
    for text, kind in [
        (f"Authorization: Bearer {token}", "bearer_token"),
        (f"curl -H 'authorization: bearer {token}'", "bearer_token"),
        (f"AccountName=x;AccountKey={token}==;", "azure_key"),
        (f'{{"aws_secret_access_key": "{token}"}}', "aws_secret_key"),
        (f'{{"api-key": "{token}"}}', "api_key"),
        (json.dumps({"x": json.dumps({"api_key": token})}), "api_key"),
        (f"postgres://app:{token}@db/x", "url_password"),
    ]:
        masked, counts = SECRETS.text(text)
        assert counts == {kind: 1}, text
        assert token not in masked
        assert f"[redacted:{kind}]" in masked


BLOCK = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIEow+/a1==\nB2c3\n-----END RSA PRIVATE KEY-----"


def test_a_private_key_is_masked_whole_in_text_and_in_json():
    assert SECRETS.text(f"before {BLOCK} after") == ("before [redacted:private_key] after", {"private_key": 1})
    body = {"a": BLOCK, "b": json.dumps({"c": BLOCK + "\n" + BLOCK}), "d": "kept"}
    masked, counts = SECRETS.text(json.dumps(body))
    assert counts == {"private_key": 3}
    found = json.loads(masked)
    assert (found["a"], found["d"]) == ("[redacted:private_key]", "kept")
    assert "MIIE" not in masked


def test_a_private_key_that_was_clipped_is_masked_to_its_last_character():
    masked, _ = SECRETS.text(json.dumps({"a": BLOCK[:70] + "…", "b": "kept"}))
    assert json.loads(masked) == {"a": "[redacted:private_key]…", "b": "kept"}


@pytest.mark.parametrize(
    "text",
    [
        "task-oriented-dialogue-systems-are-hard",
        "risk-management-and-compliance-review",
        "bearer of the responsibilities of office",
        "the sk-learn library",
        "AKIA",
        "eyJ is how base64 of JSON begins",
        "https://example.com/a:b@c",
        "conv-253d34369b54 call_32edJPu7LGDedExFMyjDURJS sophia_taylor_9065",
        '{"start":1793690882263000000,"id":"4111111111111111"}',
    ],
)
def test_ordinary_text_is_left_alone(text):
    assert SECRETS.text(text) == (text, {})


def test_personal_data_is_masked_by_choice():
    text = "Mail bob.smith+x@mail.example.co.uk or call +33 1 23 45 67 89 or (555) 123-4567, card 4111 1111 1111 1111."
    assert SECRETS.text(text) == (text, {})
    masked, counts = ALL.text(text)
    assert masked == "Mail [redacted:email] or call [redacted:phone] or [redacted:phone], card [redacted:card]."
    assert counts == {"email": 1, "phone": 2, "card": 1}
    assert ALL.text(json.dumps({"a": "x\nbob@example.com\x07eve@example.com"}))[0] == json.dumps(
        {"a": "x\n[redacted:email]\x07[redacted:email]"}
    )


def test_half_of_an_escape_is_never_masked():
    for text in ("\n@0.0", "\x07@a.b", "\t@x.yz", "\\n@x.yz"):
        body = json.dumps({"a": text})
        masked, _ = ALL.text(body)
        json.loads(masked)
    assert SECRETS.text(r"C:\sk-a1B2c3D4e5F6g7H8i9J0") == (r"C:\[redacted:openai_key]", {"openai_key": 1})


def test_a_card_needs_its_check_digit_and_an_issuer():
    assert luhn("4111111111111111")
    cards = Redactor({"card"})
    for number in ("4111111111111112", "1793690882263000000", "41111111111111111111", "order 4111-1111"):
        assert cards.text(number) == (number, {})
    for number in ("378282246310005", "5555555555554444", "6011111111111117", "4111-1111-1111-1111"):
        assert cards.text(f"x {number} y") == ("x [redacted:card] y", {"card": 1})


def test_a_card_that_is_a_json_number_becomes_json_text():
    cards = Redactor({"card"})
    masked, _ = cards.text('{"a":"say \\"hi:","n":4111111111111111,"l":[4111111111111111],"s":":4111111111111111,"}')
    mask = "[redacted:card]"
    assert json.loads(masked) == {"a": 'say "hi:', "n": mask, "l": [mask], "s": f":{mask},"}


def test_own_patterns_see_decoded_text_and_leave_the_json_whole():
    body = {"a": "ORD-123456", "b": ['my password is\n"x"', {"c": "é password"}], "n": 5}
    masked, counts = ALL.text(orjson.dumps(body).decode())
    assert json.loads(masked) == {
        "a": "[redacted:order_number]",
        "b": ['my [redacted:everything_after]\n"x"', {"c": "é [redacted:everything_after]"}],
        "n": 5,
    }
    assert counts == {"order_number": 1, "everything_after": 2}
    anchored = Redactor(set(), [("pin", r"^\d{4}$")])
    assert (
        anchored.text('{"a":"1234","b":1234,"c":"12345"}')[0]
        == '{"a":"[redacted:pin]","b":"[redacted:pin]","c":"12345"}'
    )


@pytest.mark.parametrize("pattern", ["", "(", "a*", r"(?=x)y", r"(a)\1", "x" * 501, "[z-a]"])
def test_a_pattern_that_cannot_work_is_explained(pattern):
    assert check_pattern(pattern).endswith(".")


def test_a_good_pattern_has_no_fault_and_names_are_safe_in_a_mask():
    assert check_pattern(r"\bORD-\d{6}\b") == ""
    assert mask_name('My "Order" №1') == "my_order_1"
    assert mask_name("«»") == "pattern"


odd = st.text(alphabet='sk-ant4111 @.x"\\\n\x07é+:,1234567890{}[]', max_size=60)
bodies = st.recursive(
    odd | st.integers() | st.floats(allow_nan=False) | st.sampled_from([*EXAMPLES.values(), 4111111111111111]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(odd, inner, max_size=4),
)


@settings(max_examples=200, deadline=None)
@given(bodies)
def test_masked_json_is_still_json(value):
    value = {"value": value} if not isinstance(value, dict | list) else value
    try:
        text = orjson.dumps(value).decode()
    except TypeError:  # an integer beyond 64 bits
        return
    for redactor in (ALL, SECRETS, Redactor(set(KINDS))):
        json.loads(redactor.text(text)[0])


def test_a_hostile_text_takes_linear_time():
    for piece in ("sk-", "a@", "+1 (", "-----BEGIN PRIVATE KEY-----", "4111 ", "eyJa.", "\\", "x://a:"):
        text = piece * (400_000 // len(piece))
        began = time.process_time()
        ALL.text(text)
        assert time.process_time() - began < 5, piece
