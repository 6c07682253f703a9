"""Mistral's SDK."""

from mistralai.client import Mistral

from talk import DESCRIPTION, SCHEMA, SECONDS, SYSTEM


def chat(talk):
    """Chat. Each delta of a stream holds whole calls. The first request demands a call by Mistral's own word."""
    client = Mistral(api_key=talk.key, server_url=talk.base, timeout_ms=SECONDS * 1000)
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": talk.prompt}]
    tool = {"type": "function", "function": {"name": "get_weather", "description": DESCRIPTION, "parameters": SCHEMA}}
    choice = "any"
    for _ in talk.turns():
        request = {"model": talk.model, "messages": messages, "tools": [tool], "tool_choice": choice}
        choice = "auto"
        text, calls = "", []
        if talk.stream:
            for event in client.chat.stream(**request):
                for c in event.data.choices:
                    talk.say(c.delta.content)
                    text += c.delta.content or ""
                    calls += c.delta.tool_calls or []
        else:
            done = client.chat.complete(**request)
            text, calls = done.choices[0].message.content or "", done.choices[0].message.tool_calls or []
            talk.say(text)
        messages.append({"role": "assistant", "content": text, "tool_calls": calls or None})
        if not calls:
            return
        for call in calls:
            result = talk.look_up(call.function.name, call.function.arguments)
            messages.append({"role": "tool", "name": call.function.name, "tool_call_id": call.id, "content": result})
