"""Google's Agent Development Kit."""

import uuid

from google.adk.agents import LlmAgent
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.runners import InMemoryRunner
from google.genai import Client, types

from talk import SECONDS, SYSTEM


async def hold(talk, model):
    agent = LlmAgent(name="weather", model=model, instruction=SYSTEM, tools=[talk.tool])
    runner = InMemoryRunner(agent, app_name="weather")
    session = await runner.session_service.create_session(app_name="weather", user_id="user", session_id=uuid.uuid4().hex)
    asked = types.Content(role="user", parts=[types.Part(text=talk.prompt)])
    mode = StreamingMode.SSE if talk.stream else StreamingMode.NONE
    async for event in runner.run_async(user_id="user", session_id=session.id, new_message=asked, run_config=RunConfig(streaming_mode=mode)):
        if event.error_code:
            raise RuntimeError(f"{event.error_code}: {event.error_message}")
        if talk.stream != bool(event.partial) or not event.content:
            continue
        for part in event.content.parts or []:
            talk.say(part.text)


async def google(talk):
    from google.adk.models import Gemini
    client = Client(api_key=talk.key, http_options=types.HttpOptions(base_url=talk.base, timeout=SECONDS * 1000))
    await hold(talk, Gemini(model=talk.model, client=client))


async def litellm(talk):
    import with_litellm  # its settings
    from google.adk.models.lite_llm import LiteLlm
    await hold(talk, LiteLlm("openai/" + talk.model, api_base=talk.v1, api_key=talk.key))
