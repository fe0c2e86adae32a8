"""The real clients, as their makers publish them, talking to the product over HTTP."""
