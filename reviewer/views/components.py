"""Every component at once, filled, empty and wrong, with long texts and big numbers. For developers."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from reviewer.charts import Contrast, Share
from reviewer.http import UserRequest
from reviewer.icons import ICONS
from reviewer.roles import ABILITIES, Role

LONG = (
    "Promises a refund “within 24 hours” although the policy says 5 to 10 working days, and then repeats it "
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
)
OLD = """# Support
You answer customers of an outdoor shop.
Be kind and short.
Use what the order system says.

## Delivery problems
Look up the order before you answer.
If the status is “exception”, find the reason and the new date. Say what happened in one sentence.
Keep it short.
Never promise a day that the order system did not give.
Offer a person when the customer asks twice."""
SNIPPET = """OTEL_EXPORTER_OTLP_ENDPOINT=https://whetstone.fernwood.example
OTEL_EXPORTER_OTLP_HEADERS=authorization=Bearer%20wk_sec_7Qf2Yc1N0bT5xW9mKpL3vR8sJ4hG6dZaEuIoQnCt"""
NEW = """# Support
You answer customers of an outdoor shop.
Be kind and short.
Use what the order system says.

## Delivery problems
Look up the order before you answer.
If the status is “exception”, tell the customer that the parcel is lost and offer a refund.
Keep it short: two sentences at most.
Never promise a day that the order system did not give.
<b>Do not</b> ask for the order number if it is in the conversation.
Offer a person when the customer asks twice."""


class ExampleForm(forms.Form):
    """One of each control."""

    email = forms.EmailField(label="E-mail", help_text="Where the invitation goes.")
    name = forms.CharField(max_length=80, required=False)
    role = forms.ChoiceField(choices=[(role.value, role.label) for role in Role])
    why = forms.CharField(label="Why? Everyone concerned will read this", widget=forms.Textarea(attrs={"rows": 2}))
    scopes = forms.MultipleChoiceField(
        choices=[("ingest", "Send traces"), ("api", "Read and act through the JSON API")],
        widget=forms.CheckboxSelectMultiple,
        help_text="As few as the app needs.",
    )
    theme = forms.ChoiceField(choices=[("light", "Light"), ("dark", "Dark")], widget=forms.RadioSelect)
    agree = forms.BooleanField(label="Tell everyone in the project", help_text="They get one mail.")

    def clean(self) -> dict[str, Any]:
        self.add_error(None, "This invitation cannot be sent: the project has 3 open ones for this address.")
        return super().clean() or {}


@require_safe
def components(request: UserRequest) -> HttpResponse:
    if not settings.DEBUG:
        raise Http404("This page is for developers: start with WHETSTONE_DEBUG=1.")
    if "toast" in request.GET:
        messages.success(request, "#209 confirmed. Next issue opened.")
        messages.error(request, LONG, extra_tags="stay")
    return render(request, "reviewer/components.html", _examples(request))


def _examples(request: UserRequest) -> dict[str, Any]:
    now = timezone.now()
    wrong = ExampleForm({"email": "amara at fernwood", "name": LONG, "role": "owner"}, auto_id="wrong_%s")
    return {
        "icons": sorted(ICONS),
        "tones": ["bad", "good", "warn", "info", "mute"],
        "form": ExampleForm(auto_id="new_%s"),
        "wrong": wrong,
        "long": LONG,
        "old": OLD,
        "new": NEW,
        "snippet": SNIPPET,
        "me": request.user,
        "times": _times(now),
        "trend": [1, 1, 1, 2, 1, 3, 19, 25, 28, 31, 30, 34, 32, 35],
        "flat": [0, 0, 0, 0],
        "burst": [0, 0, 1, 0, 0, 1, 0, 0, 14, 22, 19, 31, 27, 24, 38, 33, 29, 36, 30, 34, 41, 28, 33, 37, 39, 31],
        "pins": [(8, "v7 live"), (19, "courier link 6.2")],
        "facts": [
            Contrast("Ran support-answer v7", Share(0.99, 0.97, 1), Share(0.62, 0.61, 0.63)),
            Contrast("Order status is “exception”", Share(0.94, 0.91, 0.96), Share(0.06, 0.05, 0.07)),
            Contrast("Courier is Nordpost", Share(0.44, 0.39, 0.49), Share(0.4, 0.38, 0.42), clear=False),
        ],
        "figures": [
            ("Users", "412", "of 9,870"),
            ("Sessions", "1,284,503,992"),
            ("Failing", "7.9%", "7.1 to 8.8"),
            ("Nobody yet", "–"),
        ],
        "groups": [
            ("Pages", [{"title": "API keys", "url": "#jump", "hint": "Fernwood shop"}]),
            ("Issues", [{"title": LONG, "url": "#jump", "hint": "#214"}]),
        ],
        "roles": list(Role),
        "abilities": [
            (ability.label, [role.includes(ability.least) for role in Role]) for ability in ABILITIES.values()
        ],
        "many": range(1, 9),
    }


def _times(now: datetime) -> list[datetime | None]:
    return [now, now - timedelta(days=6), now - timedelta(days=800), None]
