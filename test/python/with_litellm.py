"""LiteLLM, which translates for each provider by itself."""

import os

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else it asks for prices at its start

import litellm

from talk import DESCRIPTION, SCHEMA, SECONDS, SYSTEM

litellm.telemetry = False
litellm.suppress_debug_info = True


def hold(talk, provider, base):
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": talk.prompt}]
    tool = {"type": "function", "function": {"name": "get_weather", "description": DESCRIPTION, "parameters": SCHEMA}}
    for _ in talk.turns():
        answer = litellm.completion(f"{provider}/{talk.model}", messages, tools=[tool], stream=talk.stream, api_base=base, api_key=talk.key,
                                    timeout=SECONDS, num_retries=0)
        if talk.stream:
            chunks = []
            for chunk in answer:
                talk.say(chunk.choices[0].delta.content)
                chunks.append(chunk)
            answer = litellm.stream_chunk_builder(chunks, messages=messages)
        else:
            talk.say(answer.choices[0].message.content)
        message = answer.choices[0].message
        messages.append(message.model_dump(exclude_none=True))
        if not message.tool_calls:
            return
        for call in message.tool_calls:
            result = talk.look_up(call.function.name, call.function.arguments)
            messages.append({"role": "tool", "tool_call_id": call.id, "name": call.function.name, "content": result})


def openai(talk):
    hold(talk, "openai", talk.v1)


def anthropic(talk):
    hold(talk, "anthropic", talk.base)


def google(talk):
    hold(talk, "gemini", talk.base)


def ollama(talk):
    hold(talk, "ollama_chat", talk.base)


def mistral(talk):
    hold(talk, "mistral", talk.v1)


def responses(talk):
    tool = {"type": "function", "name": "get_weather", "description": DESCRIPTION, "parameters": SCHEMA, "strict": False}
    items = [{"role": "user", "content": talk.prompt}]
    for _ in talk.turns():
        answer = litellm.responses(model=f"openai/{talk.model}", input=items, instructions=SYSTEM, tools=[tool], stream=talk.stream, store=False,
                                   api_base=talk.v1, api_key=talk.key, timeout=SECONDS)
        if talk.stream:
            for event in answer:
                if event.type == "response.output_text.delta":
                    talk.say(event.delta)
                if event.type == "response.completed":
                    done = event.response
        else:
            done = answer
            for item in done.output:
                for part in item.content if item.type == "message" else []:
                    talk.say(part.text)
        calls = [item for item in done.output if item.type == "function_call"]
        if not calls:
            return
        items += [item.model_dump(exclude_none=True) for item in done.output]
        items += [{"type": "function_call_output", "call_id": c.call_id, "output": talk.look_up(c.name, c.arguments)} for c in calls]
