"""What people type about telemetry, checked."""

from typing import Any

from django import forms

from issues.models import IntakeRules, SignalName
from issues.redact import KINDS, check_pattern

MOST_PATTERNS = 20
CODE = {"rows": 4, "spellcheck": "false", "class": "mono"}
KIND_LABELS = {
    "secrets": "Secrets: keys of well-known providers, bearer tokens, private keys, passwords in addresses",
    "email": "E-mail addresses",
    "phone": "Phone numbers",
    "card": "Card numbers, where the check digit is right",
}


class DirectionForm(forms.Form):
    """Which direction of a signal is good."""

    higher_is_good = forms.TypedChoiceField(
        choices=[("yes", "higher is good"), ("no", "lower is good")], coerce=lambda word: word == "yes", required=False
    )
    good_values = forms.CharField(required=False, max_length=4_000)

    def __init__(self, *args: Any, name: SignalName, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        needed = "good_values" if name.kind == "category" else "higher_is_good"
        for other in set(self.fields) - {needed}:
            del self.fields[other]
        if needed == "higher_is_good":
            self.fields[needed].required = True

    def clean_good_values(self) -> list[str]:
        words = (word.strip() for word in self.cleaned_data["good_values"].replace("\n", ",").split(","))
        return list(dict.fromkeys(word for word in words if word))[:50]


class IntakeForm(forms.Form):
    """A project's rules for what comes in."""

    masked_kinds = forms.MultipleChoiceField(
        label="Mask before storing",
        choices=[(kind, KIND_LABELS[kind]) for kind in KINDS],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    patterns = forms.CharField(
        label="Own patterns",
        required=False,
        max_length=20_000,
        widget=forms.Textarea(attrs={**CODE, "placeholder": "order number = FW-[0-9]{5}"}),
        help_text="One a line: a name, an equals sign, a regular expression. Look-around and back-references are not "
        "available, so that no text can make it slow.",
    )
    keep_days = forms.IntegerField(
        label="Keep traces for",
        min_value=0,
        max_value=36_500,
        help_text="Days, counted from when a trace arrived. 0 keeps them for good. Old traces go week by week.",
    )
    production = forms.CharField(
        label="Production environments",
        required=False,
        max_length=2_000,
        help_text="Names with commas between them. Failures elsewhere are shown, but do not count.",
    )
    unnamed = forms.BooleanField(label="Traces that name no environment are production too", required=False)

    @classmethod
    def of(cls, rules: IntakeRules) -> "IntakeForm":
        """The form as the rules stand."""
        return cls(
            initial={
                "masked_kinds": rules.masked_kinds,
                "patterns": "\n".join(f"{item['name']} = {item['pattern']}" for item in rules.patterns),
                "keep_days": rules.keep_days,
                "production": ", ".join(name for name in rules.production if name),
                "unnamed": "" in rules.production,
            }
        )

    def clean_patterns(self) -> list[dict[str, str]]:
        found: dict[str, str] = {}
        for number, line in enumerate(self.cleaned_data["patterns"].splitlines(), 1):
            if not line.strip():
                continue
            name, equals, pattern = (part.strip() for part in line.partition("="))
            if not (equals and name and pattern):
                raise forms.ValidationError(f"Line {number}: write a name, an equals sign and the pattern.")
            if len(name) > 60 or name in found:
                raise forms.ValidationError(f"Line {number}: the name is too long, or stands there twice.")
            if fault := check_pattern(pattern):
                raise forms.ValidationError(f"Line {number}: {fault}")
            found[name] = pattern
        if len(found) > MOST_PATTERNS:
            raise forms.ValidationError(f"At most {MOST_PATTERNS} patterns; each costs time on every request.")
        return [{"name": name, "pattern": pattern} for name, pattern in found.items()]

    def clean_production(self) -> list[str]:
        names = (name.strip()[:200] for name in self.cleaned_data["production"].split(","))
        return list(dict.fromkeys(name for name in names if name))

    def values(self) -> dict[str, Any]:
        """What the rules should be from now on."""
        data = dict(self.cleaned_data)
        if data.pop("unnamed"):
            data["production"] = [*data["production"], ""]
        return data


class TryForm(forms.Form):
    """A text to see masked; it is not stored."""

    text = forms.CharField(
        label="Text",
        max_length=20_000,
        strip=False,
        widget=forms.Textarea(attrs=CODE),
    )
