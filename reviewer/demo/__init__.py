"""Fernwood, a simulated shop with a support assistant: an application that uses Whetstone as a customer would.

`accounts.py` belongs to the product (its people and its key). Everything else here is the application. It imports
nothing of Whetstone and speaks only HTTP to it: `shop` is its world, `wording` what people write, `artifacts` its
prompts, tools and guardrails, `rules` and `simulator` its "model", `assistant` the application itself, `modes` what is
planted, `plan` and `history` its past, `traffic` its present, `serve` its address.
"""
