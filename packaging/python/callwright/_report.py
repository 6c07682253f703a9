"""Types of what the gateway and the program say. They are dicts as JSON has them; members without a value are left out."""

from typing import Any, List, Literal, TypedDict


class _NoteAlways(TypedDict):
    rule: str
    """The stable id of the rule, such as ``json.trailing_comma``."""


class Note(_NoteAlways, total=False):
    """One change or finding."""

    fault: str
    """The class of the failure, such as ``F13``."""
    stage: str
    risk: Literal["lossless", "implied", "heuristic"]
    """Absent for a finding, which changes nothing."""
    call: str
    path: str
    was: str
    now: str
    why: str
    observed: bool
    """The change was not made, only found."""
    count: int
    """How many equal notes this one stands for."""


class _AttemptAlways(TypedDict):
    model: str
    mode: str
    duration_ns: int


class Attempt(_AttemptAlways, total=False):
    """One request to one provider."""

    dialect: str
    why: str
    tries: int
    error: str
    kind: str
    key: str
    """The name of the key that was used last, of a provider with several."""
    host: str
    """The host that was asked last, of a provider with several."""


class Violation(TypedDict):
    """One way in which a call breaks its contract."""

    path: str
    keyword: str
    message: str


class _InvalidCallAlways(TypedDict):
    name: str
    raw: str
    violations: List[Violation]


class InvalidCall(_InvalidCallAlways, total=False):
    """A call that was found and not let through."""

    id: str
    why: Literal["undeclared", "truncated", "malformed", "invalid", "beside_native", "refused"]


class _ReportAlways(TypedDict):
    id: str
    model: str
    attempts: List[Attempt]
    notes: List[Note]
    mode: str
    untouched: bool
    confidence: float
    fingerprint: str
    outcome: Literal["passed", "translated", "healed", "failed"]


_ReportClass = TypedDict("_ReportClass", {"class": str}, total=False)  # of the failure that was healed; the name is a word of Python


class Report(_ReportAlways, _ReportClass, total=False):
    """What happened to one request."""

    invalid: List[InvalidCall]
    cached_tokens: int
    cache_hits: int


class Call(TypedDict):
    """A call that satisfies the schema of its tool."""

    name: str
    arguments: Any


class _ParsedAlways(TypedDict):
    content: str
    calls: List[Call]


class Parsed(_ParsedAlways, total=False):
    """What a text holds."""

    id: Any
    reasoning: str
    invalid: List[InvalidCall]
    dialect: str
    notes: List[Note]
    error: str
    """Why the item could not be read; the other members are absent then."""
