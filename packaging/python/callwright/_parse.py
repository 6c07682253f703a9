import json
import subprocess
from typing import Any, Iterable, List, Mapping, Optional, Sequence, cast

from ._program import CallwrightError, program
from ._report import Parsed


def parse(text: str, tools: Optional[Sequence[Mapping[str, Any]]] = None, **members: Any) -> Parsed:
    """Reads the calls out of a text that a model printed. tools are declared as in OpenAI's chat completions.

    members are further ones of a line of ``callwright parse --batch``: model, dialect, context, native_calls. Raises CallwrightError where the item cannot be read.
    """
    parsed = parse_batch([{"text": text, **({} if tools is None else {"tools": list(tools)}), **members}])[0]
    if "error" in parsed:
        raise CallwrightError(parsed["error"])
    return parsed


def parse_batch(items: Iterable[Mapping[str, Any]]) -> List[Parsed]:
    """Reads calls out of many texts by one run of the program. Each item has the members of a line of ``callwright parse --batch``; the result of one that cannot be read
    has the member error."""
    lines = [json.dumps(item) + "\n" for item in items]
    if not lines:
        return []
    done = subprocess.run([program(), "parse", "--batch"], input="".join(lines), capture_output=True, encoding="utf-8")
    out = [cast(Parsed, json.loads(line)) for line in done.stdout.splitlines()]
    if len(out) != len(lines):
        raise CallwrightError(f"callwright parse read {len(out)} of {len(lines)} items: {done.stderr.strip()}")
    return out
