"""Reads the fixtures of canitoolcall (https://github.com/redd34/canitoolcall), a suite for parsers of tool calls, with callwright.

    uv run --no-project --with canitoolcall==0.1.1 python test/suites/read_fixtures.py BINARY

BINARY is the program callwright. Each fixture is an output of a model with the calls, the text and the reasoning that it holds. All are read by
`callwright parse`, whole, by characters and in pieces, and through `callwright serve` from an upstream that sends the output as text, whole and
streamed. It fails where another fixture than those of DIFFERENT and SERVED is not read as the suite wants, or `callwright parse` reads one of
DIFFERENT so.
"""

import collections
import http.client
import http.server
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request

import canitoolcall

# The fixtures that are read otherwise, with the reason.
REPAIRED = "a brace that is missing before the mark that ends the call is repaired"
CLOSED = "closed values without the closing mark of the call are a call, where no finish reason says that the output was cut"
DIFFERENT = {
    "deepseek/vllm-v3-malformed-missing-brace": REPAIRED,
    "deepseek/vllm-v3-malformed-missing-call-tokens": REPAIRED,
    "qwen3-hermes/vllm-invalid-json-missing-brace": REPAIRED,
    "gemma4/truncated-before-close": CLOSED,
    "glm/glm47-truncated-before-close-call": CLOSED,
    "llama/l4-truncated-missing-close-bracket": "the whole calls before the one that was cut are calls",
    "qwen3-xml/bug-coder-text-after-call": "texts on two sides of a call are joined by a line break",
}

# Those that are read otherwise by the gateway alone.
SERVED = {"gpt-oss/llamacpp-builtin-python-recipient": "a call of a tool that is not declared is an error"}


def fixtures():
    """Yields the fixtures, each with the text that its prompt ends with."""
    root = pathlib.Path(canitoolcall.__file__).parent / "_data" / "fixtures"
    for family in sorted(path.parent for path in root.glob("*/family.json")):
        about = json.loads((family / "family.json").read_text())
        prompts = {m["repo"]: m.get("default_generation_prompt") or "" for m in about["reference_models"]}
        for lines in sorted(family.glob("*.jsonl")):
            for line in lines.read_text().splitlines():
                fixture = json.loads(line)
                if fixture.get("generation_prompt") is None:
                    fixture["generation_prompt"] = prompts.get(fixture["models"][0], "")
                yield fixture


def is_primed(fixture):
    """Reports whether the prompt of a fixture opens the reasoning."""
    return fixture["generation_prompt"].rstrip().endswith(("<think>", "<|open|>think<|sep|>"))


def is_cut(fixture):
    """Reports whether the output of a fixture was cut."""
    return any("truncat" in tag for tag in fixture["tags"])


def words(text):
    return " ".join((text or "").split())


def is_right(fixture, calls, content, reasoning):
    """Reports whether an output was read as the fixture wants. calls are pairs of a name and arguments. White space is collapsed in texts."""
    want = fixture.get("expected")
    if want is None:
        return not calls
    wanted = [[c["name"], c["arguments"]] for c in want.get("tool_calls") or []]
    same = json.dumps(wanted, sort_keys=True) == json.dumps([list(c) for c in calls], sort_keys=True)
    return same and words(want.get("content")) == words(content) and words(want.get("reasoning_content")) == words(reasoning)


def pieces(text, size):
    return [text[i : i + size] for i in range(0, len(text), size)] or [""]


def parsed(binary, all_fixtures, size):
    """Reads all fixtures by callwright parse, in pieces of a size, or whole for 0. Yields whether each was read right."""
    lines = []
    for f in all_fixtures:
        line = {"id": f["id"], "tools": f["tools"], "model": f["models"][0], "context": {"reasoning_primed": is_primed(f)}}
        if size:
            line["chunks"] = pieces(f["raw_output"], size)
        else:
            line["text"] = f["raw_output"]
        lines.append(json.dumps(line))
    done = subprocess.run([binary, "parse", "--batch"], input="\n".join(lines), capture_output=True, text=True, check=True)
    for f, line in zip(all_fixtures, done.stdout.splitlines(), strict=True):
        out = json.loads(line)
        assert out["id"] == f["id"], out
        yield is_right(f, [(c["name"], c.get("arguments")) for c in out["calls"]], out["content"], out["reasoning"])


class Upstream(http.server.BaseHTTPRequestHandler):
    """Answers chat completions with the output of the fixture that the last message names. One that is cut ends at the limit of tokens."""

    protocol_version = "HTTP/1.1"
    outputs: dict = {}

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.answer(404, "application/json", b'{"error":{"message":"not found"}}')

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked = next((m["content"] for m in reversed(request.get("messages", [])) if m["role"] == "user"), None)
        if asked not in self.outputs:
            self.answer(404, "application/json", b'{"error":{"message":"not found"}}')
            return
        text, finish = self.outputs[asked]
        head = {"id": "chatcmpl-1", "created": 1, "model": request["model"]}
        if not request.get("stream"):
            choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
            self.answer(200, "application/json", json.dumps({**head, "object": "chat.completion", "choices": [choice]}).encode())
            return
        deltas = [({"content": p}, None) for p in pieces(text, 5)] + [({}, finish)]
        chunks = [{**head, "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": d, "finish_reason": end}]} for d, end in deltas]
        body = "".join(f"data: {json.dumps(c)}\n\n" for c in chunks) + "data: [DONE]\n\n"
        self.answer(200, "text/event-stream", body.encode())

    def answer(self, status, kind, body):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def message(response, stream):
    """Puts the calls, the text and the reasoning of an answer together."""
    calls, content, reasoning = collections.OrderedDict(), "", ""
    if not stream:
        said = json.load(response)["choices"][0]["message"]
        made = [(c["function"]["name"], json.loads(c["function"]["arguments"])) for c in said.get("tool_calls") or []]
        return made, said.get("content"), said.get("reasoning_content") or said.get("reasoning")
    for line in response.read().decode().split("\n"):
        if not line.startswith("data: {"):
            continue
        for choice in json.loads(line[len("data: ") :]).get("choices", []):
            delta = choice["delta"]
            content += delta.get("content") or ""
            reasoning += delta.get("reasoning_content") or delta.get("reasoning") or ""
            for c in delta.get("tool_calls") or []:
                call = calls.setdefault(c["index"], ["", ""])
                call[0] += c["function"].get("name") or ""
                call[1] += c["function"].get("arguments") or ""
    return [(name, json.loads(arguments)) for name, arguments in calls.values()], content, reasoning


def served(binary, all_fixtures, stream):
    """Reads all fixtures through callwright serve. Yields whether each was read right."""
    Upstream.outputs = {f["id"]: (f["raw_output"], "length" if is_cut(f) else "stop") for f in all_fixtures}
    upstream = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    threading.Thread(target=upstream.serve_forever, daemon=True).start()
    models = {}
    for f in all_fixtures:
        facts = {"reasoning_start": "primed" if is_primed(f) else "marked"}
        models[f["id"]] = {"model": "vllm/" + f["models"][0], "mode": "native", "max_corrections": 0, "caps": facts}
    conf = {"providers": {"vllm": {"base_url": f"http://127.0.0.1:{upstream.server_port}/v1", "api_key": "none"}}, "models": models}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "callwright.yaml"
        path.write_text(json.dumps(conf, indent=1))
        gateway = subprocess.Popen([binary, "serve", "--config", str(path), "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder)
        try:
            url, said = "", ""
            for line in gateway.stdout:
                said += line
                if "listens on http://" in line:
                    url = line.split()[-1]
                    break
            if not url:
                raise SystemExit("the gateway does not start: " + said)
            threading.Thread(target=gateway.stdout.read, daemon=True).start()
            for f in all_fixtures:
                body = {"model": f["id"], "messages": [{"role": "user", "content": f["id"]}], "tools": f["tools"], "stream": stream}
                request = urllib.request.Request(url + "/v1/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"})
                try:
                    with urllib.request.urlopen(request) as response:
                        yield is_right(f, *message(response, stream))
                except (urllib.error.HTTPError, http.client.IncompleteRead):
                    yield f.get("expected") is None  # an error is right where nothing can be read
        finally:
            gateway.terminate()
            gateway.wait()
            upstream.shutdown()


def main(binary):
    all_fixtures = list(fixtures())
    unknown = {*DIFFERENT, *SERVED} - {f["id"] for f in all_fixtures}
    failed = [f"{name}: no such fixture" for name in sorted(unknown)]
    ways = {
        "parse, whole": parsed(binary, all_fixtures, 0),
        "parse, by characters": parsed(binary, all_fixtures, 1),
        "parse, in pieces": parsed(binary, all_fixtures, 7),
        "gateway, whole": served(binary, all_fixtures, False),
        "gateway, streamed": served(binary, all_fixtures, True),
    }
    for way, results in ways.items():
        right = 0
        for f, ok in zip(all_fixtures, results, strict=True):
            right += ok
            if not ok and f["id"] not in DIFFERENT and not (way.startswith("gateway") and f["id"] in SERVED):
                failed.append(f"{way}: {f['id']} is read otherwise")
            if ok and f["id"] in DIFFERENT and way.startswith("parse"):
                failed.append(f"{way}: {f['id']} is read as the suite wants: take it out of the list")
        print(f"{way:22} {right} of {len(all_fixtures)} fixtures, {100 * right / len(all_fixtures):.1f} %")
    for line in failed:
        print(line)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
