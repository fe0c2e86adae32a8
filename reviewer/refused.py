"""What a step raises when a rule forbids it: one class a rule, its text a sentence for the person."""


class Refused(Exception):
    """A rule was kept. The view shows the sentence; `status` is for callers that speak HTTP."""

    status = 409
