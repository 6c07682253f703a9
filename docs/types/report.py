# The report of a request to a gateway, as GET /callwright/reports/{id} answers. Written by go run ./internal/reporttypes: do not edit.
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict


class Violation(TypedDict):
    path: str
    keyword: str
    message: str


class InvalidCall(TypedDict):
    name: str
    id: NotRequired[str]
    why: NotRequired[Literal["undeclared", "truncated", "malformed", "invalid", "beside_native", "refused"]]
    raw: str
    violations: list[Violation]


class Note(TypedDict):
    rule: str
    fault: NotRequired[str]
    stage: NotRequired[str]
    risk: NotRequired[Literal["lossless", "implied", "heuristic"]]
    call: NotRequired[str]
    path: NotRequired[str]
    was: NotRequired[str]
    now: NotRequired[str]
    why: NotRequired[str]
    observed: NotRequired[bool]
    count: NotRequired[int]


class Attempt(TypedDict):
    model: str
    mode: Literal["", "native", "json_schema", "json_object", "text", "parsed"]
    dialect: NotRequired[str]
    why: NotRequired[str]
    duration_ns: int
    tries: NotRequired[int]
    error: NotRequired[str]
    kind: NotRequired[Literal["invalid_request", "invalid_schema", "context_length", "unsupported", "content_filter", "authentication", "billing", "permission", "not_found", "timeout", "conflict", "too_large", "unsupported_media", "invalid_tool_call", "missing_tool_call", "tool_use_failed", "change_needed", "rate_limited", "canceled", "internal", "bad_answer", "truncated", "provider_error", "unavailable", "overloaded", "shutting_down", "not_implemented", "previous_response_not_found"]]
    key: NotRequired[str]
    host: NotRequired[str]


Report = TypedDict("Report", {
    "id": str,
    "model": str,
    "attempts": list[Attempt],
    "notes": list[Note],
    "invalid": NotRequired[list[InvalidCall]],
    "mode": Literal["", "native", "json_schema", "json_object", "text", "parsed"],
    "untouched": bool,
    "confidence": float,
    "fingerprint": str,
    "cached_tokens": NotRequired[int],
    "cache_hits": NotRequired[int],
    "outcome": Literal["", "passed", "translated", "healed", "failed", "answered", "unfinished"],
    "class": NotRequired[str],
})
