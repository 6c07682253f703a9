"""The OpenAI SDK: a loop that runs a function as a tool until the model has answered."""

import json
import os

from openai import OpenAI

client = OpenAI(base_url=os.environ.get("CALLWRIGHT_URL", "http://127.0.0.1:8787") + "/v1", api_key="any")
model = os.environ.get("MODEL", "sim/hermes")  # it writes its calls as text


def get_weather(city: str) -> str:
    return f"3 degrees in {city}"


tools = [{"type": "function", "function": {"name": "get_weather", "description": "Reports the weather in a city.", "parameters": {
    "type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}}]
messages = [{"role": "user", "content": "What is the weather in Oslo?"}]
while True:
    message = client.chat.completions.create(model=model, messages=messages, tools=tools).choices[0].message
    messages.append(message)
    if not message.tool_calls:
        break
    for call in message.tool_calls:
        arguments = json.loads(call.function.arguments)
        print("tool:", call.function.name, arguments)
        messages.append({"role": "tool", "tool_call_id": call.id, "content": get_weather(**arguments)})
print("answer:", message.content)
