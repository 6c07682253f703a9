"""The first minute of a program with the wheel."""

import json
import urllib.request

import callwright

QUESTION = {
    "model": "sim/hermes-unclosed",
    "messages": [{"role": "user", "content": "What is the weather in Oslo?"}],
    "tools": [{"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}}],
}

with callwright.start({"providers": {"sim": {}}}) as gateway:
    request = urllib.request.Request(
        gateway.openai_base_url + "/chat/completions", json.dumps(QUESTION).encode(), {"Content-Type": "application/json", "Callwright-Report": "body"}
    )
    with urllib.request.urlopen(request) as answer:
        body = json.load(answer)
    report: callwright.Report = gateway.report(body["callwright"]["id"])
    assert report == body["callwright"], (report, body)
    assert set(report) <= set(callwright.Report.__annotations__), report
    assert {k for n in report["notes"] for k in n} <= set(callwright.Note.__annotations__), report
    call = body["choices"][0]["message"]["tool_calls"][0]["function"]
    for url in (gateway.anthropic_base_url, gateway.gemini_base_url, gateway.ollama_host):
        assert urllib.request.urlopen(url + "/healthz").read() == b"ok\n"

try:
    callwright.start({"providers": {"nobody": {}}})
    raise AssertionError("a configuration that is wrong was taken")
except callwright.CallwrightError as e:
    assert "nobody" in str(e), e

parsed = callwright.parse_batch([{"id": 1, "text": 'Hello'}, {"id": 2}])
assert parsed[0]["content"] == "Hello" and "error" in parsed[1], parsed

types = {}
for name in ("Report", "Attempt", "Note", "InvalidCall", "Violation"):
    of = getattr(callwright, name)
    types[name] = sorted(k + ("?" if k in of.__optional_keys__ else "") for k in of.__annotations__)
print(json.dumps({"types": types, "call": {"name": call["name"], "arguments": json.loads(call["arguments"])}}))
