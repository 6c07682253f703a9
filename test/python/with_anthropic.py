"""Anthropic's SDK. Answers and events are held against its types."""

from anthropic import Anthropic, beta_tool

from talk import DESCRIPTION, SCHEMA, SECONDS, SYSTEM


def open_client(talk):
    return Anthropic(base_url=talk.base, api_key=talk.key, max_retries=0, timeout=SECONDS, _strict_response_validation=True)


def messages(talk):
    """Messages, streamed by the helper that puts an answer together."""
    client = open_client(talk)
    history = [{"role": "user", "content": talk.prompt}]
    tool = {"name": "get_weather", "description": DESCRIPTION, "input_schema": SCHEMA}
    for _ in talk.turns():
        request = {"model": talk.model, "max_tokens": 512, "system": SYSTEM, "messages": history, "tools": [tool]}
        if talk.stream:
            with client.messages.stream(**request) as stream:
                for text in stream.text_stream:
                    talk.say(text)
                done = stream.get_final_message()
        else:
            done = client.messages.create(**request)
            for block in done.content:
                if block.type == "text":
                    talk.say(block.text)
        history.append({"role": "assistant", "content": done.content})
        calls = [block for block in done.content if block.type == "tool_use"]
        if not calls:
            return
        assert done.stop_reason == "tool_use", done.stop_reason
        results = [{"type": "tool_result", "tool_use_id": c.id, "content": talk.look_up(c.name, c.input)} for c in calls]
        history.append({"role": "user", "content": results})


def runner(talk):
    """The SDK's own loop of calls."""
    run = open_client(talk).beta.messages.tool_runner(
        model=talk.model, max_tokens=512, system=SYSTEM, tools=[beta_tool(talk.tool)],
        messages=[{"role": "user", "content": talk.prompt}], stream=talk.stream)
    for turn in run:
        if talk.stream:
            for event in turn:
                if event.type == "text":
                    talk.say(event.text)
        else:
            for block in turn.content:
                if block.type == "text":
                    talk.say(block.text)
