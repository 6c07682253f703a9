"""Strands Agents. Its models always stream, so both forms are the same to the server."""

from strands import Agent, tool

from talk import SYSTEM


async def hold(talk, model):
    agent = Agent(model=model, system_prompt=SYSTEM, tools=[tool(talk.tool)], callback_handler=None)
    if not talk.stream:
        talk.say(str(await agent.invoke_async(talk.prompt)).strip())
        return
    async for event in agent.stream_async(talk.prompt):
        talk.say(event.get("data"))


async def openai(talk):
    from strands.models.openai import OpenAIModel
    await hold(talk, OpenAIModel(client_args={"base_url": talk.v1, "api_key": talk.key, "max_retries": 0}, model_id=talk.model))


async def responses(talk):
    from strands.models.openai_responses import OpenAIResponsesModel
    await hold(talk, OpenAIResponsesModel(client_args={"base_url": talk.v1, "api_key": talk.key, "max_retries": 0}, model_id=talk.model))


async def anthropic(talk):
    from strands.models.anthropic import AnthropicModel
    await hold(talk, AnthropicModel(client_args={"base_url": talk.base, "api_key": talk.key, "max_retries": 0}, model_id=talk.model, max_tokens=512))


async def ollama(talk):
    from strands.models.ollama import OllamaModel
    await hold(talk, OllamaModel(talk.base, ollama_client_args={"headers": {"Authorization": f"Bearer {talk.key}"}}, model_id=talk.model))
