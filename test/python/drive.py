"""Holds conversations through Python clients.

    python drive.py < CHECKS

CHECKS is a list of objects as JSON: name, client (MODULE:FUNCTION), base, key, model, stream, prompt. For each, a line of JSON is written to
standard output: what the client made of the answers. What it should have been is not decided here.
"""

import asyncio
import contextlib
import faulthandler
import gc
import importlib
import inspect
import json
import logging
import sys
import time
import warnings

from talk import Talk

# MOST is how many seconds a conversation may take. The program ends then, and says where it stands.
MOST = 60


def hold(check):
    """Holds one conversation and returns its outcome."""
    talk = Talk(check["base"], check["key"], check["model"], check["stream"], check["prompt"])
    outcome = {"name": check["name"], "calls": talk.calls}
    began = time.perf_counter()
    try:
        module, function = check["client"].split(":")
        run = getattr(importlib.import_module(module), function)
        if inspect.iscoroutinefunction(run):
            asyncio.run(run(talk))
        else:
            run(talk)
    except Exception as e:
        outcome["error"] = f"{type(e).__module__}.{type(e).__qualname__}: {e}".replace("\n", " ")[:500]
    outcome.update(text="".join(talk.pieces), pieces=len(talk.pieces), seconds=round(time.perf_counter() - began, 3))
    return outcome


def main():
    # Garbage is collected between conversations: some clients leave streams open, and httpcore locks up where one is closed while it makes a connection.
    gc.disable()
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    out = sys.stdout
    for check in json.load(sys.stdin):
        faulthandler.dump_traceback_later(MOST, exit=True)
        with contextlib.redirect_stdout(sys.stderr):  # clients that print
            outcome = hold(check)
        faulthandler.cancel_dump_traceback_later()
        gc.collect()
        gc.freeze()  # what is left, most of it modules, is not looked at again
        print(json.dumps(outcome, default=repr), file=out, flush=True)


if __name__ == "__main__":
    main()
