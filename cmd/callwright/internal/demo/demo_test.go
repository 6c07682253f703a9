package demo

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/simulate"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

// Each case is named by a fault of the simulator, under which a model misbehaves so, and by no other name but its earlier one.
func TestCases(t *testing.T) {
	names, shown := map[string]bool{}, map[way]int{}
	for _, c := range cases {
		if c.About == "" {
			t.Errorf("%q: expected a sentence", c.Name)
		}
		fault, ok := simulate.ParseFault("sim/" + c.Name)
		if !ok || strings.Join(append([]string{fault.Name}, fault.Options...), "-") != c.Name {
			t.Errorf("no fault is called %q", c.Name)
		}
		if len(fault.Options) == 0 && faultOf(c.Name).Variant != "" {
			t.Errorf("%s: expected the variant, as the list of faults has it", c.Name)
		}
		for _, name := range []string{c.Name, c.Earlier} {
			if name != "" && names[name] {
				t.Errorf("%q names two cases", name)
			}
			names[name] = true
		}
		if f, ok := simulate.ParseFault(c.Earlier); ok && f.Name != fault.Name {
			t.Errorf("%s: its earlier name is that of the fault %s", c.Name, f.Name)
		}
		shown[c.shown]++
	}
	for _, way := range ways {
		if shown[way] < 3 {
			t.Errorf("%+v is shown %d times", way, shown[way])
		}
	}
}

// The demonstration must be able to fail: each of these expectations is wrong about a model that behaves well.
func TestFails(t *testing.T) {
	right := want{calls: []string{argsOslo}, untouched: true}
	broken := map[string]func(*want){
		"arguments":  func(w *want) { w.calls = []string{argsParis} },
		"no call":    func(w *want) { w.calls = nil },
		"two calls":  func(w *want) { w.calls = append(slices.Clone(w.calls), argsParis) },
		"text":       func(w *want) { w.text = "It is sunny in Bergen" },
		"error":      func(w *want) { w.code = "truncated" },
		"rule":       func(w *want) { w.rules = []string{"json.trailing_comma"} },
		"as it is":   func(*want) {},
		"known fine": func(w *want) { w.untouched = false },
	}
	fine := []string{"as it is", "known fine"}
	for name, change := range broken {
		t.Run(name, func(t *testing.T) {
			want := right
			change(&want)
			out, passed := runCases(t, Case{Name: "native", About: "nothing", shown: openAIWhole, want: want})
			if good := slices.Contains(fine, name); good != passed || good == strings.Contains(out, "WRONG") {
				t.Errorf("passed: %t, printed\n%s", passed, out)
			}
		})
	}
	t.Run("touched", func(t *testing.T) {
		out, passed := runCases(t, Case{Name: "json_damage-trailing_comma", About: "a comma", shown: openAIWhole, want: right})
		if passed || !strings.Contains(out, "expected the answer untouched") {
			t.Errorf("passed: %t, printed\n%s", passed, out)
		}
	})
}

// runCases plays cases, and returns what is printed of them and whether all passed.
func runCases(t *testing.T, cases ...Case) (out string, passed bool) {
	t.Helper()
	defer goleak.VerifyNone(t)
	results, err := Run(t.Context(), cases)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	Print(paint.New(&b, noEnv), results, 0)
	return b.String(), !slices.ContainsFunc(results, func(r Result) bool { return !r.HasPassed() })
}

func noEnv(string) (string, bool) { return "", false }

// A client of the demonstration does not take a broken answer for a good one.
func TestClientIsStrict(t *testing.T) {
	const form = "data: %s\n\n"
	const end = `{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`
	for name, events := range map[string][]string{
		"no index":      {`{"choices":[{"index":0,"delta":{"tool_calls":[{"id":"a","function":{"name":"get_weather","arguments":"{}"}}]}}]}`, end, "[DONE]"},
		"one index":     {`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"get_weather","arguments":"{}"}}]}}]}`, `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"b","function":{"name":"get_weather","arguments":"{}"}}]}}]}`, end, "[DONE]"},
		"wrong finish":  {`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"get_weather","arguments":"{}"}}]}}]}`, `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`, "[DONE]"},
		"no JSON":       {"{", "[DONE]"},
		"no end":        {`{"choices":[{"index":0,"delta":{"content":"a"}}]}`},
		"an error only": {`{"error":{"message":"m","code":"c"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				for _, ev := range events {
					fmt.Fprintf(w, form, ev)
				}
			}))
			defer srv.Close()
			l := &lab{base: srv.URL, client: srv.Client(), pool: &http.Transport{}}
			defer l.pool.CloseIdleConnections()
			c, err := l.newClient(callwright.WireOpenAI, "demo/m", true)
			if err != nil {
				t.Fatal(err)
			}
			turn, _, err := c.ask(t.Context(), askOslo, nil)
			if err != nil {
				return
			}
			var problems []string
			r := Received{Turns: []Turn{turn}}
			r.check(callwright.FinishStop, func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) })
			if len(problems) == 0 {
				t.Errorf("expected an error or a problem, got %+v", turn)
			}
		})
	}
}

// What is shown of an answer stands in its bytes as it is shown.
func TestSent(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want []string
	}{
		"openai whole": {`{"id":"x","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[ {"id":"a"} ]},"finish_reason":"stop"}]}`,
			[]string{`"tool_calls":[ {"id":"a"} ]`, `"finish_reason":"stop"`}},
		"openai stream": {"data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"},\"finish_reason\":null}]}\n\n" +
			"data: {\"choices\":[{\"delta\":{\"content\":\"<tool\"}}]}\n\ndata: [DONE]\n\n", []string{`{"content":"<tool"}`}},
		"anthropic whole": {`{"content":[{"type":"text","text":"a\u0062"}],"stop_reason":"end_turn"}`,
			[]string{`{"type":"text","text":"a\u0062"}`, `"stop_reason":"end_turn"`}},
		"anthropic stream": {"data: {\"type\":\"content_block_start\",\"content_block\":{\"type\":\"tool_use\",\"id\":\"a\"}}\n\n" +
			"data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\"}}\n\n",
			[]string{`{"type":"tool_use","id":"a"}`, `{"type":"input_json_delta","partial_json":"{"}`}},
		"refusal":  {`{"error":{"message":"no","failed_generation":"f()"}}`, []string{`"failed_generation":"f()"`}},
		"error":    {`{"error":{"message":"no"}}`, []string{`"message":"no"`}},
		"not JSON": {`<html>`, []string{`<html>`}},
	} {
		a := &recording{status: http.StatusOK, stream: strings.HasPrefix(c.body, "data")}
		a.body.WriteString(c.body)
		got := a.buildSent()
		if diff := cmp.Diff(c.want, got.Lines); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		for _, line := range got.Lines {
			if !strings.Contains(c.body, line) {
				t.Errorf("%s: %s does not stand in the answer", name, line)
			}
		}
	}
}

func TestStops(t *testing.T) {
	defer goleak.VerifyNone(t)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	results, err := Run(ctx, cases[:1])
	if err == nil && results[0].HasPassed() {
		t.Errorf("a stopped demonstration passes: %+v", results)
	}
}

// What a model wrote cannot move the cursor or paint the terminal, and long words fit its width.
func TestPrinterIsSafe(t *testing.T) {
	var out bytes.Buffer
	to := paint.New(&out, func(name string) (string, bool) { return "44", name == "COLUMNS" })
	Print(to, []Result{{Name: "n", About: strings.Repeat("ø", 100), Loop: Loop{
		Sent: []Sent{{Status: http.StatusOK, Lines: []string{"\x1b[31mred\r\u009b" + strings.Repeat("x", 1000)}}},
	}}}, 0)
	if strings.ContainsAny(out.String(), "\x1b\r\u009b") {
		t.Errorf("control characters are printed: %q", &out)
	}
	for line := range strings.Lines(out.String()) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 44 && !strings.HasPrefix(line, "1 misbehaviour ") {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}
