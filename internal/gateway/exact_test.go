package gateway_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

// A tap is an upstream that counts requests and keeps the last one, and what was answered to it.
type tap struct {
	http.Handler
	mu    sync.Mutex
	times int
	asked []byte
	got   *bytes.Buffer
}

func (p *tap) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(raw))
	rec := &recorded{w, p, &bytes.Buffer{}}
	p.mu.Lock()
	p.times, p.asked, p.got = p.times+1, raw, rec.body
	p.mu.Unlock()
	p.Handler.ServeHTTP(rec, r)
}

// A recorded keeps what is written.
type recorded struct {
	http.ResponseWriter
	tap  *tap
	body *bytes.Buffer
}

func (r *recorded) Write(b []byte) (int, error) {
	r.tap.mu.Lock()
	r.body.Write(b)
	r.tap.mu.Unlock()
	return r.ResponseWriter.Write(b)
}

func (r *recorded) Flush() { r.ResponseWriter.(http.Flusher).Flush() }

// withOptions resolves the models of a directory with options.
type withOptions struct {
	directory
	opts []reliable.Option
}

func (d withOptions) Resolve(name string) (*reliable.Client, error) {
	p, model := callwright.ModelID(name).Split()
	return reliable.New(d.directory[p].Model(model), d.opts...), nil
}

// reportedBy reads the report of an answer.
func reportedBy(t *testing.T, srv running, got answer) *callwright.Report {
	t.Helper()
	var rep callwright.Report
	shown := get(t, srv.URL+"/callwright/reports/"+reportID(got))
	if err := json.Unmarshal([]byte(shown.body), &rep); err != nil {
		t.Fatalf("%v: %s", err, shown.body)
	}
	return &rep
}

// exact asserts that an answer that is said to be untouched is: one request, its bytes but for the model's name, and the bytes that came
// back. It returns what the report says.
func (p *tap) exact(t *testing.T, srv running, path, body, model string) bool {
	t.Helper()
	p.mu.Lock()
	p.times = 0
	p.mu.Unlock()
	got := post(t, srv.URL+path, body)
	rep := reportedBy(t, srv, got)
	p.mu.Lock()
	defer p.mu.Unlock()
	_, name, _ := strings.Cut(model, "/")
	if !rep.Untouched || got.status != http.StatusOK {
		return false
	}
	if want := strings.Replace(body, model, name, 1); p.times != 1 || string(p.asked) != want {
		t.Errorf("untouched, and %d requests were sent\nthe client's %s\nthe last     %s", p.times, want, p.asked)
	}
	if got.body != p.got.String() {
		t.Errorf("untouched, and another answer was given\nit came as   %s\nit went as   %s", p.got.String(), got.body)
	}
	return true
}

// Untouched means the bytes: over every pair of APIs, under every policy, whole and streamed, whatever a model does.
func TestUntouchedMeansTheBytes(t *testing.T) {
	faults := simulate.Faults()
	for _, policy := range []callwright.Policy{callwright.PolicyHeal, callwright.PolicyStrict, callwright.PolicyObserve, callwright.PolicyOff} {
		up := &tap{Handler: simulate.New(simulate.Weather())}
		srv := serve(t, gateway.Config{Models: withOptions{models(t, up), []reliable.Option{reliable.WithPolicy(policy)}}})
		for _, client := range codecs.All() {
			for _, far := range codecs.All() {
				names := []string{"native"}
				if client.Name() == far.Name() && policy == callwright.PolicyHeal {
					for _, f := range faults {
						if !f.Stalls {
							names = append(names, f.Model())
						}
					}
				}
				for _, name := range names {
					for _, stream := range []bool{false, true} {
						t.Run(fmt.Sprintf("%s/%s to %s/%s/%t", policy, client.Name(), far.Name(), name, stream), func(t *testing.T) {
							model := string(far.Name()) + "/" + name
							a := askers[client.Name()]
							path, body := a.ask(model, stream)
							same := client.Name() == far.Name()
							if untouched := up.exact(t, srv, path, body, model); name == "native" && untouched != same {
								t.Errorf("untouched is %t", untouched)
							}
						})
					}
				}
			}
		}
	}
}

// Requests that are changed for their receiver are not untouched, although the answer is.
func TestChangedRequestsAreNotUntouched(t *testing.T) {
	const call = `{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]},{"role":"tool","tool_call_id":"c1","content":"4 degrees"}`
	refusing := func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		if bytes.Contains(raw, []byte("stream_options")) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error":{"message":"Unrecognized request argument supplied: stream_options","type":"invalid_request_error"}}`)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(raw))
		simulate.New(simulate.Weather()).ServeHTTP(w, r)
	}
	answered := `"contents":[{"role":"user","parts":[{"text":"What is the weather in Oslo and Rome?"}]},{"role":"model","parts":[{"functionCall":{"name":"get_weather","args":{"city":"Oslo"}}},{"functionCall":{"name":"get_weather","args":{"city":"Rome"}}}]},` +
		`{"role":"user","parts":[{"functionResponse":{"name":"get_weather","response":{"t":4}}}]},{"role":"user","parts":[{"functionResponse":{"name":"get_weather","response":{"t":9}}}]}]`
	for name, tc := range map[string]struct {
		upstream   http.Handler
		facts      []caps.Fact
		path, body string
		model      string
		now        string // what the receiver gets and the client did not send, "" where something is left out
		gone       string
	}{
		"reasoning that the receiver insists on": {simulate.New(simulate.Weather()), []caps.Fact{{Key: "reasoning_back", Value: "calls"}},
			chat, `{"model":"openai/native","messages":[{"role":"user","content":"What is the weather in Oslo?"},` + call + `]}`, "openai/native", `"reasoning_content":" "`, ""},
		"results that are joined": {simulate.New(simulate.Weather()), nil,
			"/v1beta/models/gemini/native:generateContent", `{` + answered + `}`, "gemini/native", `{"t":4}}},{"functionResponse"`, ""},
		"a member that was refused": {http.HandlerFunc(refusing), nil,
			chat, question(chat, "openai/native", `,"stream":true,"stream_options":{"include_usage":true}`), "openai/native", "", "stream_options"},
	} {
		t.Run(name, func(t *testing.T) {
			up := &tap{Handler: tc.upstream}
			srv := serve(t, gateway.Config{Models: withOptions{models(t, up), []reliable.Option{reliable.WithFacts(tc.facts...)}}})
			if up.exact(t, srv, tc.path, tc.body, tc.model) {
				t.Error("the report says untouched")
			}
			if !bytes.Contains(up.asked, []byte(tc.now)) || tc.gone != "" && bytes.Contains(up.asked, []byte(tc.gone)) {
				t.Errorf("the request is not changed: %s", up.asked)
			}
		})
	}
}

// Under the policy strict, another API on the far side is no reason to refuse an answer.
func TestStrictTakesAnswersOfEveryAPI(t *testing.T) {
	srv := serve(t, gateway.Config{Models: withOptions{models(t, simulate.New(simulate.Weather())), []reliable.Option{reliable.WithPolicy(callwright.PolicyStrict)}}})
	for _, client := range codecs.All() {
		for _, far := range codecs.All() {
			for _, stream := range []bool{false, true} {
				a := askers[client.Name()]
				path, body := a.ask(string(far.Name())+"/native", stream)
				for what, body := range map[string]string{"a call": body, "a text": strings.ReplaceAll(body, "What is the weather in Oslo?", "Hello")} {
					got := post(t, srv.URL+path, body)
					if rep := reportedBy(t, srv, got); got.status != 200 || len(rep.Attempts) != 1 || rep.Attempts[0].Kind != "" {
						t.Errorf("%s to %s, stream %t, %s: %d %s", client.Name(), far.Name(), stream, what, got.status, got.body)
					}
				}
			}
		}
	}
	for _, stream := range []string{"", `,"stream":true`} {
		got := post(t, srv.URL+chat, question(chat, "openai/hermes", stream))
		if !strings.Contains(got.body, "change_needed") && !strings.Contains(got.body, "policy strict") {
			t.Errorf("a call in text is taken: %d %s", got.status, got.body)
		}
	}
}

// likeOthers are simulated faults that nothing tells from those of another class, or that show nothing that is mended.
var likeOthers = map[string]bool{
	"in_think-prefilled": true, "no_tools_404": true, "tools_ignored_200": true,
	"quoted_markup": true, "intent_no_call": true, "injected_result_markup": true, "glm-noarg": true,
}

// What is mended is noted with the class of the fault.
func TestNotesHaveTheClassOfTheFault(t *testing.T) {
	srv := simulated(t)
	classes := map[string]int{}
	for _, f := range simulate.Faults() {
		switch f.Class {
		case "F02", "F04", "F06", "F07", "F10", "F11", "F13", "F14", "F15", "F16", "F18", "F19", "F20", "F22", "F25", "F27", "F30":
		default:
			continue
		}
		if likeOthers[f.Model()] || f.Provoked {
			continue
		}
		for name, a := range askers {
			if len(f.Wires) > 0 && !slices.Contains(f.Wires, string(name)) {
				continue
			}
			for _, stream := range []bool{false, true} {
				if f.StreamOnly && !stream {
					continue
				}
				path, body := a.ask(string(name)+"/"+f.Model(), stream)
				rep := reportedBy(t, srv, post(t, srv.URL+path, body))
				if !slices.ContainsFunc(rep.Notes, func(n callwright.Note) bool { return n.Fault == f.Class }) {
					t.Errorf("%s over %s, stream %t: no note has the class %s: %+v", f.Model(), name, stream, f.Class, rep.Notes)
				}
				classes[f.Class]++
			}
		}
	}
	for _, class := range []string{"F10", "F13", "F14", "F16", "F25"} {
		if classes[class] == 0 {
			t.Errorf("no simulated model is of class %s", class)
		}
	}
}
