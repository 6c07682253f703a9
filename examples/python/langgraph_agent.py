"""LangGraph: the agent of LangChain, which runs on LangGraph, with a tool."""

import os

from langchain.agents import create_agent
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI

model = ChatOpenAI(
    model=os.environ.get("MODEL", "sim/json_damage-python"),  # its arguments are a Python dict
    base_url=os.environ.get("CALLWRIGHT_URL", "http://127.0.0.1:8787") + "/v1",
    api_key="any",
)


@tool
def get_weather(city: str) -> str:
    """Reports the weather in a city."""
    print("tool:", city)
    return f"3 degrees in {city}"


agent = create_agent(model, [get_weather])
result = agent.invoke({"messages": [("user", "What is the weather in Oslo?")]})
print("answer:", result["messages"][-1].content)
