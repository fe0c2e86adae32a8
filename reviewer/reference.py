"""The API reference as Markdown, made from the OpenAPI document, so that it says what the code does.

Pure: imports neither Django nor Celery.
"""

from collections.abc import Mapping
from typing import Any


def markdown(document: Mapping[str, Any]) -> str:
    """Every address with its key, its fields and its answers."""
    parts = []
    for address, operations in document["paths"].items():
        for method, operation in operations.items():
            parts.append(_operation(method.upper(), address, operation, document))
    return "\n\n".join(parts)


def _operation(method: str, address: str, operation: Mapping[str, Any], document: Mapping[str, Any]) -> str:
    lines = [f"### {operation.get('summary', address)}", "", f"`{method} {address}`"]
    asked = [(f"{item['name']}", item.get("schema", {})) for item in operation.get("parameters", [])]
    if asked:
        lines += ["", _fields(asked)]
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    if content:
        schema = content["schema"]
        shape = schema.get("oneOf", [schema])[0]
        lines += ["", shape.get("description", ""), "", _fields(shape.get("properties", {}).items())]
    lines += ["", "Answers: " + ", ".join(f"`{status}`" for status in operation["responses"]) + "."]
    return "\n".join(lines)


def _fields(fields: Any) -> str:
    rows = [f"| `{name}` | {_kind(schema)} | {_said(schema)} |" for name, schema in fields]
    return "\n".join(["| Field | Kind | What it is |", "| --- | --- | --- |", *rows])


def _said(schema: Mapping[str, Any]) -> str:
    return str(schema.get("description", "")).replace("|", "\\|").replace("\n", " ")


def _kind(schema: Mapping[str, Any]) -> str:
    names = {"integer": "whole number", "boolean": "yes or no", "array": "list", "string": "text"}
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2].lower()
    options = schema.get("anyOf") or schema.get("oneOf")
    if options:
        told = [_kind(option) for option in options if option.get("type") != "null"]
        return " or ".join(dict.fromkeys(told)) or "any"
    kind = schema.get("type")
    return names.get(kind, str(kind)) if kind else "any"
