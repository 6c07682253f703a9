"""A conversation about the weather, which every client holds: the question, the tool, and a record of what came of it."""

import dataclasses
import json

SYSTEM = "Be brief."
DESCRIPTION = "Returns the weather in a city."
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
SECONDS = 20
MAX_TURNS = 5
TEMPERATURES = {"Oslo": 3}


@dataclasses.dataclass
class Talk:
    """One conversation. base is the server's address without /v1. Clients append to calls and pieces through the methods."""

    base: str
    key: str
    model: str
    stream: bool
    prompt: str
    calls: list = dataclasses.field(default_factory=list)
    pieces: list = dataclasses.field(default_factory=list)

    @property
    def v1(self):
        return self.base + "/v1"

    def say(self, text):
        """Records a piece of the final text. Text before a call counts as well."""
        if text:
            self.pieces.append(text)

    def look_up(self, name, arguments):
        """Runs the tool for clients that leave that to the program. arguments are an object or its JSON text."""
        if isinstance(arguments, str):
            arguments = json.loads(arguments)
        self.calls.append({"name": name, "arguments": arguments})
        city = arguments.get("city")
        return f"{TEMPERATURES.get(city, 20)} degrees in {city}"

    @property
    def tool(self):
        """The tool as a function, for clients that run it and derive its schema from the signature."""

        def get_weather(city: str) -> str:
            """Returns the weather in a city.

            Args:
                city: The name of the city.
            """
            return self.look_up("get_weather", {"city": city})

        return get_weather

    def turns(self):
        """Yields the numbers of turns. A conversation that goes on after the last one is an error."""
        yield from range(MAX_TURNS)
        raise RuntimeError(f"the model called tools in each of {MAX_TURNS} turns")
