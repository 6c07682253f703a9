"""Ollama's SDK."""

from ollama import Client

from talk import DESCRIPTION, SCHEMA, SECONDS, SYSTEM


def chat(talk):
    client = Client(host=talk.base, headers={"Authorization": f"Bearer {talk.key}"}, timeout=SECONDS)
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": talk.prompt}]
    tool = {"type": "function", "function": {"name": "get_weather", "description": DESCRIPTION, "parameters": SCHEMA}}
    for _ in talk.turns():
        answer = client.chat(talk.model, messages=messages, tools=[tool], stream=talk.stream)
        text, calls, last = "", [], None
        for chunk in answer if talk.stream else [answer]:
            talk.say(chunk.message.content)
            text += chunk.message.content or ""
            calls += chunk.message.tool_calls or []
            last = chunk
        assert last.done
        messages.append({"role": "assistant", "content": text, "tool_calls": calls})
        if not calls:
            return
        for call in calls:
            result = talk.look_up(call.function.name, dict(call.function.arguments))
            messages.append({"role": "tool", "tool_name": call.function.name, "content": result})
