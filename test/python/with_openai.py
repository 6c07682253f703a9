"""OpenAI's SDK. Answers and events are held against its types."""

from openai import OpenAI

from talk import DESCRIPTION, SCHEMA, SECONDS, SYSTEM


def open_client(talk):
    return OpenAI(base_url=talk.v1, api_key=talk.key, max_retries=0, timeout=SECONDS, _strict_response_validation=True)


def chat(talk):
    """Chat Completions, streamed by the helper that puts an answer together."""
    client = open_client(talk)
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": talk.prompt}]
    tool = {"type": "function", "function": {"name": "get_weather", "description": DESCRIPTION, "parameters": SCHEMA}}
    for _ in talk.turns():
        request = {"model": talk.model, "messages": messages, "tools": [tool]}
        if talk.stream:
            with client.chat.completions.stream(**request, stream_options={"include_usage": True}) as events:
                for event in events:
                    if event.type == "content.delta":
                        talk.say(event.delta)
                done = events.get_final_completion()
        else:
            done = client.chat.completions.create(**request)
            talk.say(done.choices[0].message.content)
        message = done.choices[0].message
        messages.append(message)
        if not message.tool_calls:
            return
        assert done.choices[0].finish_reason == "tool_calls", done.choices[0].finish_reason
        for call in message.tool_calls:
            result = talk.look_up(call.function.name, call.function.arguments)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})


def responses(talk):
    """Responses. Each request repeats the conversation."""
    hold_responses(talk, False)


def stored(talk):
    """Responses. Each request names the answer before, which is also retrieved."""
    hold_responses(talk, True)


def hold_responses(talk, store):
    client = open_client(talk)
    tool = {"type": "function", "name": "get_weather", "description": DESCRIPTION, "parameters": SCHEMA, "strict": False}
    items = [{"role": "user", "content": talk.prompt}]
    before = None
    for _ in talk.turns():
        request = {"model": talk.model, "instructions": SYSTEM, "tools": [tool], "store": store, "input": items}
        if before:
            request["previous_response_id"] = before
        if talk.stream:
            with client.responses.stream(**request) as events:
                for event in events:
                    if event.type == "response.output_text.delta":
                        talk.say(event.delta)
                done = events.get_final_response()
        else:
            done = client.responses.create(**request)
            talk.say(done.output_text)
        assert done.status == "completed"
        if store:
            kept = client.responses.retrieve(done.id)
            assert kept.output_text == done.output_text, kept
        calls = [item for item in done.output if item.type == "function_call"]
        if not calls:
            return
        results = [{"type": "function_call_output", "call_id": c.call_id, "output": talk.look_up(c.name, c.arguments)} for c in calls]
        before = done.id if store else None
        items = results if store else items + done.output + results
