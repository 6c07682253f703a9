"""OpenAI's Agents SDK."""

from agents import Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, function_tool, set_tracing_disabled
from openai import AsyncOpenAI

from talk import MAX_TURNS, SECONDS, SYSTEM


async def hold(talk, kind):
    set_tracing_disabled(True)
    client = AsyncOpenAI(base_url=talk.v1, api_key=talk.key, max_retries=0, timeout=SECONDS)
    agent = Agent("weather", instructions=SYSTEM, tools=[function_tool(talk.tool)], model=kind(talk.model, client))
    if not talk.stream:
        talk.say((await Runner.run(agent, talk.prompt, max_turns=MAX_TURNS)).final_output)
        return
    run = Runner.run_streamed(agent, talk.prompt, max_turns=MAX_TURNS)
    async for event in run.stream_events():
        if event.type == "raw_response_event" and event.data.type == "response.output_text.delta":
            talk.say(event.data.delta)
    assert run.final_output == "".join(talk.pieces), run.final_output


async def chat(talk):
    await hold(talk, OpenAIChatCompletionsModel)


async def responses(talk):
    await hold(talk, OpenAIResponsesModel)
