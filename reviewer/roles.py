"""Who may do what: the one table that pages, API, tests and documentation share.

Pure: imports neither Django nor Celery.
"""

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """A person's place in one project; each role includes the ones before it."""

    VIEWER = "viewer"
    REVIEWER = "reviewer"
    ADMIN = "admin"

    @property
    def label(self) -> str:
        return {"viewer": "Viewer", "reviewer": "Reviewer", "admin": "Admin"}[self.value]

    @property
    def meaning(self) -> str:
        return {
            "viewer": "Product managers and anyone who reads along",
            "reviewer": "Domain experts who decide what is a real problem",
            "admin": "Those who ship, roll back, and look after keys and people",
        }[self.value]

    def includes(self, other: "Role") -> bool:
        order = list(Role)
        return order.index(self) >= order.index(other)


@dataclass(frozen=True)
class Ability:
    """One thing a person may do, the least role for it, and how we say it."""

    name: str
    least: Role
    label: str


ABILITIES: dict[str, Ability] = {
    ability.name: ability
    for ability in (
        Ability("read", Role.VIEWER, "Read everything in the project"),
        Ability("comment", Role.VIEWER, "Comment"),
        Ability("export", Role.VIEWER, "Export"),
        Ability("save_view", Role.VIEWER, "Save views"),
        Ability("decide", Role.REVIEWER, "Confirm or reject causes and issues"),
        Ability("merge", Role.REVIEWER, "Merge issues"),
        Ability("split", Role.REVIEWER, "Split issues"),
        Ability("flag", Role.REVIEWER, "Flag traces"),
        Ability("draft_change", Role.REVIEWER, "Draft changes"),
        Ability("run_experiment", Role.REVIEWER, "Run experiments"),
        Ability("set_weights", Role.ADMIN, "Set impact weights and detectors"),
        Ability("move_label", Role.ADMIN, "Move protected labels"),
        Ability("override_gate", Role.ADMIN, "Override a gate, with a reason"),
        Ability("ship", Role.ADMIN, "Ship a release"),
        Ability("roll_back", Role.ADMIN, "Roll back"),
        Ability("manage_keys", Role.ADMIN, "Manage API keys"),
        Ability("manage_people", Role.ADMIN, "Manage people and project settings"),
        Ability("read_audit", Role.ADMIN, "Read the audit log"),
    )
}


def may(role: Role | str, ability: str) -> bool:
    """True when this role includes the ability; an unknown ability is a programming error."""
    return Role(role).includes(ABILITIES[ability].least)


@dataclass(frozen=True)
class Scope:
    """What an API key may be used for."""

    name: str
    label: str


SCOPES: dict[str, Scope] = {
    scope.name: scope
    for scope in (
        Scope("ingest", "Send traces, feedback and rollouts"),
        Scope("prompts:read", "Fetch prompts, tools and guardrails"),
        Scope("prompts:write", "Create versions and move unprotected labels"),
        Scope("api", "Read and act through the JSON API"),
    )
}
