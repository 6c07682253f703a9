package probe

import (
	"encoding/json"
	"fmt"

	"github.com/callwright/callwright"
)

// The tools in the requests of the checks.
var (
	weather = callwright.Tool{Name: "get_weather", Description: "Tells the weather in a city.",
		Schema: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string","description":"Name of the city"}},"required":["city"],"additionalProperties":false}`)}
	clock = callwright.Tool{Name: "get_time", Description: "Tells the time in a zone.",
		Schema: json.RawMessage(`{"type":"object","properties":{"zone":{"type":"string","description":"Name of the zone, such as Europe/Oslo"}},"required":["zone"]}`)}
	note = callwright.Tool{Name: "save_note", Description: "Saves a text.",
		Schema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`)}
	record = callwright.Tool{Name: "find_record", Description: "Finds a record by its number.",
		Schema: json.RawMessage(`{"type":"object","properties":{"number":{"type":"integer"}},"required":["number"]}`)}
	ping = callwright.Tool{Name: "ping", Description: "Tells whether the service is there. It has no parameters.",
		Schema: json.RawMessage(`{"type":"object","properties":{}}`)}
	camera = callwright.Tool{Name: "take_picture", Description: "Takes a picture with the camera.",
		Schema: json.RawMessage(`{"type":"object","properties":{"zoom":{"type":"integer"}},"required":["zoom"]}`)}
	heating = callwright.Tool{Name: "set_heating", Description: "Sets the heating.",
		Schema: json.RawMessage(`{"type":"object","properties":{"mode":{"type":"string","enum":["eco","comfort","away"]},"level":{"type":"integer","enum":[1,2,3]}},"required":["mode","level"]}`)}
	order = callwright.Tool{Name: "place_order", Description: "Places an order.",
		Schema: json.RawMessage(`{"type":"object","properties":{
			"customer":{"type":"object","properties":{"name":{"type":"string"},
				"address":{"type":"object","properties":{"street":{"type":"string"},"zip":{"type":"string"}},"required":["street","zip"]}},"required":["name","address"]},
			"items":{"type":"array","items":{"type":"object","properties":{"sku":{"type":"string"},"count":{"type":"integer"},
				"tags":{"type":"array","items":{"type":"string"}}},"required":["sku","count","tags"]}}},"required":["customer","items"]}`)}
)

// manyTools returns 40 tools; the 20th is weather.
func manyTools() []callwright.Tool {
	const n = 40
	var out []callwright.Tool
	for i := range n - 1 {
		out = append(out, callwright.Tool{Name: fmt.Sprintf("read_sensor_%02d", i), Description: fmt.Sprintf("Reads sensor %d.", i),
			Schema: json.RawMessage(`{"type":"object","properties":{"unit":{"type":"string"}},"required":["unit"]}`)})
	}
	return append(out[:n/2:n/2], append([]callwright.Tool{weather}, out[n/2:]...)...)
}

// User messages that several checks send.
const (
	greeting  = "Say hello."
	oslo      = "What is the weather in Oslo?"
	twoCities = "What is the weather in Oslo and Paris? Look both up at once."
)

// call returns a question whose user message asks for a call of t with exactly these arguments (JSON).
func call(t *callwright.Tool, arguments string) question {
	return userQuestion(fmt.Sprintf("Call the tool %s with exactly these arguments: %s", t.Name, arguments), *t)
}

// User message, schemas and tool result of the checks of JSON answers.
const (
	aboutSea    = "Describe the sea on a windy day in one sentence."
	seaSchema   = `{"type":"object","properties":{"summary":{"type":"string"},"mood":{"type":"string","enum":["calm","rough"]},"waves":{"type":"integer"}},"required":["summary","mood","waves"],"additionalProperties":false}`
	skySchema   = `{"type":"object","properties":{"city":{"type":"string"},"celsius":{"type":"integer"}},"required":["city","celsius"],"additionalProperties":false}`
	coldWeather = `{"celsius": -23, "sky": "clear"}`
)
