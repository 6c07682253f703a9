"""Instructor, which demands a call for an object. The program sends its result back without tools."""

import json

import instructor
from pydantic import BaseModel

from talk import DESCRIPTION, SCHEMA, SECONDS, SYSTEM


class city_weather(BaseModel):
    """Returns the weather in a city."""

    city: str


def extract(talk, client, messages, **rest):
    """Returns the object, whole or from the parts that a stream brought."""
    request = {"model": talk.model, "messages": messages, "response_model": city_weather, "max_retries": 0, **rest}
    if not talk.stream:
        return client.create(**request)
    parts = list(client.create_partial(**request))
    return parts[-1]


def openai(talk):
    from openai import OpenAI
    plain = OpenAI(base_url=talk.v1, api_key=talk.key, max_retries=0, timeout=SECONDS)
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": talk.prompt}]
    found = extract(talk, instructor.from_openai(plain), messages)
    call = {"name": "city_weather", "arguments": json.dumps(found.model_dump())}
    messages += [
        {"role": "assistant", "content": None, "tool_calls": [{"id": "call_1", "type": "function", "function": call}]},
        {"role": "tool", "tool_call_id": "call_1", "content": talk.look_up("get_weather", call["arguments"])},
    ]
    answer = plain.chat.completions.create(model=talk.model, messages=messages, stream=talk.stream,
                                           tools=[{"type": "function", "function": {"name": "city_weather", "description": DESCRIPTION, "parameters": SCHEMA}}])
    if not talk.stream:
        talk.say(answer.choices[0].message.content)
        return
    for chunk in answer:
        talk.say(chunk.choices[0].delta.content if chunk.choices else None)


def anthropic(talk):
    from anthropic import Anthropic
    plain = Anthropic(base_url=talk.base, api_key=talk.key, max_retries=0, timeout=SECONDS)
    messages = [{"role": "user", "content": talk.prompt}]
    found = extract(talk, instructor.from_anthropic(plain), messages, max_tokens=512, system=SYSTEM)
    call = {"name": "city_weather", "input": found.model_dump()}
    messages += [
        {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", **call}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": talk.look_up("get_weather", call["input"])}]},
    ]
    with plain.messages.stream(model=talk.model, max_tokens=512, messages=messages,
                               tools=[{"name": "city_weather", "description": DESCRIPTION, "input_schema": SCHEMA}]) as stream:
        for text in stream.text_stream:
            talk.say(text)
