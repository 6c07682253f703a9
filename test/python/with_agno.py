"""Agno."""

from agno.agent import Agent

from talk import SYSTEM


def hold(talk, model):
    agent = Agent(model=model, instructions=SYSTEM, tools=[talk.tool], telemetry=False)
    if not talk.stream:
        answer = agent.run(talk.prompt)
        assert answer.status == "COMPLETED", answer.content
        talk.say(answer.content)
        return
    for event in agent.run(talk.prompt, stream=True):
        if event.event == "RunError":
            raise RuntimeError(event.content)
        if event.event == "RunContent":
            talk.say(event.content)


def openai(talk):
    from agno.models.openai import OpenAIChat
    hold(talk, OpenAIChat(talk.model, base_url=talk.v1, api_key=talk.key, max_retries=0))


def responses(talk):
    from agno.models.openai import OpenAIResponses
    hold(talk, OpenAIResponses(talk.model, base_url=talk.v1, api_key=talk.key, max_retries=0))


def anthropic(talk):
    from agno.models.anthropic import Claude
    hold(talk, Claude(talk.model, api_key=talk.key, client_params={"base_url": talk.base, "max_retries": 0}))


def google(talk):
    from agno.models.google import Gemini
    hold(talk, Gemini(talk.model, api_key=talk.key, client_params={"http_options": {"base_url": talk.base}}))


def ollama(talk):
    from agno.models.ollama import Ollama
    hold(talk, Ollama(talk.model, host=talk.base, api_key=talk.key))


def mistral(talk):
    from agno.models.mistral import MistralChat
    hold(talk, MistralChat(talk.model, endpoint=talk.base, api_key=talk.key))
