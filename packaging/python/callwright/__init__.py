"""Callwright for Python programs: a gateway of their own, and calls read out of text.

The package carries the program ``callwright``; see https://github.com/callwright/callwright for what that does.
"""

from ._gateway import Gateway, start
from ._parse import parse, parse_batch
from ._program import CallwrightError, program
from ._report import Attempt, Call, InvalidCall, Note, Parsed, Report, Violation

__version__ = "0"  # a release writes it

__all__ = [
    "Attempt",
    "Call",
    "CallwrightError",
    "Gateway",
    "InvalidCall",
    "Note",
    "Parsed",
    "Report",
    "Violation",
    "parse",
    "parse_batch",
    "program",
    "start",
]
