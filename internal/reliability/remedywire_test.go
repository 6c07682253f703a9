package reliability_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

// firstTurn is a question in each client's API, with a tool.
var firstTurn = map[callwright.WireName]string{
	callwright.WireOpenAI:    `{"model":"%s","messages":[{"role":"user","content":"What is the weather in Oslo?"}],"tools":[{"type":"function","function":{"name":"get_weather","parameters":` + simulate.WeatherSchema + `}}]%s}`,
	callwright.WireResponses: `{"model":"%s","input":[{"role":"user","content":"What is the weather in Oslo?"}],"tools":[{"type":"function","name":"get_weather","parameters":` + simulate.WeatherSchema + `}]%s}`,
	callwright.WireAnthropic: `{"model":"%s","max_tokens":900,"messages":[{"role":"user","content":"What is the weather in Oslo?"}],"tools":[{"name":"get_weather","input_schema":` + simulate.WeatherSchema + `}]%s}`,
	callwright.WireGemini:    `{"contents":[{"role":"user","parts":[{"text":"What is the weather in Oslo?"}]}],"tools":[{"functionDeclarations":[{"name":"get_weather","parametersJsonSchema":` + simulate.WeatherSchema + `}]}]%[2]s}`,
	callwright.WireOllama:    `{"model":"%s","messages":[{"role":"user","content":"What is the weather in Oslo?"}],"tools":[{"type":"function","function":{"name":"get_weather","parameters":` + simulate.WeatherSchema + `}}]%s}`,
}

// atZero are the members by which each client's API asks for temperature 0.
var atZero = map[callwright.WireName]string{
	callwright.WireOpenAI: `,"temperature":0`, callwright.WireResponses: `,"temperature":0`, callwright.WireAnthropic: `,"temperature":0`,
	callwright.WireGemini: `,"generationConfig":{"temperature":0}`, callwright.WireOllama: `,"options":{"temperature":0}`,
}

// A tape keeps the bodies that are sent. A picky one refuses each request that has a member of settings which the first one had not, as a provider does
// that knows no such member, and names none.
type tape struct {
	next   http.RoundTripper
	bodies [][]byte
	picky  bool
}

// settings are the members of requests that remedies may change.
var settings = strings.Fields("temperature seed frequency_penalty tool_choice toolConfig options generationConfig response_format format text output_config reasoning reasoning_effort thinking think")

func settingsIn(body []byte) map[string]string {
	out := map[string]string{}
	for k, v := range jsonx.Members(body) {
		if slices.Contains(settings, k.String()) {
			out[k.String()] = string(v)
		}
	}
	return out
}

func (r *tape) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	r.bodies = append(r.bodies, body)
	if r.picky && fmt.Sprint(settingsIn(body)) != fmt.Sprint(settingsIn(r.bodies[0])) {
		return &http.Response{StatusCode: http.StatusBadRequest, Header: http.Header{"Content-Type": {"application/json"}}, Request: req,
			Body: io.NopCloser(strings.NewReader(`{"error":{"message":"bad request"}}`))}, nil
	}
	req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return r.next.RoundTrip(req)
}

// facts are what may be known of a receiver.
var facts = []caps.Caps{
	{}, {ChoiceForced: caps.Yes, StrictTools: caps.Yes, SchemaTarget: caps.SchemaOpenAI, JSONSchema: caps.Yes}, {ChoiceForced: caps.No, JSONSchema: caps.Yes},
	{Constraint: "gbnf", TextCalls: caps.Yes}, {Constraint: "structural_tag", JSONSchema: caps.Yes}, {JSONSchema: caps.Yes, JSONObject: caps.Yes}, {Efforts: "none,low,high"},
	{DropFields: "temperature,seed"}, {Sampling: "temperature"}, {ReasoningStart: "marked"},
}

var remediedFaults = strings.Fields("stubborn-marked stubborn-named stubborn-schema stubborn-warm stubborn-loop wrong_then_right never_right bad_name-unknown empty_turn gemini_malformed-call json_damage-missing_brace truncate-at")

// A remedied is a conversation with a model that fails, and the bytes that were sent.
type remedied struct {
	client *reliable.Client
	tape   *tape
	codec  callwright.WireName
	way    string
	body   string
}

func drawRemedied(t *rapid.T, fault string, picky bool) *remedied {
	wires := []callwright.WireName{callwright.WireOpenAI, callwright.WireResponses, callwright.WireAnthropic, callwright.WireGemini, callwright.WireOllama}
	d := &remedied{codec: rapid.SampledFrom(wires).Draw(t, "client"), way: rapid.SampledFrom([]string{"whole", "streamed"}).Draw(t, "way")}
	far := rapid.SampledFrom(wires).Draw(t, "provider")
	known := rapid.SampledFrom(facts).Filter(func(c caps.Caps) bool { return !picky || c.Constraint == "" }).Draw(t, "facts") // the simulator knows no grammars
	d.tape = &tape{next: simulate.NewTransport(simulate.New(simulate.Weather())), picky: picky}
	none := 0
	p, err := provider.New(provider.Config{Name: "lab", Wire: far, BaseURL: baseOf(string(far)), APIKey: provider.NewSecret("k"), MaxRetries: &none, Transport: d.tape,
		Caps: func(string) caps.Caps { return known }})
	if err != nil {
		t.Fatal(err)
	}
	// A model that needed help gets strict tools from then on, whatever corrections change: that is settled here.
	opts := []reliable.Option{reliable.WithFacts(caps.Fact{Key: "needs_help", Value: "no"}), reliable.WithMaxCorrections(rapid.IntRange(1, 4).Draw(t, "corrections"))}
	if mode := rapid.SampledFrom([]caps.Mode{"", caps.Native, caps.JSONSchema, caps.JSONObject, caps.Text}).Draw(t, "mode"); mode != "" {
		opts = append(opts, reliable.WithModes(slices.Compact([]caps.Mode{mode, caps.Text})...))
	}
	zero := ""
	if rapid.Bool().Draw(t, "at temperature 0") {
		zero = atZero[d.codec]
	}
	d.client, d.body = reliable.New(p.Model(fault), opts...), fmt.Sprintf(firstTurn[d.codec], fault, zero)
	return d
}

// ask asks the question over the client's API, and gives the answer with the bodies that were sent.
func (d *remedied) ask(t *rapid.T) (*callwright.Response, [][]byte, error) {
	codec, _ := codecs.Of(d.codec)
	req, err := codec.DecodeRequest([]byte(d.body))
	if err != nil {
		t.Fatalf("%v\n%s", err, d.body)
	}
	d.tape.bodies = nil
	resp, err := ask(context.Background(), d.client, req, d.way == "streamed")
	return resp, d.tape.bodies, err
}

// No two requests of one client request have the same bytes, calls that leave satisfy their schema, and the next request of the client is sent with the
// settings of the first: over every API on both sides, in every mode, whatever fails and whatever is known.
func TestRemediesKeepTheLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawRemedied(t, rapid.SampledFrom(remediedFaults).Draw(t, "fault"), rapid.Bool().Draw(t, "picky"))
		var first []byte
		for range 3 {
			resp, sent, err := d.ask(t)
			for i := range sent {
				for k := range i {
					if bytes.Equal(sent[i], sent[k]) {
						t.Fatalf("request %d is request %d again: %s", i+1, k+1, sent[i])
					}
				}
			}
			if err == nil {
				for _, c := range resp.Calls() {
					var args struct{ City string }
					if json.Unmarshal(c.Arguments, &args) != nil || args.City == "" {
						t.Fatalf("the call %s leaves", c.Arguments)
					}
				}
			}
			if len(sent) == 0 {
				continue
			}
			if first == nil {
				first = sent[0]
			}
			if now, was := settingsIn(sent[0]), settingsIn(first); sameMode(first, sent[0]) && fmt.Sprint(now) != fmt.Sprint(was) {
				t.Fatalf("the settings were %v and are %v", was, now)
			}
		}
	})
}

// sameMode reports whether two requests convey tools alike: the mode may follow what was learned.
func sameMode(a, b []byte) bool {
	return bytes.Contains(a, []byte("toolCalls")) == bytes.Contains(b, []byte("toolCalls")) && strings.Count(string(a), "tools") == strings.Count(string(b), "tools")
}

// A provider that takes none of what remedies send is asked in words alone, and its model heals as it would have: whichever remedies it is.
func TestRefusedRemediesAreTakenBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawRemedied(t, "wrong_then_right", true)
		resp, sent, err := d.ask(t)
		if err != nil {
			t.Fatalf("%v after %d requests, the last: %s", err, len(sent), sent[len(sent)-1])
		}
		if calls := resp.Calls(); len(calls) != 1 || !strings.Contains(string(calls[0].Arguments), "Oslo") {
			t.Fatalf("the calls are %v after %d requests", calls, len(sent))
		}
	})
}
