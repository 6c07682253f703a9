package simulate

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// WeatherSchema is the JSON Schema of a get_weather tool. It has arguments of every JSON type, so that each fault has
// an argument to damage.
const WeatherSchema = `{"type":"object","properties":{` +
	`"city":{"type":"string","description":"Name of the city"},` +
	`"days":{"type":"integer","description":"Days to look ahead"},` +
	`"hourly":{"type":"boolean"},` +
	`"fields":{"type":"array","items":{"type":"string","enum":["temperature","wind","rain"]}},` +
	`"place":{"type":"object","properties":{"country":{"type":"string"}},"required":["country"]},` +
	`"units":{"type":"string","enum":["celsius","fahrenheit"]}},` +
	`"required":["city"],"additionalProperties":false}`

// Weather returns a script about the weather. It answers "How is the weather in Oslo?", or "Weather in Oslo?", with a
// call of get_weather, or of the first declared tool with "weather" in its name. "Oslo and Paris" results in two
// parallel calls, or in two consecutive calls if the client forbids parallel calls. After the results the answer is "It
// is ...". If the tools are only described in the prompt, calls are written as text or, if the client requires JSON, as
// JSON. A required call is always made. A line of the prompt can order a call: "Call the tool NAME with exactly these
// arguments: {...}". Tools with a JSON Patch argument are called for sentences about a document: `Set /title to
// "Winter"`, `Add "Snow" to /tags`, `Remove /subtitle`, `Propose that /author is "Ibsen"`.
//
// The model's name selects a fault, see [ParseFault]. Models with other names have no fault. A model with an unknown
// variant of a fault does not exist. If the request enables reasoning, the response has one sentence of it. A fault
// that is not steady ends after the client has sent a correction instead of results.
func Weather() Script { return weather }

var (
	question    = regexp.MustCompile(`(?i:weather(?: like)?) in ([^?\n]*)\?`)
	weatherWord = regexp.MustCompile(`\w*weather_\w+|\w+_weather\w*|[a-z]+Weather\w*`)
	markup      = regexp.MustCompile(`</?[a-z_:]+(?: [^>]*)?>`)
	cityName    = regexp.MustCompile(`\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'-]*)*`)
)

func weather(req Seen) Turn {
	t := readTalk(req)
	return playTurn(req, t.turn(req), "The user wants to know about the weather.", t.corrected)
}

// weatherTool returns the tool to call, "" for none. prompted is true if only the prompt describes it.
func weatherTool(req Seen) (name string, prompted bool) {
	if len(req.Tools) == 0 {
		prompt := req.System + string(req.Format)
		if strings.Contains(prompt, "get_weather") {
			return "get_weather", true
		}
		return weatherWord.FindString(prompt), true
	}
	if slices.Contains(req.Tools, "get_weather") {
		return "get_weather", false
	}
	i := slices.IndexFunc(req.Tools, func(t string) bool { return strings.Contains(strings.ToLower(t), "weather") })
	if i < 0 {
		return "", false
	}
	return req.Tools[i], false
}

// weatherArgs returns the arguments of a call for a city: the city under the key of the schema, and sample values for
// other required arguments.
func weatherArgs(schema json.RawMessage, city string) string {
	props, required := properties(schema)
	key := "city"
	for _, k := range []string{"city", "location", "place", "query"} {
		if _, ok := props[k]; ok {
			key = k
			break
		}
	}
	members := []member{{key, quote(city)}}
	for _, k := range required {
		if k != key {
			members = append(members, member{k, sample(props[k])})
		}
	}
	return joinMembers(members)
}

// A weatherTask is the state of the last weather question in a conversation.
type weatherTask struct {
	cities    []string // cities in the question
	open      []string // cities without a call yet
	results   []string
	tool      string // the tool to call, "" for none
	prompted  bool   // only the prompt describes the tool
	corrected bool   // the last message of the client was a correction
}

// readTalk finds the last weather question in the history and the calls and results after it.
func readTalk(req Seen) weatherTask {
	var t weatherTask
	t.tool, t.prompted = weatherTool(req)
	at := -1
	for i, m := range req.History {
		if m.Role != "user" {
			continue
		}
		if found := question.FindStringSubmatch(m.Text); found != nil {
			t.cities, at = cityName.FindAllString(found[1], -1), i
		}
	}
	if t.cities == nil {
		at = lastAsked(req.History)
	}
	t.open = slices.Clone(t.cities)
	right := false // the last assistant message has calls for requested cities
	for _, m := range req.History[at+1:] {
		switch {
		case m.Role == "assistant":
			right, t.corrected = t.markCalled(req, m), false
		case !right:
			t.corrected = true
		case len(m.Results) > 0:
			for _, r := range m.Results {
				t.results = append(t.results, r.Text)
			}
		case m.Role == "user":
			t.results = append(t.results, removeTags(m.Text))
		}
	}
	return t
}

// lastAsked returns the index of the last user message before any tool call, for a conversation without a weather
// question; -1 for none.
func lastAsked(history []Message) int {
	at := -1
	for i, m := range history {
		if m.Role == "user" && m.Text != "" && len(m.Results) == 0 {
			at = i
		}
		if len(m.Calls) > 0 {
			break
		}
	}
	return at
}

// markCalled removes the cities that a message's calls ask for from t.open, and reports whether there were any. If the
// prompt names no city, any valid call of a declared tool counts.
func (t *weatherTask) markCalled(req Seen, m Message) bool {
	done := false
	for _, c := range m.Calls {
		var args map[string]any
		if json.Unmarshal([]byte(c.Arguments), &args) != nil || !slices.Contains(req.Tools, c.Name) {
			continue
		}
		done = done || t.cities == nil
		for _, v := range args {
			if city, ok := v.(string); ok && slices.Contains(t.cities, city) {
				t.strike(city)
				done = true
			}
		}
	}
	if !t.prompted || t.tool == "" || !strings.Contains(m.Text, t.tool) {
		return done // calls as text only count if the tools are in the prompt
	}
	for _, city := range t.cities {
		if strings.Contains(m.Text, city) {
			t.strike(city)
			done = true
		}
	}
	return done
}

func (t *weatherTask) strike(city string) {
	if i := slices.Index(t.open, city); i >= 0 {
		t.open = slices.Delete(t.open, i, i+1)
	}
}

// turn returns the model's response without faults: calls, or the final text.
func (t weatherTask) turn(req Seen) Turn {
	switch {
	case t.cities == nil && len(t.results) > 0, t.cities != nil && len(t.open) == 0:
		return Turn{Text: "It is " + strings.TrimRight(strings.Join(t.results, "; "), ".") + "."}
	case t.cities == nil && req.isForced():
		return t.callDemandedTool(req)
	case t.cities == nil:
		return Turn{Text: "I am a simulated model. Ask me: What is the weather in Oslo?"}
	case t.tool == "" || req.Choice == "none":
		return Turn{Text: "I have no tool to look up the weather."}
	}
	if req.Serial {
		t.open = t.open[:1]
	}
	var out Turn
	for _, city := range t.open {
		out.Calls = append(out.Calls, Call{Name: t.tool, Arguments: weatherArgs(req.Schema(t.tool), city)})
	}
	return out
}

// callDemandedTool returns a call of the required tool with sample arguments.
func (t weatherTask) callDemandedTool(req Seen) Turn {
	name := req.Choice
	switch {
	case t.prompted && t.tool == "":
		return Turn{Text: "I know of no tool."}
	case t.prompted:
		return Turn{Calls: []Call{{Name: t.tool, Arguments: weatherArgs(nil, "Oslo")}}}
	case name == "required":
		name = req.Tools[0]
	}
	args := sample(req.Schema(name))
	if kindOf(args) != "object" {
		args = "{}" // the tool was declared without a schema
	}
	return Turn{Calls: []Call{{Name: name, Arguments: args}}}
}

// removeTags returns tool results that were sent as text, without tags, and joined to one line.
func removeTags(text string) string {
	var out []string
	for line := range strings.Lines(markup.ReplaceAllString(text, "")) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "; ")
}
