package gateway_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/internal/wire/wiretest"
	"github.com/callwright/callwright/simulate"
)

// complianceChecks are the requests of the compliance suite of Open Responses, by its names of the checks, with the type of item that the
// answer must have: https://github.com/openresponses/openresponses/blob/main/src/lib/compliance-tests.ts. The suite asks for whole answers
// but for streaming-response and tool-calling-streaming; here all of them are asked for both ways.
var complianceChecks = []struct{ name, body, item string }{
	{"basic-response and streaming-response", `"input":[{"type":"message","role":"user","content":"Greet me in three words."}]`, "message"},
	{"system-prompt", `"input":[{"type":"message","role":"system","content":"Answer in Norwegian."},{"type":"message","role":"user","content":"Greet me."}]`, "message"},
	{"tool-calling and tool-calling-streaming", `"input":[{"type":"message","role":"user","content":"How warm is it in Oslo?"}],` +
		`"tools":[{"type":"function","name":"get_weather","description":"The weather now.","parameters":` + simulate.WeatherSchema + `}]`, "function_call"},
	{"image-input", `"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"What is it?"},{"type":"input_image","image_url":"data:image/png;base64,` +
		`iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="}]}]`, "message"},
	{"multi-turn", `"input":[{"type":"message","role":"user","content":"I am Kari."},{"type":"message","role":"assistant","content":"Hello, Kari."},` +
		`{"type":"message","role":"user","content":"Who am I?"}]`, "message"},
	{"settings", `"instructions":"Be short.","temperature":0.5,"top_p":0.9,"max_output_tokens":99,"parallel_tool_calls":false,"metadata":{"a":"b"},"reasoning":{"effort":"low"},` +
		`"text":{"format":{"type":"json_schema","name":"n","schema":{"type":"object"}}},"input":"Hello"`, "message"},
}

// The answers that clients of the Responses API get from a model behind each API satisfy the schema of Open Responses: whole, in each event
// of a stream, and read back by their id.
func TestOpenResponses(t *testing.T) {
	srv := serve(t, gateway.Config{Models: models(t, simulate.New(func(s simulate.Seen) simulate.Turn {
		if len(s.Tools) > 0 {
			return simulate.Turn{Calls: []simulate.Call{{Name: "get_weather", Arguments: `{"city":"Oslo"}`}}}
		}
		if s.Format != nil {
			return simulate.Turn{Text: `{"a":"Hello"}`}
		}
		return simulate.Turn{Text: "Hello, dear Kari."}
	}))})
	for _, far := range codecs.All() {
		for _, check := range complianceChecks {
			for _, stream := range []string{"false", "true"} {
				t.Run(string(far.Name())+"/"+check.name+"/stream="+stream, func(t *testing.T) {
					got := post(t, srv.URL+answersPath, `{"model":"`+string(far.Name())+`/m","stream":`+stream+`,`+check.body+`}`)
					if got.status != http.StatusOK || got.err != nil {
						t.Fatalf("status %d, %v: %s", got.status, got.err, got.body)
					}
					object := []byte(got.body)
					if stream == "true" {
						object = compliantEvents(t, got.body, check.item)
					}
					compliantAnswer(t, object, check.item)
					id, _ := jsonx.Find(object, "id")
					kept := request(t, http.MethodGet, srv.URL+answersPath+"/"+jsonx.TextOf(id))
					if kept.status != http.StatusOK {
						t.Fatalf("read back: status %d: %s", kept.status, kept.body)
					}
					compliantAnswer(t, []byte(kept.body), check.item)
				})
			}
		}
	}
}

// callEvents are the events that a stream with a call must have.
var callEvents = []string{"response.output_item.added function_call", "response.function_call_arguments.delta", "response.function_call_arguments.done", "response.output_item.done function_call"}

// compliantEvents holds the events of a stream against the schema, and returns the answer of the last one. One with a call has all events of a call.
func compliantEvents(t *testing.T, stream, item string) (object []byte) {
	t.Helper()
	events := 0
	var kinds []string
	for line := range strings.Lines(stream) {
		data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: ")
		if !ok {
			continue
		}
		events++
		for _, complaint := range wiretest.OpenResponsesEventComplaints([]byte(data)) {
			t.Errorf("%s in %s", complaint, data)
		}
		object, _ = jsonx.Find([]byte(data), "response")
		kind, _ := jsonx.Find([]byte(data), "type")
		of, _ := jsonx.Lookup([]byte(data), "item", "type")
		kinds = append(kinds, strings.TrimSpace(jsonx.TextOf(kind)+" "+jsonx.TextOf(of)))
	}
	if item == "function_call" {
		for _, want := range callEvents {
			if !slices.Contains(kinds, want) {
				t.Errorf("no event %s among %q", want, kinds)
			}
		}
	}
	if events == 0 || object == nil {
		t.Fatalf("%d events, and no answer in the last: %s", events, stream)
	}
	return object
}

// compliantAnswer holds an answer against the schema. It must be complete, and have an item of a type.
func compliantAnswer(t *testing.T, object []byte, item string) {
	t.Helper()
	for _, complaint := range wiretest.OpenResponsesComplaints(object) {
		t.Errorf("%s in %s", complaint, object)
	}
	if status, _ := jsonx.Find(object, "status"); jsonx.TextOf(status) != "completed" {
		t.Errorf("status %s in %s", status, object)
	}
	output, _ := jsonx.Find(object, "output")
	for v := range jsonx.Elements(output) {
		if kind, _ := jsonx.Find(v, "type"); jsonx.TextOf(kind) == item {
			return
		}
	}
	t.Errorf("no item of type %s in %s", item, object)
}
