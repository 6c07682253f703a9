package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/callwright/callwright/internal/fakellm"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

// runDemo runs the command line and gives its exit status and standard output.
func runDemo(t *testing.T, env map[string]string, args ...string) (status int, out string) {
	t.Helper()
	defer goleak.VerifyNone(t)
	var stdout, stderr bytes.Buffer
	std := streams{in: strings.NewReader(""), out: &stdout, err: &stderr}
	status = run(t.Context(), append([]string{"demo"}, args...), std, func(name string) (string, bool) {
		v, ok := env[name]
		return v, ok
	})
	if status != exitDone {
		t.Logf("standard error: %s", &stderr)
	}
	return status, stdout.String()
}

func TestDemoShowsEveryCase(t *testing.T) {
	for _, columns := range []string{"", "40", "100"} {
		env := map[string]string{"COLUMNS": columns}
		width := map[string]int{"": 80, "40": 40, "100": 100}[columns]
		status, out := runDemo(t, env)
		if status != exitDone {
			t.Fatalf("exit status %d\n%s", status, out)
		}
		for _, c := range demoCases {
			if !strings.Contains(out, "\n"+c.name+"\n") && !strings.HasPrefix(out, c.name+"\n") {
				t.Errorf("%s is not shown", c.name)
			}
		}
		lines := strings.Split(strings.TrimSpace(out), "\n")
		for _, line := range lines[:len(lines)-1] {
			if utf8.RuneCountInString(line) > width {
				t.Errorf("wider than %d columns: %s", width, line)
			}
		}
	}
}

func TestDemoAsData(t *testing.T) {
	status, out := runDemo(t, nil, "--json")
	if status != exitDone {
		t.Fatalf("exit status %d", status)
	}
	var doc struct {
		OK    bool
		Cases []struct {
			Name     string
			Sent     []demoSent
			Received *demoReceived
			Notes    *[]struct{ Rule string }
			Others   []demoOther
			OK       bool
		}
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	if !doc.OK || len(doc.Cases) != len(demoCases) {
		t.Errorf("ok is %t, %d cases of %d", doc.OK, len(doc.Cases), len(demoCases))
	}
	for i, c := range doc.Cases {
		want := &demoCases[i]
		switch {
		case c.Name != want.name || !c.OK:
			t.Errorf("case %d is %s, ok is %t", i, c.Name, c.OK)
		case len(c.Sent) == 0 || len(c.Sent[0].Lines) == 0:
			t.Errorf("%s: nothing was sent", c.Name)
		case c.Received == nil || len(c.Received.Turns) == 0 && c.Received.Error == nil:
			t.Errorf("%s: nothing was received", c.Name)
		case c.Notes == nil || len(*c.Notes) < len(want.want.rules):
			t.Errorf("%s: expected notes", c.Name)
		case len(c.Others) == 0:
			t.Errorf("%s: ran in one way only", c.Name)
		}
	}
}

func TestDemoCases(t *testing.T) {
	names, shown := map[string]bool{}, map[demoWay]int{}
	for _, c := range demoCases {
		if c.about == "" || names[c.name] {
			t.Errorf("%q: expected a name of its own and a sentence", c.name)
		}
		if _, ok := fakellm.ParseFault(c.model); !ok {
			t.Errorf("%s: no fault is called %q", c.name, c.model)
		}
		names[c.name] = true
		shown[c.shown]++
	}
	for _, way := range demoWays {
		if shown[way] < 3 {
			t.Errorf("%+v is shown %d times", way, shown[way])
		}
	}
}

// The demonstration must be able to fail: each of these expectations is wrong about a model that behaves well.
func TestDemoFails(t *testing.T) {
	right := demoWant{calls: []string{argsOslo}, untouched: true}
	broken := map[string]func(*demoWant){
		"arguments":  func(w *demoWant) { w.calls = []string{argsParis} },
		"no call":    func(w *demoWant) { w.calls = nil },
		"two calls":  func(w *demoWant) { w.calls = append(slices.Clone(w.calls), argsParis) },
		"text":       func(w *demoWant) { w.text = "It is sunny in Bergen" },
		"error":      func(w *demoWant) { w.code = "truncated" },
		"rule":       func(w *demoWant) { w.rules = []string{"json.trailing_comma"} },
		"as it is":   func(*demoWant) {},
		"known fine": func(w *demoWant) { w.untouched = false },
	}
	fine := []string{"as it is", "known fine"}
	for name, change := range broken {
		t.Run(name, func(t *testing.T) {
			want := right
			change(&want)
			out, err := runCases(t, demoCase{name: "well-behaved", about: "nothing", model: "native", shown: openAIWhole, want: want})
			if good := slices.Contains(fine, name); good != (err == nil) || good == strings.Contains(out, "WRONG") {
				t.Errorf("the command gives %v and prints\n%s", err, out)
			}
		})
	}
	t.Run("touched", func(t *testing.T) {
		out, err := runCases(t, demoCase{name: "touched", about: "a comma", model: "json_damage-trailing_comma", shown: openAIWhole, want: right})
		if err == nil || !strings.Contains(out, "expected the answer untouched") {
			t.Errorf("the command gives %v and prints\n%s", err, out)
		}
	})
}

func runCases(t *testing.T, cases ...demoCase) (out string, err error) {
	t.Helper()
	defer goleak.VerifyNone(t)
	var b bytes.Buffer
	a := &app{std: streams{out: &b, err: &b}, env: func(string) (string, bool) { return "", false }}
	d := demoCommand{cases: cases}
	err = d.run(t.Context(), a)
	return b.String(), err
}

// A client of the demonstration does not take a broken answer for a good one.
func TestDemoClientIsStrict(t *testing.T) {
	for name, c := range map[string]struct {
		api   demoAPI
		event []string
	}{
		"openai without index":      {demoOpenAI{}, []string{`{"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"f"}}]}}]}`}},
		"openai index beyond":       {demoOpenAI{}, []string{`{"choices":[{"delta":{"tool_calls":[{"index":1,"id":"a","function":{"name":"f"}}]}}]}`}},
		"openai colliding calls":    {demoOpenAI{}, []string{`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a"}]}}]}`, `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"b"}]}}]}`}},
		"openai error":              {demoOpenAI{}, []string{`{"error":{"message":"m","code":"c"}}`}},
		"openai no JSON":            {demoOpenAI{}, []string{`{`}},
		"anthropic stray arguments": {demoAnthropic{}, []string{`{"type":"content_block_delta","delta":{"type":"input_json_delta","partial_json":"{}"}}`}},
		"anthropic error":           {demoAnthropic{}, []string{`{"type":"error","error":{"type":"t","message":"m"}}`}},
	} {
		var turn demoTurn
		var err error
		for _, ev := range c.event {
			_, err = c.api.event(&turn, []byte(ev))
		}
		if err == nil {
			t.Errorf("%s: expected an error, got %+v", name, turn)
		}
	}
	c := demoClient{api: demoOpenAI{}}
	if _, err := c.readStream(strings.NewReader("data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n")); err == nil {
		t.Error("a stream without its end mark passed")
	}
}

// What is shown of an answer stands in its bytes as it is shown.
func TestDemoSent(t *testing.T) {
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
		a := &demoAnswer{status: http.StatusOK, stream: strings.HasPrefix(c.body, "data")}
		a.body.WriteString(c.body)
		got := a.sent()
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

func TestDemoStops(t *testing.T) {
	defer goleak.VerifyNone(t)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var out bytes.Buffer
	d := demoCommand{cases: demoCases[:1]}
	if err := d.run(ctx, &app{std: streams{out: &out}, env: func(string) (string, bool) { return "", false }}); err == nil {
		t.Errorf("expected an error, got\n%s", &out)
	}
}

// What a model wrote cannot move the cursor or paint the terminal, and long words fit its width.
func TestDemoPrinterIsSafe(t *testing.T) {
	var out bytes.Buffer
	a := &app{std: streams{out: &out}, env: func(name string) (string, bool) { return "44", name == "COLUMNS" }}
	newDemoPrinter(a).print([]demoResult{{Name: "n", About: strings.Repeat("ø", 100), demoRun: demoRun{
		Sent: []demoSent{{Status: http.StatusOK, Lines: []string{"\x1b[31mred\r\u009b" + strings.Repeat("x", 1000)}}},
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
