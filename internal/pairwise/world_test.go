package pairwise_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/gateway"
)

// A world is one case: a client of one API, a gateway, and two providers, of which the second is asked where a feature says so.
type world struct {
	client    *api
	providers [2]*api
	stream    bool
	settings  [2]obj // of the models, by the keys of the configuration
	general   obj    // of both models
	caps      obj    // facts about both models
	rules     []obj  // call rules
	request   request
	steps     []*step
	model     model
	policy    string
	features  []*feature
	back      func(w *world, k int, r *request) // what else the client says at step k

	log     []*sent
	now     int // the step
	replies int // of the model so far
}

// A step is one request of the client: a question, or the results of the calls before it.
type step struct {
	question string
	calls    []intent
	text     string // what is said beside the calls, or in place of them
	wrong    bool   // the first calls break their contracts
	barred   bool   // the first call is one that the call rule refuses, until the model was told
	insists  bool   // and it is made again and again

	// What the client gets.
	answer *answer
	report callwright.Report
	body   string // of the response
	asked  string // the body of the request
}

// An intent is a call that the model means to make: the tool by its description, and its input.
type intent struct{ about, input string }

// A sent is a request that reached a provider, and what it said to it.
type sent struct {
	step, provider int
	seen           *seen
	kind           string // what the model did: answered, searched, wrong, failed
	text, state    string // of its reply
	replied        string // the body of the response
}

// caseBase is where no server is.
const caseBase = "http://provider.invalid"

// play runs the conversation and returns what went wrong on the way, "" if nothing did.
func (w *world) play(t *testing.T) {
	t.Helper()
	text := js(w.config())
	c, err := config.Parse([]byte(text), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	count := 0
	models, err := config.NewRegistry(c, config.WithEnv(func(string) (string, bool) { return "", false }),
		config.WithIDs(func(prefix string) string { count++; return fmt.Sprintf("%s%032d", prefix, count) }),
		config.WithTransport(func(provider string, _ callwright.WireName, _ http.RoundTripper) http.RoundTripper {
			return transport(func(r *http.Request) (*http.Response, error) { return w.serve(provider, r) })
		}))
	if err != nil {
		t.Fatal(err)
	}
	defer models.Close()
	server := gateway.New(gateway.Config{Models: models, Reuse: gateway.Reuse{Bodies: true}})
	var talk []entry
	for k, s := range w.steps {
		w.now = k
		r := w.request
		r.model, r.stream = "far/m", w.stream
		if s.question != "" {
			talk = append(talk, entry{user: s.question})
		} else {
			before := w.steps[k-1].answer
			talk = append(talk, entry{results: w.results(before)})
		}
		r.talk = talk
		if w.back != nil {
			w.back(w, k, &r)
		}
		s.asked = js(w.client.ask(&r))
		req := httptest.NewRequest(http.MethodPost, w.client.path(r.model, r.stream), strings.NewReader(s.asked))
		req.Host = "localhost"
		req.Header.Set("Content-Type", "application/json")
		resp := httptest.NewRecorder()
		serveHTTP(server, resp, req)
		s.body = resp.Body.String()
		s.answer = w.client.got(resp.Code, s.body, w.stream)
		s.report = reportOf(t, server, resp.Header().Get("Callwright-Report"))
		if s.answer.fail != "" || len(s.answer.calls) == 0 && k+1 < len(w.steps) && w.steps[k+1].question == "" {
			return
		}
		talk = append(talk[:len(talk):len(talk)], entry{said: s.answer.said})
	}
}

// results are those of the calls of an answer.
func (w *world) results(a *answer) (out []result) {
	for i, c := range a.calls {
		out = append(out, result{c.id, c.name, resultOf(w.now, i), c.custom})
	}
	return out
}

// resultOf is the text of a result. It is an object with members that say nothing.
func resultOf(step, i int) string {
	return fmt.Sprintf(`{"lines":"LINES-%d-%d","warnings":[],"errors":[]}`, step, i)
}

// lines is what no other result has.
func lines(step, i int) string { return fmt.Sprintf("LINES-%d-%d", step, i) }

func (w *world) config() obj {
	providers, models := obj{}, obj{}
	for i, name := range []string{"far", "next"} {
		p := w.providers[i]
		providers[name] = obj{"wire": p.name, "base_url": caseBase + p.base, "api_key": "k", "discover": "off"}
		m := obj{"max_retries": 0}
		for _, from := range []obj{w.general, w.settings[i]} {
			for key, value := range from {
				m[key] = value
			}
		}
		if len(w.caps) > 0 {
			m["caps"] = w.caps
		}
		models[name+"/m"] = m
	}
	return obj{"providers": providers, "models": models, "call_rules": w.rules}
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// serve plays a provider.
func (w *world) serve(provider string, r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	at := &sent{step: w.now}
	if provider == "next" {
		at.provider = 1
	}
	a := w.providers[at.provider]
	at.seen = a.saw(r.URL.RequestURI(), body)
	w.log = append(w.log, at)
	resp := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Request: r, ProtoMajor: 1, ProtoMinor: 1, ContentLength: -1}
	kind := "application/json"
	if w.model.down != nil && w.model.down(at.provider, w.now) {
		at.kind, resp.StatusCode, at.replied = "failed", http.StatusInternalServerError, a.fail(http.StatusInternalServerError, "The server had an error.")
	} else {
		said := w.say(at)
		at.text, at.state = said.text, said.state
		kind, at.replied = a.write(said, at.seen)
	}
	resp.Header.Set("Content-Type", kind)
	resp.Body = io.NopCloser(bytes.NewReader([]byte(at.replied)))
	return resp, nil
}

// reportOf returns the report of a response by its header.
func reportOf(t *testing.T, server http.Handler, header string) (rep callwright.Report) {
	t.Helper()
	id, _, _ := strings.Cut(strings.TrimPrefix(header, "id="), ";")
	req := httptest.NewRequest(http.MethodGet, "/callwright/reports/"+id, nil)
	req.Host = "localhost"
	resp := httptest.NewRecorder()
	server.ServeHTTP(resp, req)
	if err := json.Unmarshal(resp.Body.Bytes(), &rep); err != nil || rep.ID != id {
		t.Fatalf("no report for %q: %v %s", header, err, resp.Body)
	}
	return rep
}

// serveHTTP has a server answer. A stream that it breaks ends with an error that the client reads.
func serveHTTP(server http.Handler, w http.ResponseWriter, r *http.Request) {
	defer func() {
		if v := recover(); v != nil && v != http.ErrAbortHandler {
			panic(v)
		}
	}()
	server.ServeHTTP(w, r)
}
