package gateway_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/internal/wire/wiretest"
	"github.com/callwright/callwright/simulate"
)

// played are the answers that every client must be able to read, by the model's name.
var played = map[string]simulate.Turn{
	"text":      {Text: "It is cold in Oslo."},
	"single":    {Calls: []simulate.Call{{Name: "get_weather", Arguments: `{"city":"Oslo"}`}}},
	"parallel":  {Calls: []simulate.Call{{Name: "get_weather", Arguments: `{"city":"Oslo"}`}, {Name: "get_weather", Arguments: `{"city":"Paris","days":3}`}}},
	"both":      {Text: "Let me look.", Calls: []simulate.Call{{Name: "get_weather", Arguments: `{"city":"Oslo"}`}}},
	"thinking":  {Reasoning: "The user asks for two cities.", Text: "Let me look.", Calls: []simulate.Call{{Name: "get_weather", Arguments: `{"city":"Oslo"}`}, {Name: "get_weather", Arguments: `{"city":"Paris"}`}}},
	"pondering": {Reasoning: "It is winter.", Text: "It is cold in Oslo."},
	"length":    {Text: "It is cold in", Finish: "length"},
	"refusal":   {Text: "I would", Finish: "content_filter"},
}

// refusals are the wires' own words for an answer that a filter or the model itself has stopped.
var refusals = map[string]string{simulate.Anthropic: "refusal", simulate.Gemini: "SAFETY", simulate.Ollama: "stop"}

// play returns the script of what is played.
func play(req simulate.Seen) simulate.Turn {
	turn := played[req.Model[strings.LastIndexByte(req.Model, '/')+1:]]
	if word := refusals[req.Wire]; turn.Finish == "content_filter" && word != "" {
		turn.Finish = word
	}
	return turn
}

// Whatever a model answers over whatever wire, clients of every wire can read it: whole, streamed and, where they ask for
// it, with usage.
func TestClientsReadEveryAnswer(t *testing.T) {
	url := serve(t, gateway.Config{Models: models(t, simulate.New(play))}).URL
	for _, client := range codecs.All() {
		for _, far := range codecs.All() {
			for name := range played {
				t.Run(string(client.Name())+" client/"+string(far.Name())+"/"+name, func(t *testing.T) {
					canRead(t, url, client.Name(), string(far.Name())+"/"+name)
				})
			}
		}
	}
}

// canRead lets a client of a wire ask a model in every way.
func canRead(t *testing.T, url string, client callwright.WireName, model string) {
	t.Helper()
	a := askers[client]
	path, body := a.ask(model, false)
	got := post(t, url+path, body)
	if got.status != http.StatusOK {
		t.Fatalf("got %d %s", got.status, got.body)
	}
	complain(t, "whole", wiretest.WholeComplaints(client, []byte(got.body)), &got)
	for _, way := range []struct{ name, more, query string }{{name: "streamed"}, {"with usage", `,"stream_options":{"include_usage":true}`, ""}, {"as an array", "", "?alt=json"}} {
		path, body := a.ask(model, true)
		switch {
		case way.more != "" && client != callwright.WireOpenAI, way.query != "" && client != callwright.WireGemini:
			continue
		case way.more != "":
			body = strings.TrimSuffix(body, "}") + way.more + "}"
		case way.query != "":
			path = strings.Replace(path, "?alt=sse", way.query, 1)
		}
		got := post(t, url+path, body)
		if got.status != http.StatusOK || got.err != nil {
			t.Fatalf("%s: got %d, %v: %s", way.name, got.status, got.err, got.body)
		}
		complain(t, way.name, wiretest.StreamComplaints(client, got.header.Get("Content-Type"), []byte(got.body), way.more != ""), &got)
	}
}

// A model that is slow to go on is bridged by signs of life that no client takes for something else.
func TestClientsReadSignsOfLife(t *testing.T) {
	fake := simulate.New(play, simulate.Pause(2*time.Millisecond))
	url := serve(t, gateway.Config{Models: models(t, fake), KeepAlive: time.Millisecond}).URL
	for _, client := range codecs.All() {
		a := askers[client.Name()]
		path, body := a.ask("openai/thinking", true)
		got := post(t, url+path, body)
		complain(t, string(client.Name()), complaintsOf(client.Name(), true, false, &got), &got)
	}
}

func complain(t *testing.T, way string, complaints []string, got *answer) {
	t.Helper()
	if len(complaints) > 0 {
		t.Errorf("%s: the client complains of\n\t%s\nin %s", way, strings.Join(complaints, "\n\t"), got.body)
	}
}

// Whatever a model does wrong, an answer that a client gets is one that it can read.
func TestClientsReadWhatBecomesOfFaults(t *testing.T) {
	url := simulated(t).URL
	for _, client := range codecs.All() {
		for i, f := range simulate.Faults() {
			for _, far := range codecs.All() {
				if f.Stalls || !slices.Contains(f.Wires, string(far.Name())) || !longtest.IsEnabled() && (far.Name() != client.Name() || i%4 != 0) {
					continue
				}
				a, model := askers[client.Name()], string(far.Name())+"/"+f.Model()
				t.Run(string(client.Name())+" client/"+model, func(t *testing.T) {
					for _, stream := range []bool{false, true} {
						path, body := a.ask(model, stream)
						got := post(t, url+path, strings.Replace(body, "in Oslo?", "in Oslo and Paris?", 1))
						complain(t, "", complaintsOf(client.Name(), stream, false, &got), &got)
					}
				})
			}
		}
	}
}

// complaintsOf returns what a client has to say of whatever it got; usage reports whether it asked for that in a stream.
func complaintsOf(client callwright.WireName, stream, usage bool, got *answer) []string {
	body := []byte(got.body)
	switch {
	case got.status != http.StatusOK:
		return wiretest.ErrorComplaints(client, got.status, got.header, body)
	case !stream:
		return wiretest.WholeComplaints(client, body)
	case got.err == nil:
		return wiretest.StreamComplaints(client, got.header.Get("Content-Type"), body, usage)
	case wiretest.HasTerminator(client, body):
		return []string{"a cut stream that looks whole"}
	}
	return nil
}

// An answer that breaks off is an error to every client: there is an error in the stream and nothing that ends it, and the
// connection is reset.
func TestClientsSeeThatAStreamBroke(t *testing.T) {
	url := simulated(t).URL
	for _, client := range codecs.All() {
		for _, far := range codecs.All() {
			for _, fault := range []string{"midstream-cut", "midstream-inband"} {
				a, model := askers[client.Name()], string(far.Name())+"/"+fault
				path, body := a.ask(model, true)
				got := post(t, url+path, strings.Replace(body, "in Oslo?", "in Oslo and Paris?", 1))
				switch {
				case got.status != http.StatusOK: // it broke before the first byte left
					complain(t, model, wiretest.ErrorComplaints(client.Name(), got.status, got.header, []byte(got.body)), &got)
				case got.err == nil || !strings.Contains(got.body, `"error"`):
					t.Errorf("%s from %s ended politely: %s", path, model, got.body)
				case wiretest.HasTerminator(client.Name(), []byte(got.body)):
					t.Errorf("%s from %s looks whole: %s", path, model, got.body)
				}
			}
		}
	}
}

// failing are errors of providers.
var failing = []struct {
	status int
	header http.Header
}{
	{400, nil}, {401, nil}, {404, nil}, {429, http.Header{"Retry-After": {"1"}}}, {500, nil}, {503, http.Header{"Retry-After": {"1"}}},
}

// ownStatus is the status that a wire has of its own for what others say otherwise.
var ownStatus = map[callwright.WireName]map[int]int{callwright.WireAnthropic: {503: 529}}

// An error has the vendor's shape at every client, a status that says what to do, and the time to wait.
func TestClientsReadEveryError(t *testing.T) {
	for _, f := range failing {
		said, _ := json.Marshal(map[string]any{"error": map[string]any{"message": "no", "type": "x"}})
		url := serve(t, gateway.Config{Models: models(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			for k, v := range f.header {
				w.Header()[k] = v
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(f.status)
			_, _ = w.Write(said)
		}))}).URL
		for _, client := range codecs.All() {
			for _, far := range codecs.All() {
				for _, stream := range []bool{false, true} {
					a := askers[client.Name()]
					path, body := a.ask(string(far.Name())+"/m", stream)
					got := post(t, url+path, body)
					complain(t, http.StatusText(f.status), wiretest.ErrorComplaints(client.Name(), got.status, got.header, []byte(got.body)), &got)
					want := f.status
					if status := ownStatus[client.Name()][want]; status != 0 {
						want = status
					}
					if wait := got.header.Get("Retry-After"); got.status != want || wait != f.header.Get("Retry-After") {
						t.Errorf("%s client, %d of %s: got %d after %q: %s", client.Name(), f.status, far.Name(), got.status, wait, got.body)
					}
				}
			}
		}
	}
}
