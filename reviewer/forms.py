"""What people type, checked: each form belongs to one page or one action."""

from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password

from reviewer.models import Project, User
from reviewer.roles import SCOPES, Role

ROLES = [(role.value, role.label) for role in Role]
EMAIL = {"autocomplete": "username", "inputmode": "email", "spellcheck": "false"}
OLD_PASSWORD = {"autocomplete": "current-password"}
NEW_PASSWORD = {"autocomplete": "new-password"}
HOW_LONG = "At least 10 characters. A few words in a row are good."


class OldPassword(forms.CharField):
    def __init__(self, label: str = "Password") -> None:
        super().__init__(label=label, max_length=1000, strip=False, widget=forms.PasswordInput(attrs=OLD_PASSWORD))


class NewPassword(forms.CharField):
    def __init__(self, label: str = "Password") -> None:
        widget = forms.PasswordInput(attrs=NEW_PASSWORD)
        super().__init__(label=label, max_length=1000, strip=False, widget=widget, help_text=HOW_LONG)


class PasswordForm(forms.Form):
    """Checks `password` against the rules and against what the person is called."""

    password = NewPassword()

    def __init__(self, *args: Any, user: User | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if password := data.get("password"):
            known = self.user or User(email=data.get("email", ""), name=data.get("name", ""))
            try:
                validate_password(password, known)
            except forms.ValidationError as errors:
                self.add_error("password", errors)
        return data


class SignInForm(forms.Form):
    email = forms.EmailField(label="E-mail", widget=forms.EmailInput(attrs={**EMAIL, "autofocus": True}))
    password = OldPassword()


class ForgotForm(forms.Form):
    email = forms.EmailField(label="E-mail", widget=forms.EmailInput(attrs={**EMAIL, "autofocus": True}))


class JoinForm(PasswordForm):
    """A new person who was invited; the invitation knows the e-mail."""

    name = forms.CharField(label="Your name", max_length=120, widget=forms.TextInput(attrs={"autocomplete": "name"}))
    field_order = ["name", "password"]


class FirstAdminForm(PasswordForm):
    name = forms.CharField(label="Your name", max_length=120, widget=forms.TextInput(attrs={"autocomplete": "name"}))
    email = forms.EmailField(label="E-mail", widget=forms.EmailInput(attrs=EMAIL))
    project_name = forms.CharField(
        label="First project", max_length=80, help_text="The app you want to look after, for example “Support bot”."
    )
    field_order = ["name", "email", "password", "project_name"]


class AccountForm(forms.ModelForm):
    class Meta:
        model = User
        fields = ["name", "theme"]
        labels = {"name": "Your name", "theme": "Theme"}
        widgets = {"name": forms.TextInput(attrs={"autocomplete": "name"}), "theme": forms.RadioSelect}


class ChangePasswordForm(PasswordForm):
    current = OldPassword("Current password")
    password = NewPassword("New password")
    field_order = ["current", "password"]


class NewProjectForm(forms.ModelForm):
    slug = forms.CharField(
        label="Short name",
        max_length=40,
        required=False,
        validators=Project._meta.get_field("slug").validators,
        help_text="Used in addresses and cannot change later. Left empty, the name gives one.",
        widget=forms.TextInput(attrs={"spellcheck": "false", "autocapitalize": "none"}),
    )

    class Meta:
        model = Project
        fields = ["name"]
        labels = {"name": "Name"}


class RenameProjectForm(forms.ModelForm):
    class Meta:
        model = Project
        fields = ["name"]
        labels = {"name": "Name"}


class InviteForm(forms.Form):
    email = forms.EmailField(
        label="E-mail", widget=forms.EmailInput(attrs={"autocomplete": "off", "placeholder": "name@company.example"})
    )
    role = forms.ChoiceField(label="Role", choices=ROLES, initial=Role.REVIEWER)


class RoleForm(forms.Form):
    role = forms.ChoiceField(choices=ROLES)


class KeyForm(forms.Form):
    name = forms.CharField(label="Name", max_length=80, help_text="Where it is used, for example “Production”.")
    scopes = forms.MultipleChoiceField(
        label="May",
        choices=[(scope.name, f"{scope.label} ({scope.name})") for scope in SCOPES.values()],
        widget=forms.CheckboxSelectMultiple,
        initial=["ingest"],
        error_messages={"required": "Choose at least one thing the key may do."},
    )
