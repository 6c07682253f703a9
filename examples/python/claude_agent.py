"""The Claude Agent SDK: Claude Code as a library, on any model, with a tool of this program."""

import asyncio
import os

from claude_agent_sdk import AssistantMessage, ClaudeAgentOptions, ClaudeSDKClient, TextBlock, create_sdk_mcp_server, tool


@tool("get_weather", "Reports the weather in a city.", {"city": str})
async def get_weather(arguments):
    print("tool:", arguments["city"])
    return {"content": [{"type": "text", "text": f"3 degrees in {arguments['city']}"}]}


async def main() -> None:
    model = os.environ.get("MODEL", "sim/hermes")  # it writes its calls as text
    options = ClaudeAgentOptions(
        model=model,
        mcp_servers={"weather": create_sdk_mcp_server("weather", tools=[get_weather])},
        allowed_tools=["mcp__weather__get_weather"],
        setting_sources=[],
        max_turns=4,
        env={
            "ANTHROPIC_BASE_URL": os.environ.get("CALLWRIGHT_URL", "http://127.0.0.1:8787"),
            "ANTHROPIC_AUTH_TOKEN": "any",
            "ANTHROPIC_DEFAULT_HAIKU_MODEL": model,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "ENABLE_TOOL_SEARCH": "false",  # the simulated model makes no searches
        },
    )
    async with ClaudeSDKClient(options) as client:
        await client.query("What is the weather in Oslo?")
        async for message in client.receive_response():
            if isinstance(message, AssistantMessage):
                for block in message.content:
                    if isinstance(block, TextBlock):
                        print("answer:", block.text)


asyncio.run(main())
