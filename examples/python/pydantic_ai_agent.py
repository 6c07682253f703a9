"""Pydantic AI: an agent with a tool, over the API of Anthropic."""

import os

from anthropic import AsyncAnthropic
from pydantic_ai import Agent
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider

client = AsyncAnthropic(base_url=os.environ.get("CALLWRIGHT_URL", "http://127.0.0.1:8787"), api_key="any")
model = AnthropicModel(
    os.environ.get("MODEL", "sim/wrong_then_right"),  # its first call lacks an argument
    provider=AnthropicProvider(anthropic_client=client),
)
agent = Agent(model)


@agent.tool_plain
def get_weather(city: str) -> str:
    """Reports the weather in a city."""
    print("tool:", city)
    return f"3 degrees in {city}"


print("answer:", agent.run_sync("What is the weather in Oslo?").output)
