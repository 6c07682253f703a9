"""LlamaIndex: its agent over its models."""

from llama_index.core.agent.workflow import AgentStream, FunctionAgent

from talk import SECONDS, SYSTEM


async def hold(talk, llm):
    agent = FunctionAgent(tools=[talk.tool], llm=llm, system_prompt=SYSTEM, streaming=talk.stream, timeout=SECONDS)
    run = agent.run(talk.prompt)
    if talk.stream:
        async for event in run.stream_events():
            if isinstance(event, AgentStream):
                talk.say(event.delta)
    answer = await run
    if not talk.stream:
        talk.say(str(answer))


async def openai(talk):
    from llama_index.llms.openai_like import OpenAILike
    await hold(talk, OpenAILike(talk.model, api_base=talk.v1, api_key=talk.key, max_retries=0, timeout=SECONDS, is_chat_model=True,
                                is_function_calling_model=True))


async def responses(talk):
    from llama_index.llms.openai import OpenAIResponses
    await hold(talk, OpenAIResponses(talk.model, api_base=talk.v1, api_key=talk.key, max_retries=0, timeout=SECONDS, context_window=8192))


async def anthropic(talk):
    from llama_index.llms.anthropic import Anthropic
    await hold(talk, Anthropic("claude-sonnet-4-5", base_url=talk.base, api_key=talk.key, max_retries=0, timeout=SECONDS,
                               additional_kwargs={"model": talk.model}))  # it knows the names of Claude alone


async def google(talk):
    from google.genai.types import HttpOptions
    from llama_index.llms.google_genai import GoogleGenAI
    await hold(talk, GoogleGenAI(talk.model, api_key=talk.key, http_options=HttpOptions(base_url=talk.base), context_window=8192, max_tokens=512,
                                 max_retries=1))


async def ollama(talk):
    from llama_index.llms.ollama import Ollama
    await hold(talk, Ollama(talk.model, base_url=talk.base, headers={"Authorization": f"Bearer {talk.key}"}, request_timeout=SECONDS,
                            context_window=8192))  # else it asks the server
