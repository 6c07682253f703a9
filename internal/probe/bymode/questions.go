package bymode

import (
	"encoding/json"

	"github.com/callwright/callwright"
)

// A question is a user message that is sent in each mode. Without expected calls, the answer must have no call.
type question struct {
	text  string
	tools []callwright.Tool
	calls []call
}

// A call is an expected call. args lists the accepted values of each argument, as JSON. An argument with "null" among
// its values may be missing. Any other argument is wrong.
type call struct {
	tool string
	args map[string][]string
}

func tool(name, does, schema string) callwright.Tool {
	return callwright.Tool{Name: name, Description: does, Schema: json.RawMessage(schema)}
}

// The tools in the requests of the questions.
var (
	weather = tool("get_weather", "Get the current weather of a city.",
		`{"type":"object","properties":{"city":{"type":"string","description":"Name of the city, without its country"}},"required":["city"]}`)
	convert = tool("convert_currency", "Convert an amount of money from one currency to another.",
		`{"type":"object","properties":{"amount":{"type":"number"},"from":{"type":"string","description":"Currency code such as USD"},"to":{"type":"string","description":"Currency code such as EUR"}},"required":["amount","from","to"]}`)
	timer = tool("set_timer", "Start a timer.",
		`{"type":"object","properties":{"minutes":{"type":"integer"},"label":{"type":"string"}},"required":["minutes"]}`)
	mail = tool("send_email", "Send an email.",
		`{"type":"object","properties":{"to":{"type":"string","description":"Address"},"subject":{"type":"string"},"body":{"type":"string"}},"required":["to","subject","body"]}`)
	light = tool("set_light", "Set the light of a room.",
		`{"type":"object","properties":{"room":{"type":"string"},"on":{"type":"boolean"},"brightness":{"type":"integer","description":"Percent"}},"required":["room","on"]}`)
	search = tool("search_flights", "Search for flights.",
		`{"type":"object","properties":{"origin":{"type":"string","description":"City"},"destination":{"type":"string","description":"City"},"cabin":{"type":"string","enum":["economy","business","first"]}},"required":["origin","destination"]}`)
	booking = tool("book_table", "Book a table in a restaurant.",
		`{"type":"object","properties":{"restaurant":{"type":"string"},"guests":{"type":"integer"},"contact":{"type":"object","properties":{"name":{"type":"string"},"phone":{"type":"string"}},"required":["name","phone"]}},"required":["restaurant","guests","contact"]}`)
	basket = tool("add_to_basket", "Add products to the basket.",
		`{"type":"object","properties":{"items":{"type":"array","items":{"type":"object","properties":{"product":{"type":"string"},"quantity":{"type":"integer"}},"required":["product","quantity"]}}},"required":["items"]}`)
	area = tool("triangle_area", "Compute the area of a triangle.",
		`{"type":"object","properties":{"base":{"type":"number"},"height":{"type":"number"}},"required":["base","height"]}`)
	stock = tool("get_stock_price", "Get the price of a stock.",
		`{"type":"object","properties":{"symbol":{"type":"string","description":"Ticker symbol"}},"required":["symbol"]}`)
)

// value returns an expected call with one argument, which has the values in right.
func value(tool, name string, right ...string) call {
	return call{tool, map[string][]string{name: right}}
}

// questions lists all questions. Every prefix of a few questions has each type: one tool, one of several tools, several
// calls, no call, nested arguments.
var questions = []question{
	{"What is the weather like in Lisbon?", tools(weather), []call{value("get_weather", "city", `"Lisbon"`)}},
	{"How much is 250 US dollars in euros?", tools(weather, convert, stock),
		[]call{{"convert_currency", map[string][]string{"amount": {"250"}, "from": {`"USD"`}, "to": {`"EUR"`}}}}},
	{"Get me the weather in Rome and in Madrid.", tools(weather),
		[]call{value("get_weather", "city", `"Rome"`), value("get_weather", "city", `"Madrid"`)}},
	{"What is the capital of France?", tools(timer, light), nil},
	{"Book a table for 4 at Luigi's. My name is Ann Lee and my phone number is 555-0134.", tools(booking),
		[]call{{"book_table", map[string][]string{"restaurant": {`"Luigi's"`, `"Luigi"`}, "guests": {"4"},
			"contact": {`{"name":"Ann Lee","phone":"555-0134"}`}}}}},
	{"Switch off the light in the kitchen.", tools(timer, light, mail),
		[]call{{"set_light", map[string][]string{"room": {`"kitchen"`, `"the kitchen"`}, "on": {"false"}, "brightness": {"0", "null"}}}}},
	{"What is the stock price of AAPL, and what is the weather in Cairo?", tools(weather, stock),
		[]call{value("get_stock_price", "symbol", `"AAPL"`), value("get_weather", "city", `"Cairo"`)}},
	{"Who wrote the novel Moby Dick?", tools(weather), nil},

	{"Find me business class flights from Berlin to Tokyo.", tools(search),
		[]call{{"search_flights", map[string][]string{"origin": {`"Berlin"`}, "destination": {`"Tokyo"`}, "cabin": {`"business"`}}}}},
	{"Set a timer for 12 minutes.", tools(light, timer, weather, mail),
		[]call{{"set_timer", map[string][]string{"minutes": {"12"}, "label": {`""`, `"timer"`, `"12 minutes"`, "null"}}}}},
	{"Compute the areas of two triangles: one with base 10 and height 5, the other with base 4 and height 3.", tools(area),
		[]call{{"triangle_area", map[string][]string{"base": {"10"}, "height": {"5"}}},
			{"triangle_area", map[string][]string{"base": {"4"}, "height": {"3"}}}}},
	{"Translate the word bread into German.", tools(stock, convert), nil},
	{"Put 3 apples and 2 lemons into my basket.", tools(basket),
		[]call{value("add_to_basket", "items", `[{"product":"apples","quantity":3},{"product":"lemons","quantity":2}]`,
			`[{"product":"apple","quantity":3},{"product":"lemon","quantity":2}]`)}},
	{"What does one share of MSFT cost?", tools(convert, stock, weather, area), []call{value("get_stock_price", "symbol", `"MSFT"`)}},
	{"Turn on the lights in the bedroom and in the office.", tools(light),
		[]call{{"set_light", map[string][]string{"room": {`"bedroom"`, `"the bedroom"`}, "on": {"true"},
			"brightness": {"100", "null"}}}, {"set_light",
			map[string][]string{"room": {`"office"`, `"the office"`}, "on": {"true"}, "brightness": {"100", "null"}}}}},
	{"Why is the sky blue?", tools(booking), nil},
}

func tools(list ...callwright.Tool) []callwright.Tool { return list }

// MaxQuestions is the number of questions for a mode.
var MaxQuestions = len(questions)
