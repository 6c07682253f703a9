package simulate_test

import (
	"fmt"
	"math"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/internal/recorded"
	"github.com/callwright/callwright/simulate"
)

func TestParseMix(t *testing.T) {
	for text, why := range map[string]string{
		"hermes-unclosed=0.5,429=0.25":  "",
		"json_damage":                   "",
		"midstream-cut=0, stringify=.1": "",
		"hermes=0.6,429=0.6":            "at most 1, got 1.2",
		"hermes=2":                      "probability from 0 to 1",
		"hermes=x":                      "probability from 0 to 1",
		"hermes=NaN":                    "probability from 0 to 1",
		"hermes=-0.1":                   "probability from 0 to 1",
		"gpt":                           `unknown fault "gpt"`,
		"hermes-unclsed=1":              "its variants are plain, unclosed",
		"":                              "unknown fault",
	} {
		_, err := simulate.ParseMix(text)
		if why == "" && err != nil || why != "" && (err == nil || !strings.Contains(err.Error(), why)) {
			t.Errorf("%q: got error %v, want %q", text, err, why)
		}
	}
}

// answerTo serves a request in this goroutine and returns the answer's status and body.
func answerTo(s *simulate.Server, city string) string {
	body := `{"model":"m","messages":[{"role":"user","content":"What is the weather in ` + city + `?"}],
		"tools":[{"type":"function","function":{"name":"get_weather","parameters":` + simulate.WeatherSchema + `}}]}`
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("POST", "/v1/chat/completions", strings.NewReader(body)))
	return fmt.Sprint(w.Code, " ", w.Body)
}

func mixOf(t *testing.T, text string) simulate.Mix {
	t.Helper()
	m, err := simulate.ParseMix(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Faults come as often as the mix says, and the same ones for the same seed, in whatever order requests come.
func TestMixIsDrawnBySeed(t *testing.T) {
	mix, requests, near := mixOf(t, "text_json=0.2,429=0.1"), 2000, 0.03
	if !longtest.IsEnabled() {
		requests, near = 400, 0.06
	}
	run := func(seed uint64, backwards, atOnce bool) []string {
		s := simulate.New(simulate.Weather(), simulate.WithMix(mix, seed))
		out := make([]string, requests)
		var wait sync.WaitGroup
		for i := range out {
			if backwards {
				i = len(out) - 1 - i
			}
			one := func() {
				out[i] = answerTo(s, "A"+strings.Repeat("a", i%(requests/2))) + answerTo(s, fmt.Sprintf("B%s", strings.Repeat("b", i)))
			}
			if atOnce && i >= requests/2 { // the second time of a request comes after the first in any case
				wait.Go(one)
			} else {
				one()
			}
		}
		wait.Wait()
		return out
	}
	first, again := run(7, false, false), run(7, false, true)
	for i := range first {
		if first[i] != again[i] {
			t.Fatalf("request %d: got %s, and another time %s", i, first[i], again[i])
		}
	}
	count := func(all []string, part string) (n float64) {
		for _, s := range all {
			n += float64(strings.Count(s, part))
		}
		return n / float64(2*len(all))
	}
	for part, p := range map[string]float64{`"content":"{\"name`: 0.2, "429 ": 0.1} {
		if got := count(first, part); math.Abs(got-p) > near {
			t.Errorf("%s: %.3f of the answers, want %.3f", part, got, p)
		}
	}
	other := run(8, true, false)
	same := 0
	for i := range first {
		if first[i] == other[i] {
			same++
		}
	}
	if same == len(first) {
		t.Error("another seed gives the same answers")
	}
}

// The same request draws anew each time that it comes.
func TestMixDrawsAnewForRepeatedRequests(t *testing.T) {
	s := simulate.New(simulate.Weather(), simulate.WithMix(mixOf(t, "503=0.5"), 1))
	failed := 0
	for range 200 {
		if strings.HasPrefix(answerTo(s, "Oslo"), "503") {
			failed++
		}
	}
	if failed < 60 || failed > 140 {
		t.Errorf("%d of 200 failed, want about half", failed)
	}
}

// A drawn refusal is one only of requests that give cause.
func TestMixRefusesWithCause(t *testing.T) {
	base, _ := start(t, simulate.Weather(), simulate.WithMix(mixOf(t, "tools_over_limit=1"), 1))
	c := conversation{model: "m", tools: true, messages: ask(twoCities)}
	if got := send(t, base, simulate.OpenAI, c.body(simulate.OpenAI)); len(got.calls) != 2 {
		t.Errorf("got %s", got)
	}
	c.members = object{"tools": []any{}}
	for range 129 {
		c.members["tools"] = append(c.members["tools"].([]any), object{"type": "function", "function": object{"name": "a"}})
	}
	if got := send(t, base, simulate.OpenAI, c.body(simulate.OpenAI)); got.status != 400 || !strings.Contains(got.err, "array too long") {
		t.Errorf("got %s", got)
	}
}

// Families are mixes that can be drawn from, every number with a source, each a name and a sentence.
func TestFamiliesAreSound(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range simulate.Families() {
		if seen[f.Name] || f.Name == "" || f.Doc == "" {
			t.Errorf("%+v: expected a name of its own and a sentence", f)
		}
		seen[f.Name] = true
		simulate.WithMix(f.Mix, 1) // panics for a mix that is none
		for _, s := range slices.Concat(f.Mix.Forms, f.Mix.Faults, f.Mix.Habits) {
			if s.Source == "" || s.P <= 0 {
				t.Errorf("%s: %v: expected a probability and its source", f.Name, s.Fault)
			}
		}
		if got, ok := simulate.FamilyNamed(f.Name); !ok || got.Doc != f.Doc {
			t.Errorf("%s is not found by its name", f.Name)
		}
	}
	for _, want := range []string{"openai", "claude", "llama"} {
		if !seen[want] {
			t.Errorf("no family %s", want)
		}
	}
}

// A mix that a program made is held to the same bounds.
func TestMixCheck(t *testing.T) {
	for _, p := range []float64{-0.1, 1.1, math.NaN(), math.Inf(-1)} {
		for _, m := range []simulate.Mix{{Faults: []simulate.Share{{Fault: simulate.Fault{Name: "hermes"}, P: p}}}, {Forms: []simulate.Share{{Fault: simulate.Fault{Name: "hermes"}, P: p}}}} {
			if err := m.Check(); err == nil {
				t.Errorf("%v is a probability", p)
			}
		}
	}
}

func TestParseLatency(t *testing.T) {
	got, err := simulate.ParseLatency("first=200ms, token=10ms,jitter=0.5")
	if want := (simulate.Latency{First: 200 * time.Millisecond, Token: 10 * time.Millisecond, Jitter: 0.5}); err != nil || got != want {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, text := range []string{"", "first", "first=-1s", "jitter=2", "jitter=NaN", "last=1s", "token=2000000h"} {
		if _, err := simulate.ParseLatency(text); err == nil {
			t.Errorf("%q: want an error", text)
		}
	}
}

// Answers take as long as the latency says, with its jitter and the same for the same seed.
func TestLatency(t *testing.T) {
	took := func(stream bool, jitter float64) time.Duration {
		var d time.Duration
		synctest.Test(t, func(*testing.T) {
			s := simulate.New(func(simulate.Seen) simulate.Turn { return simulate.Turn{Text: "0123456789"} },
				simulate.Slow(simulate.Latency{First: time.Second, Token: 10 * time.Millisecond, Jitter: jitter}), simulate.WithMix(simulate.Mix{}, 3))
			begin := time.Now()
			s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/v1/chat/completions",
				strings.NewReader(fmt.Sprintf(`{"model":"m","stream":%t,"messages":[{"role":"user","content":"Hi"}]}`, stream))))
			d = time.Since(begin)
		})
		return d
	}
	if got, want := took(false, 0), time.Second+30*time.Millisecond; got != want {
		t.Errorf("whole: took %v, want %v", got, want)
	}
	if got, want := took(true, 0), time.Second+40*time.Millisecond; got != want { // role, two pieces, finish and the end: four pauses between them
		t.Errorf("streamed: took %v, want %v", got, want)
	}
	jittered := took(true, 0.5)
	if jittered == took(true, 0) || jittered < 500*time.Millisecond || jittered > 1600*time.Millisecond || jittered != took(true, 0.5) {
		t.Errorf("with jitter: took %v, and then %v", jittered, took(true, 0.5))
	}
}

// Names of tools with other characters are taken where the server is told to.
func TestAnyNames(t *testing.T) {
	for wire, tools := range map[string]string{
		simulate.OpenAI:    `[{"type":"function","function":{"name":"a.b"}}]`,
		simulate.Responses: `[{"type":"function","name":"a.b"}]`,
		simulate.Anthropic: `[{"name":"a.b","input_schema":{"type":"object"}}]`,
	} {
		for status, opts := range map[int][]simulate.Option{400: nil, 200: {simulate.AnyNames()}} {
			base, _ := start(t, simulate.AnyTools(), opts...)
			body := over(t, wire, `"tools":`+tools)
			body["model"], body["stream"] = "m", false
			if got := send(t, base, wire, body); got.status != status {
				t.Errorf("%s: want status %d, got %s", wire, status, got)
			}
		}
	}
}

func TestRecordings(t *testing.T) {
	lines := `{"prompt":"Weather?","text":"<tool_call>{}</tool_call>"}
{"prompt":"Weather?","text":"It is warm.","reasoning":"Hm."}

{"match":"two","model":"big","calls":[{"name":"add","arguments":{"a":12345678901234567890}}],"finish":"stop"}
{"match":"raw","raw":"{\"odd\":}"}
`
	recordings, err := recorded.Read(strings.NewReader(lines))
	if err != nil {
		t.Fatal(err)
	}
	base, _ := start(t, recorded.Script(recordings))
	for _, tc := range []struct{ model, prompt, want string }{
		{"a", "Weather?", "text: <tool_call>{}</tool_call>\n"}, {"a", "Weather?", "reasoning: Hm."}, {"a", "Weather?", "text: It is warm."},
		{"lab/big", "Add two.", `args={"a":12345678901234567890}`}, {"small", "Add two.", "status 404"}, {"a", "Other", "no recorded answer"},
	} {
		for _, wire := range wires {
			c := conversation{model: tc.model, tools: true, messages: ask(tc.prompt)}
			if got := send(t, base, wire, c.body(wire)); !strings.Contains(got.String(), tc.want) {
				t.Errorf("%s on %s: want %q in %s", tc.prompt, wire, tc.want, got)
			}
		}
	}
	s := simulate.New(recorded.Script(recordings))
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("POST", "/v1/chat/completions", strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"raw"}]}`)))
	if w.Body.String() != `{"odd":}` {
		t.Errorf("raw: got %s", w.Body)
	}
	for _, bad := range []string{`{"prompt":`, `{"promt":"x"}`, `{"prompt":"x"} {"prompt":"y"}`, `{"prompt":"x"}]`, `{"prompt":"` + strings.Repeat("x", 16<<20) + `"}`} {
		if _, err := recorded.Read(strings.NewReader("{}\n" + bad)); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%.60s: got %v", bad, err)
		}
	}
}
