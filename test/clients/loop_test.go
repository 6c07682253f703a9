package clients_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/callwright/callwright/simulate"
)

// The models behind the gateway. Those that write calls as text do so although they were given tools. Each SDK meets native
// calls, a text format and a refusal of tools on its own wire and on the others.
var upstreams = []struct {
	name, wire, model string
	prompted          bool // it refuses tools, so they are told to it in the prompt
}{
	{"openai native", simulate.OpenAI, "native", false},
	{"anthropic native", simulate.Anthropic, "native", false},
	{"hermes text over openai", simulate.OpenAI, "hermes", false},
	{"hermes text over anthropic", simulate.Anthropic, "hermes", false},
	{"anthropic xml text over openai", simulate.OpenAI, "anthropic_invoke", false},
	{"anthropic xml text over anthropic", simulate.Anthropic, "anthropic_invoke", false},
	{"fenced json text over openai", simulate.OpenAI, "text_json-fence", false},
	{"fenced json text over anthropic", simulate.Anthropic, "text_json-fence", false},
	{"no tools over openai", simulate.OpenAI, "no_tools_400", true},
	{"no tools over anthropic", simulate.Anthropic, "no_tools_400", true},
	{"responses native", simulate.Responses, "native", false},
	{"hermes text over responses", simulate.Responses, "hermes", false},
	{"gemini native", simulate.Gemini, "native", false},
	{"hermes text over gemini", simulate.Gemini, "hermes", false},
	{"no tools over gemini", simulate.Gemini, "no_tools_400", true},
	{"ollama native", simulate.Ollama, "native", false},
	{"hermes text over ollama", simulate.Ollama, "hermes", false},
	{"no tools over ollama", simulate.Ollama, "no_tools_400", true},
}

var prompts = []struct {
	name, text string
	cities     []string
}{
	{"single", "What is the weather in Oslo?", []string{"Oslo"}},
	{"parallel", "What is the weather in Oslo and Paris?", []string{"Oslo", "Paris"}},
}

// The words for how a turn ended, by SDK. Three of the APIs have one word for both.
var (
	endedCalling = map[string]string{"openai": "tool_calls", "responses": "completed", "anthropic": "tool_use", "gemini": "STOP", "ollama": "stop"}
	endedTalking = map[string]string{"openai": "stop", "responses": "completed", "anthropic": "end_turn", "gemini": "STOP", "ollama": "stop"}
)

// rounds is how often a conversation is held: what the gateway learned of the model in the first must not show in the
// second.
const rounds = 2

func TestToolLoop(t *testing.T) {
	l := newLab(t)
	var checks []check
	want := map[string]loop{}
	for _, sdk := range sdks {
		for _, up := range upstreams {
			for _, p := range prompts {
				for _, form := range forms {
					name := strings.ReplaceAll(strings.Join([]string{sdk, up.name, p.name, form.name}, "/"), " ", "_")
					model := strings.ReplaceAll(name, "/", ".") + "/" + up.model
					checks = append(checks, check{Name: name, SDK: sdk, Base: l.url, Key: "any", Model: up.wire + "/" + model,
						Stream: form.stream, Prompt: p.text, Rounds: rounds})
					want[name] = loop{sdk: sdk, cities: p.cities, streamed: form.stream, prompted: up.prompted, played: l.players[up.wire], model: model}
				}
			}
		}
	}
	got := drive(t, checks)
	for _, c := range checks {
		t.Run(c.Name, func(t *testing.T) { want[c.Name].compare(t, got[c.Name]) })
	}
}

// A loop is what has to become of a conversation of two turns.
type loop struct {
	sdk      string
	cities   []string
	streamed bool
	prompted bool
	played   *simulate.Server
	model    string
}

func (l loop) compare(t *testing.T, got outcome) {
	if got.Error != nil {
		t.Fatalf("after %d rounds: %+v", len(got.Rounds), *got.Error)
	}
	if len(got.Rounds) != rounds {
		t.Fatalf("want %d rounds, got %d", rounds, len(got.Rounds))
	}
	for i, turns := range got.Rounds {
		if len(turns) != 2 {
			t.Fatalf("round %d: want a turn that calls and one that answers, got %+v", i, turns)
		}
		l.compareCalls(t, turns[0])
		l.compareAnswer(t, turns[1])
		for _, turn := range turns {
			l.compareUsage(t, turn)
		}
	}
	l.comparePairs(t)
}

// compareCalls checks the turn that calls: one call for each city, each with an id of its own, and no markup left over.
func (l loop) compareCalls(t *testing.T, got turn) {
	t.Helper()
	if got.Finish != endedCalling[l.sdk] {
		t.Errorf("want finish %q, got %q", endedCalling[l.sdk], got.Finish)
	}
	if strings.TrimSpace(got.Text) != "" {
		t.Errorf("want no text beside the calls, got %q", got.Text)
	}
	var cities, ids []string
	for _, c := range got.Calls {
		cities, ids = append(cities, cityOf(t, c.Name, c.Arguments)), append(ids, c.ID)
	}
	if !slices.Equal(cities, l.cities) {
		t.Errorf("want calls for %v, got %v", l.cities, cities)
	}
	slices.Sort(ids)
	if len(slices.Compact(ids)) != len(l.cities) || slices.Contains(ids, "") {
		t.Errorf("want ids that differ, got %q", ids)
	}
}

// cityOf is the city of a sound call of get_weather.
func cityOf(t *testing.T, name, arguments string) string {
	t.Helper()
	var args map[string]any
	if err := json.Unmarshal([]byte(arguments), &args); err != nil {
		t.Errorf("want arguments that are an object, got %q: %v", arguments, err)
	}
	city, ok := args["city"].(string)
	if name != "get_weather" || len(args) != 1 || !ok {
		t.Errorf("want a call of get_weather with a city, got %s(%s)", name, arguments)
	}
	return city
}

// resultOf is what the driver's tool says about a city.
func resultOf(city string) string {
	return map[string]string{"Oslo": "3 degrees in Oslo", "Paris": "12 degrees in Paris"}[city]
}

func (l loop) compareAnswer(t *testing.T, got turn) {
	t.Helper()
	if got.Finish != endedTalking[l.sdk] || len(got.Calls) > 0 {
		t.Errorf("want finish %q and no calls, got %q and %v", endedTalking[l.sdk], got.Finish, got.Calls)
	}
	if !strings.HasPrefix(got.Text, "It is ") {
		t.Errorf("want the model's answer, got %q", got.Text)
	}
	for _, city := range l.cities {
		if !strings.Contains(got.Text, resultOf(city)) {
			t.Errorf("want %q in the answer, got %q", resultOf(city), got.Text)
		}
	}
	if l.streamed && !l.prompted && got.Pieces < 2 { // a prompted model may repeat results in a form that has to be read first
		t.Errorf("want text that comes in pieces, got %d", got.Pieces)
	}
}

func (l loop) compareUsage(t *testing.T, got turn) {
	t.Helper()
	u := got.Usage
	if u.Input == nil || u.Output == nil || *u.Input <= 0 || *u.Output <= 0 {
		t.Errorf("want usage, got %+v", got)
		return
	}
	if l.sdk == "openai" && (u.Total == nil || *u.Total != *u.Input+*u.Output) {
		t.Errorf("want a total of %d tokens, got %v", *u.Input+*u.Output, u.Total)
	}
}

// comparePairs checks that the model got each result as that of its own call. The driver gives them back in reverse.
func (l loop) comparePairs(t *testing.T) {
	t.Helper()
	answered := 0
	for _, seen := range l.played.Requests() {
		if seen.Model != l.model {
			continue
		}
		if seen.Refused != "" {
			t.Errorf("the model's server refused a request: %s", seen.Refused)
		}
		if seen.Turn == 0 {
			continue // nothing was called yet
		}
		answered++
		l.comparePair(t, seen)
	}
	if answered < rounds {
		t.Errorf("want %d requests with results, got %d", rounds, answered)
	}
}

func (l loop) comparePair(t *testing.T, seen simulate.Seen) {
	t.Helper()
	cities := map[string]string{} // by the id of their call, or by its place where the API has no ids
	var results []simulate.Result
	for _, m := range seen.History {
		for i, c := range m.Calls {
			cities[named(c.ID, i)] = cityOf(t, c.Name, c.Arguments)
		}
		for i, r := range m.Results {
			r.ID = named(r.ID, len(results)+i)
			m.Results[i] = r
		}
		results = append(results, m.Results...)
	}
	if l.prompted {
		l.comparePrompt(t, seen)
		return
	}
	if len(results) != len(l.cities) || len(cities) != len(l.cities) {
		t.Errorf("want %d calls and results in the history, got %+v", len(l.cities), seen.History)
	}
	for _, r := range results {
		if r.Text != resultOf(cities[r.ID]) {
			t.Errorf("want %q as the result of %s, got %q", resultOf(cities[r.ID]), r.ID, r.Text)
		}
	}
}

// named is an id, or place n in its stead.
func named(id string, n int) string {
	if id == "" {
		return "#" + strconv.Itoa(n)
	}
	return id
}

// comparePrompt checks a history in which calls and results are text: a result says whose it is.
func (l loop) comparePrompt(t *testing.T, seen simulate.Seen) {
	t.Helper()
	if len(seen.Tools) > 0 {
		return // the request that was refused
	}
	for _, city := range l.cities {
		if !strings.Contains(seen.User, resultOf(city)) {
			t.Errorf("want %q in the last turn, got %q", resultOf(city), seen.User)
		}
	}
	if strings.Count(seen.User, "get_weather") != len(l.cities) {
		t.Errorf("want the tool's name with each result, got %q", seen.User)
	}
}
