package promptcmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/bfcl"
)

// A model answers with the result of a function of the request.
type model struct {
	asked []*callwright.Request
	say   func(req *callwright.Request) (*callwright.Response, error)
}

func (m *model) Generate(_ context.Context, req *callwright.Request) (*callwright.Response, error) {
	m.asked = append(m.asked, req)
	return m.say(req)
}

func (m *model) Stream(context.Context, *callwright.Request) iter.Seq2[callwright.Event, error] {
	panic("nothing is streamed")
}

func says(text string) *callwright.Response {
	return &callwright.Response{Parts: []callwright.Part{callwright.Text{Text: text}}, Finish: callwright.FinishStop, Usage: callwright.Usage{Known: true, Input: 10, Output: 5}}
}

// run executes a command line on a model and returns its output.
func command(m *model, args ...string) (string, error) {
	var out bytes.Buffer
	c := New(Input{Out: &out, Err: new(bytes.Buffer), Misuse: func(err error) error { return fmt.Errorf("misuse: %w", err) },
		Open: func(context.Context, string, string) (callwright.Model, func(), error) { return m, func() {}, nil }})
	c.SetArgs(args)
	c.SilenceErrors, c.SilenceUsage = true, true
	err := c.ExecuteContext(context.Background())
	return out.String(), err
}

// Each own question accepts the calls that it names, and no answer of another kind.
func TestOwnQuestions(t *testing.T) {
	all, err := readQuestions(ownQuestions)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 24 || !slices.Equal(categories(all), []string{"simple", "multiple", "nested", "parallel", "none", "after_result"}) {
		t.Errorf("%d questions of %v", len(all), categories(all))
	}
	for _, q := range all {
		var calls []bfcl.Call
		for _, truth := range q.bfcl.Truth {
			calls = append(calls, firstOf(t, truth))
		}
		if !q.bfcl.Accepts(calls, false) {
			t.Errorf("%s does not accept %s", q.bfcl.ID, calls)
		}
		if wrong := append(calls, bfcl.Call{Name: q.tools[0].Name, Arguments: []byte(`{}`)}); q.bfcl.Accepts(wrong, false) {
			t.Errorf("%s accepts a call too many", q.bfcl.ID)
		}
	}
}

// firstOf is the call that has the first accepted value of each argument.
func firstOf(t *testing.T, truth []byte) bfcl.Call {
	t.Helper()
	var answer map[string]map[string][]json.RawMessage
	if err := json.Unmarshal(truth, &answer); err != nil {
		t.Fatal(err)
	}
	for name, args := range answer {
		out := map[string]json.RawMessage{}
		for key, values := range args {
			out[key] = flat(values[0])
		}
		text, _ := json.Marshal(out)
		return bfcl.Call{Name: name, Arguments: text}
	}
	t.Fatal("no call")
	return bfcl.Call{}
}

// flat takes the first of the accepted values in an object.
func flat(v json.RawMessage) json.RawMessage {
	var object map[string][]json.RawMessage
	var list []json.RawMessage
	switch {
	case json.Unmarshal(v, &object) == nil:
		out := map[string]json.RawMessage{}
		for key, values := range object {
			out[key] = flat(values[0])
		}
		v, _ = json.Marshal(out)
	case json.Unmarshal(v, &list) == nil:
		for i := range list {
			list[i] = flat(list[i])
		}
		v, _ = json.Marshal(list)
	}
	return v
}

// A line that is no question is an error that names it.
func TestReadQuestions(t *testing.T) {
	const tools = `"tools":[{"type":"function","function":{"name":"f"}}]`
	for line, want := range map[string]string{
		`{}`: "", `[]`: "", ``: "no question", `{"id":"a","category":"c","question":"q","expect":"none","tools":[]}`: "tools",
		`{"id":"a","category":"c","expect":"none",` + tools + `}`:                                                   "question or messages",
		`{"id":"a","question":"q","expect":"none",` + tools + `}`:                                                   "category",
		`{"id":"a","category":"c","question":"q","expect":"some",` + tools + `}`:                                    `got "some"`,
		`{"id":"a","category":"c","question":"q","expect":"calls",` + tools + `}`:                                   "ground_truth",
		`{"id":"a","category":"c","question":"q","expect":"calls","ground_truth":[{"g":{}}],` + tools + `}`:         "g is not declared",
		`{"id":"a","category":"c","messages":[{"role":"nobody"}],"expect":"none",` + tools + `}`:                    "nobody",
		strings.Repeat(`{"id":"a","category":"c","question":"q","expect":"none",`+tools+`}`+"\n", 2):                `line 2: the id "a" is used twice`,
		`{"id":"a","category":"c","question":"q","expect":"none",` + tools + `}` + "\n" + `{"id":"b"` + "\n" + `{}`: "line 2",
	} {
		if _, err := readQuestions([]byte(line)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}

// The answers of each variant are read in its form, held against the right calls and counted; the model sees the words of the variant.
func TestRun(t *testing.T) {
	m := &model{say: func(req *callwright.Request) (*callwright.Response, error) {
		words := ""
		for _, msg := range req.Messages {
			words += callwright.TextOf(msg.Parts)
		}
		switch {
		case len(req.Tools) > 0:
			return &callwright.Response{Parts: []callwright.Part{callwright.Call{ID: "a", Name: "get_weather", Arguments: []byte(`{"city":"Bergen"}`)}}, Finish: callwright.FinishCalls}, nil
		case strings.Contains(words, `"toolCalls"`):
			return says(`{"toolCalls":[{"name":"get_weather","arguments":{"city":"Bergen"}}]}`), nil
		case strings.Contains(words, "<args-json-object>"):
			return says(`<tool_call>{"name":"get_weather","arguments":{"city":"Bergen",}}</tool_call>`), nil
		}
		return nil, errors.New("asked in no form")
	}}
	out, err := command(m, "lab/qwen2.5", "--per", "1", "--variants", "native,text/qwen,text/qwen@user,json_schema/list", "--json")
	if err != nil {
		t.Fatal(err)
	}
	var r Report
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"native 1/6 (4) 1", "text/qwen 1/6 (4) 0", "text/qwen@user 1/6 (4) 0", "json_schema/list 1/6 (4) 1"} {
		row := r.Variants[i]
		if got := fmt.Sprintf("%s %s %d", row.Variant, &row.All, row.Categories["simple"].Clean); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for _, req := range m.asked {
		if req.Params.Temperature != "0" || req.Params.MaxTokens != "400" {
			t.Errorf("asked with %+v", req.Params)
		}
	}
	if n := len(r.Answers); n != 24 || r.Answers[1].Text == "" || r.Variants[1].Input != 60 {
		t.Errorf("%d answers, %+v", n, r.Variants[1])
	}
}

// A second run asks only the questions without a kept answer, also where the last line of the file was cut.
func TestAnswersAreKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "answers.jsonl")
	broken := errors.New("gone")
	m := &model{say: func(*callwright.Request) (*callwright.Response, error) { return says("Hello."), nil }}
	good := m.say
	m.say = func(req *callwright.Request) (*callwright.Response, error) {
		if len(m.asked) > 4 {
			return nil, broken
		}
		return good(req)
	}
	args := []string{"lab/qwen2.5", "--per", "2", "--variants", "text/qwen", "--answers", file}
	if _, err := command(m, args...); !errors.Is(err, broken) {
		t.Fatalf("a model that fails on end: %v", err)
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString(`{"model":"lab/qwen2.5","variant":"te`)
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	m.say, m.asked = good, nil
	out, err := command(m, args...)
	if err != nil || len(m.asked) != 12-4 || !strings.Contains(out, "text/qwen") {
		t.Errorf("asked %d times more: %v\n%s", len(m.asked), err, out)
	}
	m.asked = nil
	if again, err := command(m, args...); err != nil || len(m.asked) != 0 || again != out {
		t.Errorf("asked %d times although all is there: %v\n%s", len(m.asked), err, again)
	}
}

// Variants are found by their names; the defaults are the modes in the words in which the model is asked.
func TestSelectVariants(t *testing.T) {
	names := func(all []Variant) (out []string) {
		for _, v := range all {
			out = append(out, v.String())
		}
		return out
	}
	for _, tc := range []struct {
		model callwright.ModelID
		given []string
		want  []string
		fails bool
	}{
		{"lab/qwen2.5", nil, []string{"native", "text/qwen", "json_schema/list", "json_object/list"}, false},
		{"lab/hermes-3", nil, []string{"native", "text/hermes", "json_schema/list", "json_object/list"}, false},
		{"lab/qwen2.5", []string{"text/general@user", "native@user", "text/general@user"}, []string{"text/general@user", "native"}, false},
		{"lab/qwen2.5", []string{"text/granite3"}, nil, true},
		{"lab/qwen2.5", []string{"texts"}, nil, true},
	} {
		a := newAsker(t.Context(), tc.model, &model{}, 1)
		got, err := selectVariants(tc.given, tc.model, a.format)
		if (err != nil) != tc.fails || !slices.Equal(names(got), tc.want) {
			t.Errorf("%s %v: %v, %v, want %v", tc.model, tc.given, names(got), err, tc.want)
		}
	}
	all, err := selectVariants([]string{"all"}, "lab/qwen2.5", "hermes")
	if err != nil || len(all) < 20 || !slices.ContainsFunc(all, func(v Variant) bool { return v.Mode == caps.JSONObject }) {
		t.Errorf("all are %v, %v", names(all), err)
	}
}

// What the command line gets wrong is said before the model is asked.
func TestMisuse(t *testing.T) {
	for _, args := range [][]string{{}, {"a", "b"}, {"lab/m", "--per", "-1"}, {"lab/m", "--tokens", "0"}, {"lab/m", "--questions", "none.jsonl"}, {"lab/m", "--variants", "loud"}} {
		m := &model{}
		if _, err := command(m, args...); err == nil || !strings.HasPrefix(err.Error(), "misuse: ") || len(m.asked) > 0 {
			t.Errorf("%v: %v", args, err)
		}
	}
}
