"""The API's documentation as a page of the panel: every route, who may use it, and its body; nothing from elsewhere."""

from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute

from controller.api.auth import permission_of
from controller.api.roles import roles_of


def documented(app: FastAPI, routes: Iterator[tuple[str, APIRoute]]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Routes by tag, in the order of the document."""
    document = app.openapi()
    groups: dict[str, list[dict[str, Any]]] = {}
    for number, (path, route) in enumerate(routes):
        for method in sorted(route.methods or ()):
            permission = permission_of(route)
            operation = document["paths"][path.replace(":path}", "}")][method.lower()]
            groups.setdefault(str(route.tags[0]) if route.tags else _tag(operation), []).append(
                {
                    "id": f"{number}-{method.lower()}",
                    "method": method,
                    "path": path,
                    "summary": operation.get("summary", ""),
                    "roles": ", ".join(roles_of(permission)) if permission is not None else "",
                    "status": route.status_code,
                    "body": _body(document, operation),
                }
            )
    return list(groups.items())


def _tag(operation: dict[str, Any]) -> str:
    return str(operation.get("tags", [""])[0])


def _body(document: dict[str, Any], operation: dict[str, Any]) -> dict[str, Any] | None:
    """The properties of a body, with what each must be."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if content is None:
        return None
    name = content["schema"].get("$ref", "").rpartition("/")[2]
    found: dict[str, Any] = document["components"]["schemas"].get(name, {}).get("properties", {})
    return found or None
