package simulate

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// WeatherSchema is the schema of a get_weather tool with arguments of every kind, so that each fault has something to
// damage.
const WeatherSchema = `{"type":"object","properties":{` +
	`"city":{"type":"string","description":"Name of the city"},` +
	`"days":{"type":"integer","description":"Days to look ahead"},` +
	`"hourly":{"type":"boolean"},` +
	`"fields":{"type":"array","items":{"type":"string","enum":["temperature","wind","rain"]}},` +
	`"place":{"type":"object","properties":{"country":{"type":"string"}},"required":["country"]},` +
	`"units":{"type":"string","enum":["celsius","fahrenheit"]}},` +
	`"required":["city"],"additionalProperties":false}`

// Weather returns a script about the weather. The question "How is the weather in Oslo?", or "Weather in Oslo?" for
// short, gets a call of get_weather (or of the first declared tool with weather in its name) for the city. "Oslo and
// Paris" gets two calls at once, or one after the other where the client forbids parallel calls. Results get the answer
// "It is ...". Tools that are only described in the prompt are called as text, and where the client asks for a JSON
// answer, in JSON. A required call is always made, and so is a call that a line of the question names: "Call the tool
// NAME with exactly these arguments: {...}". Tools that take a JSON Patch are called for sentences about a document,
// such as "Set /title to "Winter"", "Add "Snow" to /tags", "Remove /subtitle" and "Propose that /author is "Ibsen"".
//
// The model's name selects a fault as [ParseFault] reads it; models with other names behave well. A model with an
// unknown variant of a fault is not found. A model that is asked to reason does so in one sentence. A fault that is not
// steady is gone once the client has sent a correction in place of results.
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

// weatherTool returns the tool to call and whether it stands only in the prompt.
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

// weatherArgs returns the arguments of a call for a city: the city under the key that the schema has for it, and
// whatever else is required.
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

// A talk is the weather script's reading of a history.
type talk struct {
	cities    []string // asked for
	open      []string // not yet called for
	results   []string
	tool      string // the tool to call, empty for none
	prompted  bool   // the tool stands only in the prompt
	corrected bool   // the last thing the client sent was a correction
}

// readTalk finds the last question and the state of its answer.
func readTalk(req Seen) talk {
	var t talk
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
	right := false // whether the model's last turn held calls for cities asked for
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

// lastAsked returns the place of the message that the model has to answer where no weather was asked for: the last one
// of the user before any tool was called.
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

// markCalled takes out the cities that a turn of the model called for and reports whether there were any. Where no city
// was asked for, any sound call of a known tool will do.
func (t *talk) markCalled(req Seen, m Message) bool {
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
		return done // calls as text only count where the model was asked for them
	}
	for _, city := range t.cities {
		if strings.Contains(m.Text, city) {
			t.strike(city)
			done = true
		}
	}
	return done
}

func (t *talk) strike(city string) {
	if i := slices.Index(t.open, city); i >= 0 {
		t.open = slices.Delete(t.open, i, i+1)
	}
}

// turn returns the well-behaved answer.
func (t talk) turn(req Seen) Turn {
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

// callDemandedTool returns a call of the tool that must be called, with sample arguments.
func (t talk) callDemandedTool(req Seen) Turn {
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
		args = "{}" // a tool declared without a schema
	}
	return Turn{Calls: []Call{{Name: name, Arguments: args}}}
}

// removeTags returns the text of results that came as text: one line each, without the tags around them.
func removeTags(text string) string {
	var out []string
	for line := range strings.Lines(markup.ReplaceAllString(text, "")) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "; ")
}
