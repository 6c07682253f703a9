package config_test

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/simulate"
)

// exchangeOf is a request to a provider. It is answered where the answer came whole and is no error: others are sent again as they are.
type exchangeOf struct {
	body     []byte
	answered bool
}

// TestRequestsDiffer: no request of a client leads to two equal requests to a provider that has answered the first.
func TestRequestsDiffer(t *testing.T) {
	unread := []string{"midstream", "utf8_split"} // no answer can be read
	faults := slices.DeleteFunc(simulate.Faults(), func(f simulate.FaultInfo) bool { return f.Stalls || slices.Contains(unread, f.Name) })
	for _, to := range codecs.All() {
		for _, mode := range []string{"native", "text", "json_object", "json_schema", "auto"} {
			t.Run(string(to.Name())+"/"+mode, func(t *testing.T) {
				var turns []simulate.Turn
				var mu sync.Mutex // a request that was given up may be under way when the next is sent
				var sent []*exchangeOf
				sim := simulate.New(func(simulate.Seen) simulate.Turn { return turns[min(len(sent), len(turns))-1] })
				srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					body, _ := io.ReadAll(r.Body)
					r.Body = io.NopCloser(bytes.NewReader(body))
					x, rec := &exchangeOf{body: append([]byte(r.URL.Path+" "), body...)}, httptest.NewRecorder()
					mu.Lock()
					defer mu.Unlock()
					sent = append(sent, x)
					sim.ServeHTTP(rec, r) // panics where it breaks off
					x.answered = rec.Code == http.StatusOK
					maps.Copy(w.Header(), rec.Header())
					w.WriteHeader(rec.Code)
					_, _ = w.Write(rec.Body.Bytes())
				}))
				t.Cleanup(srv.Close)
				r := registry(t, parse(t, "providers: {lab: {wire: "+string(to.Name())+", base_url: "+baseOf(to.Name(), srv.URL)+"}}\nmodels: {m: {model: lab/m, max_corrections: 3, mode: "+mode+"}}"))
				rapid.Check(t, func(rt *rapid.T) {
					g := rapid.SampledFrom(guarantees).Draw(rt, "guarantee")
					drawn := rapid.SliceOfN(answers(), 1, 2).Draw(rt, "answers")
					for i := range drawn {
						drawn[i].Finish = rapid.SampledFrom([]string{"", "", "length", "stop"}).Draw(rt, "finish")
						if f, at := rapid.SampledFrom(faults).Draw(rt, "fault"), string(to.Name()); slices.Contains(f.Wires, at) && rapid.Bool().Draw(rt, "faulty") {
							drawn[i].Fault, _ = simulate.ParseFault(f.Model())
						}
					}
					client, err := r.Resolve("m")
					if err != nil {
						rt.Fatal(err)
					}
					req := weather("m")
					req.Tools = append(req.Tools, callwright.Tool{Name: "get_time"})
					g.demand(&req.Params)
					for name, ask := range map[string]func() (*callwright.Response, error){
						"whole":  func() (*callwright.Response, error) { return client.Generate(t.Context(), req) },
						"stream": func() (*callwright.Response, error) { return collect(t, client, req) },
					} {
						mu.Lock()
						turns, sent = drawn, nil
						mu.Unlock()
						_, _ = ask()
						mu.Lock()
						for i, x := range sent {
							if n := slices.IndexFunc(sent[:i], func(b *exchangeOf) bool { return b.answered && bytes.Equal(b.body, x.body) }); n >= 0 {
								rt.Errorf("%s, %s: requests %d and %d of %d are equal: %s", g.name, name, n, i, len(sent), x.body)
							}
						}
						mu.Unlock()
					}
				})
			})
		}
	}
}

// TestRequestsDifferAfterLoop: the correction after a request that leaves a cut answer out follows the corrections before that answer.
func TestRequestsDifferAfterLoop(t *testing.T) {
	turn := simulate.Turn{Text: "It is cold there.", Calls: []simulate.Call{{Name: "get_news", Arguments: "{}"}}}
	turn.Fault, _ = simulate.ParseFault("stubborn-loop")
	var mu sync.Mutex
	var sent [][]byte
	sim := simulate.New(func(simulate.Seen) simulate.Turn { return turn })
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		mu.Lock()
		sent = append(sent, body)
		mu.Unlock()
		sim.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	r := registry(t, parse(t, "providers: {lab: {wire: openai, base_url: "+srv.URL+"/v1}}\nmodels: {m: {model: lab/m, max_corrections: 3, mode: native}}"))
	client, err := r.Resolve("m")
	if err != nil {
		t.Fatal(err)
	}
	req := weather("m")
	req.Tools, req.Params.Parallel = append(req.Tools, callwright.Tool{Name: "get_time"}), new(bool)
	_, _ = client.Generate(t.Context(), req)
	mu.Lock()
	defer mu.Unlock()
	if len(sent) < 4 {
		t.Errorf("%d requests, expected 4 at least", len(sent))
	}
	for i, body := range sent {
		if n := slices.IndexFunc(sent[:i], func(b []byte) bool { return bytes.Equal(b, body) }); n >= 0 {
			t.Errorf("requests %d and %d are equal: %s", n, i, body)
		}
	}
}
