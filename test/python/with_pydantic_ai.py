"""Pydantic AI."""

from pydantic_ai import Agent

from talk import SYSTEM


async def hold(talk, model):
    agent = Agent(model, instructions=SYSTEM, tools=[talk.tool])
    if not talk.stream:
        talk.say((await agent.run(talk.prompt)).output)
        return
    async with agent.run_stream(talk.prompt) as run:
        async for text in run.stream_text(delta=True, debounce_by=None):
            talk.say(text)


async def openai(talk):
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider
    await hold(talk, OpenAIChatModel(talk.model, provider=OpenAIProvider(base_url=talk.v1, api_key=talk.key)))


async def responses(talk):
    from pydantic_ai.models.openai import OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider
    await hold(talk, OpenAIResponsesModel(talk.model, provider=OpenAIProvider(base_url=talk.v1, api_key=talk.key)))


async def anthropic(talk):
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider
    await hold(talk, AnthropicModel(talk.model, provider=AnthropicProvider(base_url=talk.base, api_key=talk.key)))


async def google(talk):
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider
    await hold(talk, GoogleModel(talk.model, provider=GoogleProvider(base_url=talk.base, api_key=talk.key)))


async def mistral(talk):
    from pydantic_ai.models.mistral import MistralModel
    from pydantic_ai.providers.mistral import MistralProvider
    await hold(talk, MistralModel(talk.model, provider=MistralProvider(base_url=talk.base, api_key=talk.key)))
