package conformance

import "strings"

// greeting is a prompt that needs no tool.
const greeting = "Hello! Say hello in one short sentence."

// order returns a prompt that instructs the model to make the given calls.
func order(calls ...call) string {
	var lines []string
	for _, c := range calls {
		lines = append(lines, "Call the tool "+c.name+" with exactly these arguments: "+c.args)
	}
	return strings.Join(lines, "\n")
}

// noParameters is the schema of a tool without parameters.
const noParameters = `{"type":"object","properties":{},"additionalProperties":false}`

// The tools that checks declare.
var (
	weather = tool{name: "get_weather", about: "Tells the weather of a city.",
		schema: `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}`}
	clock = tool{name: "get_time", about: "Tells the time of a zone.",
		schema: `{"type":"object","properties":{"zone":{"type":"string"}},"required":["zone"],"additionalProperties":false}`}
	ping = tool{name: "ping", about: "Answers with pong. Takes no arguments.", schema: noParameters}
	note = tool{name: "write_note", about: "Writes a note.",
		schema: `{"type":"object","properties":{"text":{"type":"string"}},"required":["text"],"additionalProperties":false}`}
	add = tool{name: "add_numbers", about: "Adds two integers.",
		schema: `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"],"additionalProperties":false}`}
	bounded = tool{name: "add_numbers", about: "Adds two integers.",
		schema: `{"type":"object","properties":{"a":{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}},"required":["a"]}`}
	trip = tool{name: "book_trip", about: "Books a trip.",
		schema: `{"type":"object","properties":{"legs":{"type":"array","items":{"type":"object","properties":{"to":{"type":"string"},"class":{"type":"string",` +
			`"enum":["economy","business"]}},"required":["to","class"],"additionalProperties":false}},"traveller":{"type":"object","properties":` +
			`{"name":{"type":"string"},"member":{"type":"boolean"}},"required":["name","member"],"additionalProperties":false}},` +
			`"required":["legs","traveller"],"additionalProperties":false}`}
	// find uses the schema keywords that coding agents use, and parameters whose names are keywords.
	find = tool{name: "find_files", about: "Finds files.",
		schema: `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"pattern":{"type":"string","minLength":1,"maxLength":200,` +
			`"pattern":"^.+$"},"type":{"anyOf":[{"type":"string","enum":["file","folder"]},{"type":"null"}],"default":null},"format":{"type":"string",` +
			`"format":"uri"},"limit":{"type":"integer","exclusiveMinimum":0,"maximum":9007199254740991,"default":20},"in":{"type":"array","items":` +
			`{"$ref":"#/$defs/folder"},"minItems":1,"maxItems":5}},"required":["pattern"],"additionalProperties":false,` +
			`"$defs":{"folder":{"type":"string","description":"A folder."}}}`}
	// longName has a name of 64 characters.
	longName   = tool{name: "get_weather_" + strings.Repeat("of_a_city_", 5) + "ab", about: weather.about, schema: weather.schema}
	dottedName = tool{name: "weather-service.v2.get-now", about: weather.about, schema: weather.schema}
)

// The calls that checks order.
var (
	inOslo   = call{name: weather.name, args: `{"city":"Oslo"}`}
	inRome   = call{name: weather.name, args: `{"city":"Rome"}`}
	timeOfUT = call{name: clock.name, args: `{"zone":"UTC"}`}
	pinging  = call{name: ping.name, args: `{}`}
	numbers  = call{name: add.name, args: `{"a":9007199254740993,"b":9223372036854775807}`}
	scripts  = call{name: note.name, args: `{"text":"Zürich 東京 שלום नमस्ते e\u0301 👩‍👩‍👧 🇳🇴 \"q\" C:\\new\\table"}`}
	markup   = call{name: note.name, args: `{"text":"\n  <b>a &amp; b</b>\t&lt;i&gt; </note>\n"}`}
	nested   = call{name: trip.name, args: `{"legs":[{"to":"Oslo","class":"economy"},{"to":"Rome","class":"business"}],"traveller":{"name":"Ada","member":true}}`}
	long     = call{name: note.name, args: `{"text":"` + strings.Repeat("All work and no play makes a dull day. ", 24) + `The end."}`}
)

// counting is a prompt whose answer is longer than fewTokens.
const counting = "Count from one to two hundred in words, separated by commas, and write nothing else."

// aboutSea is a prompt for an answer that matches seaSchema.
const (
	aboutSea  = "Name a sea and say in which continent's waters it lies. Answer in JSON."
	seaSchema = `{"type":"object","properties":{"sea":{"type":"string"},"continent":{"type":"string","enum":["Africa","America","Asia","Australia","Europe"]}},` +
		`"required":["sea","continent"],"additionalProperties":false}`
)
