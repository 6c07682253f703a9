"""Google's SDK, which calls functions by itself."""

from google import genai
from google.genai import types

from talk import SECONDS, SYSTEM


def chat(talk):
    client = genai.Client(api_key=talk.key, http_options=types.HttpOptions(base_url=talk.base, timeout=SECONDS * 1000))
    config = types.GenerateContentConfig(system_instruction=SYSTEM, tools=[talk.tool])
    session = client.chats.create(model=talk.model, config=config)
    if not talk.stream:
        talk.say(session.send_message(talk.prompt).text)
        return
    for chunk in session.send_message_stream(talk.prompt):
        for candidate in chunk.candidates or []:
            for part in candidate.content.parts or [] if candidate.content else []:
                talk.say(part.text)
