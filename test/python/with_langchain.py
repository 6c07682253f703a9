"""LangChain's agent over its chat models."""

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, AIMessageChunk

from talk import SECONDS, SYSTEM


def hold(talk, model):
    agent = create_agent(model, [talk.tool], system_prompt=SYSTEM)
    asked = {"messages": [{"role": "user", "content": talk.prompt}]}
    if talk.stream:
        for message, _ in agent.stream(asked, stream_mode="messages"):
            if isinstance(message, AIMessageChunk):
                talk.say(message.text)
        return
    for message in agent.invoke(asked)["messages"]:
        if isinstance(message, AIMessage):
            talk.say(message.text)


def openai(talk):
    from langchain_openai import ChatOpenAI
    hold(talk, ChatOpenAI(model=talk.model, base_url=talk.v1, api_key=talk.key, max_retries=0, timeout=SECONDS, use_responses_api=False))


def responses(talk):
    from langchain_openai import ChatOpenAI
    hold(talk, ChatOpenAI(model=talk.model, base_url=talk.v1, api_key=talk.key, max_retries=0, timeout=SECONDS, use_responses_api=True))


def anthropic(talk):
    from langchain_anthropic import ChatAnthropic
    hold(talk, ChatAnthropic(model=talk.model, base_url=talk.base, api_key=talk.key, max_retries=0, timeout=SECONDS, max_tokens=512))


def google(talk):
    from langchain_google_genai import ChatGoogleGenerativeAI
    hold(talk, ChatGoogleGenerativeAI(model=talk.model, base_url=talk.base, api_key=talk.key, max_retries=0, timeout=SECONDS))


def ollama(talk):
    from langchain_ollama import ChatOllama
    hold(talk, ChatOllama(model=talk.model, base_url=talk.base, client_kwargs={"headers": {"Authorization": f"Bearer {talk.key}"}}))


def mistral(talk):
    from langchain_mistralai import ChatMistralAI
    hold(talk, ChatMistralAI(model=talk.model, base_url=talk.v1, api_key=talk.key, max_retries=0, timeout=SECONDS))
