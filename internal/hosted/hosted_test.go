package hosted_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/hosted"
)

// A scripted model gives these answers one after the other, the last one again and again, and keeps what it was asked.
type scripted struct {
	answers []callwright.Response
	asked   []*callwright.Request
}

func (s *scripted) Generate(_ context.Context, req *callwright.Request) (*callwright.Response, error) {
	s.asked = append(s.asked, req)
	a := s.answers[min(len(s.asked), len(s.answers))-1]
	a.Usage = callwright.Usage{Known: true, Input: 10, Output: 1}
	a.Finish = callwright.FinishStop
	if len(a.Calls()) > 0 {
		a.Finish = callwright.FinishCalls
	}
	a.Report = &callwright.Report{ID: "rep", Attempts: []callwright.Attempt{{Model: "lab/m", Usage: a.Usage}}, Untouched: true, Confidence: 1}
	return &a, nil
}

func (s *scripted) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return func(yield func(callwright.Event, error) bool) {
		resp, _ := s.Generate(ctx, req)
		for _, ev := range append(resp.Events(), callwright.Done{Report: resp.Report}) {
			if !yield(ev, nil) {
				return
			}
		}
	}
}

func says(parts ...callwright.Part) callwright.Response {
	return callwright.Response{Model: "m", Parts: parts}
}

func call(id, name, arguments string) callwright.Call {
	return callwright.Call{ID: id, Name: name, Arguments: json.RawMessage(arguments)}
}

// searching is a request of a client of Anthropic's API with its search, and a function of its own.
func searching() *callwright.Request {
	return &callwright.Request{Model: "lab/m", Messages: []callwright.Message{callwright.UserText("Who won?")}, Tools: []callwright.Tool{
		{Name: "web_search", Type: callwright.HostedTool, Extra: callwright.Extra{Wire: callwright.WireAnthropic, JSON: []byte(`{"type":"web_search_20250305","name":"web_search"}`)}},
		{Name: "note", Schema: json.RawMessage(`{"type":"object"}`)},
	}}
}

// runner runs searches by what is given.
func runner(t *testing.T, run func(arguments string) (string, error)) *hosted.Runner {
	t.Helper()
	r, err := hosted.New(hosted.Config{Text: 1000, Tools: map[string]hosted.Tool{hosted.WebSearch: {
		Name: "search/web", Description: "Searches.", Schema: json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"}}}`),
		Run: func(_ context.Context, arguments json.RawMessage) (string, error) { return run(string(arguments)) },
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// ways ask a model whole and streamed.
var ways = map[string]func(m callwright.Model, req *callwright.Request) (*callwright.Response, error){
	"whole": func(m callwright.Model, req *callwright.Request) (*callwright.Response, error) {
		return m.Generate(context.Background(), req)
	},
	"streamed": func(m callwright.Model, req *callwright.Request) (*callwright.Response, error) {
		return callwright.Collect(m.Stream(context.Background(), req))
	},
}

// shownOf are the types of the opaque parts of an answer, and the names of its calls.
func shownOf(resp *callwright.Response) string {
	var out []string
	for _, p := range resp.Parts {
		switch p := p.(type) {
		case callwright.Opaque:
			var block struct{ Type string }
			_ = json.Unmarshal(p.Extra.JSON, &block)
			out = append(out, block.Type)
		case callwright.Call:
			out = append(out, "call "+p.Name)
		case callwright.Text:
			out = append(out, p.Text)
		}
	}
	return strings.Join(out, ", ")
}

// The model searches by what was configured and goes on with what it found; the client is shown what its API has for that.
func TestSearch(t *testing.T) {
	for way, ask := range ways {
		m := &scripted{answers: []callwright.Response{says(callwright.Text{Text: "I look."}, call("c1", "web_search", `{"query":"who"}`)), says(callwright.Text{Text: "Oslo won."})}}
		var ran []string
		r := runner(t, func(arguments string) (string, error) {
			ran = append(ran, arguments)
			return `{"results":[{"url":"https://a.test/x","title":"A","text":"Oslo"}]}`, nil
		})
		resp, err := ask(r.Around(m, callwright.WireOpenAI, searching()), searching())
		if err != nil {
			t.Fatal(err)
		}
		if got := shownOf(resp); got != "I look., server_tool_use, web_search_tool_result, Oslo won." || resp.Finish != callwright.FinishStop {
			t.Errorf("%s: got %s, %s", way, got, resp.Finish)
		}
		if len(ran) != 1 || ran[0] != `{"query":"who"}` || len(m.asked) != 2 || resp.Usage.Input != 20 || resp.Usage.Output != 2 {
			t.Errorf("%s: ran %v, asked %d times, %+v", way, ran, len(m.asked), resp.Usage)
		}
		if tools := m.asked[0].Tools; len(tools) != 2 || tools[0].Type != "" || !strings.Contains(string(tools[0].Schema), "query") {
			t.Errorf("%s: offered %+v", way, tools)
		}
		last := m.asked[1].Messages[2].Parts[0].(callwright.Result)
		if last.CallID != "c1" || !strings.Contains(last.Text(), "Oslo") || last.IsError {
			t.Errorf("%s: told %+v", way, last)
		}
		rep := resp.Report
		if len(rep.Attempts) != 2 || len(rep.Notes) != 1 || rep.Notes[0].Rule != "hosted.ran" || rep.Notes[0].Now != "search/web" || rep.Untouched {
			t.Errorf("%s: report %+v", way, rep)
		}
		if block := string(resp.Parts[2].(callwright.Opaque).Extra.JSON); !strings.Contains(block, `"url":"https://a.test/x","title":"A"`) {
			t.Errorf("%s: shown %s", way, block)
		}
	}
}

// What the client sends back of a search is a call and its result for the model.
func TestSearchGoesOn(t *testing.T) {
	m := &scripted{answers: []callwright.Response{says(call("c1", "web_search", `{"query":"who"}`)), says(callwright.Text{Text: "Oslo won."})}}
	r := runner(t, func(string) (string, error) { return "found: Oslo", nil })
	first, err := r.Around(m, callwright.WireOpenAI, searching()).Generate(t.Context(), searching())
	if err != nil {
		t.Fatal(err)
	}
	next := searching()
	next.Messages = append(next.Messages, first.Message(), callwright.UserText("Sure?"))
	if _, err := r.Around(m, callwright.WireOpenAI, next).Generate(t.Context(), next); err != nil {
		t.Fatal(err)
	}
	var roles []string
	for _, msg := range m.asked[2].Messages {
		roles = append(roles, string(msg.Role))
	}
	if got := strings.Join(roles, " "); got != "user assistant tool assistant user" || m.asked[2].Messages[2].Parts[0].(callwright.Result).Text() != "found: Oslo" {
		t.Errorf("asked %s: %+v", got, m.asked[2].Messages)
	}
}

// Calls of the client's own leave, with what was searched beside them; a failure is told; the number of rounds is bounded; what is not
// configured, and what the provider runs itself, stays as it is.
func TestBoundsOfSearch(t *testing.T) {
	both := &scripted{answers: []callwright.Response{says(call("c1", "web_search", `{}`), call("c2", "note", `{"a":1}`))}}
	forever := &scripted{answers: []callwright.Response{says(call("c1", "web_search", `{}`))}}
	fails := runner(t, func(string) (string, error) { return "", errors.New("no network") })
	for way, ask := range ways {
		resp, err := ask(fails.Around(both, callwright.WireOpenAI, searching()), searching())
		if err != nil || len(resp.Calls()) != 1 || resp.Calls()[0].ID != "c2" || string(resp.Calls()[0].Arguments) != `{"a":1}` || resp.Finish != callwright.FinishCalls || !strings.Contains(shownOf(resp), "web_search_tool_result") {
			t.Errorf("%s: %v, %+v", way, err, resp)
		}
		forever.asked = nil
		if resp, err = ask(fails.Around(forever, callwright.WireOpenAI, searching()), searching()); err != nil || len(forever.asked) != 9 || len(forever.asked[8].Tools) != 1 {
			t.Errorf("%s: %v, asked %d times", way, err, len(forever.asked))
		}
		if told := forever.asked[1].Messages[2].Parts[0].(callwright.Result); !told.IsError || told.Text() != "no network" {
			t.Errorf("%s: told %+v", way, told)
		}
		if !strings.Contains(string(resp.Parts[1].(callwright.Opaque).Extra.JSON), "web_search_tool_result_error") {
			t.Errorf("%s: shown %s", way, resp.Parts[1])
		}
	}
	plain := &scripted{}
	if m := fails.Around(plain, callwright.WireAnthropic, searching()); m != callwright.Model(plain) {
		t.Error("the provider's own search was replaced")
	}
	if m := fails.Around(plain, "", searching()); m == callwright.Model(plain) {
		t.Error("a provider that runs no such tools was left to")
	}
	fetch := searching()
	fetch.Tools[0].Extra.JSON = []byte(`{"type":"web_fetch_20250910","name":"web_fetch"}`)
	if m := fails.Around(plain, callwright.WireOpenAI, fetch); m != callwright.Model(plain) {
		t.Error("what is not configured is run")
	}
	if m := (*hosted.Runner)(nil).Around(plain, callwright.WireOpenAI, searching()); m != callwright.Model(plain) {
		t.Error("nothing is configured")
	}
	if _, err := hosted.New(hosted.Config{Tools: map[string]hosted.Tool{"telepathy": {}}}); err == nil {
		t.Error("a kind that there is not is taken")
	}
}

// A long text is cut, and a name that a function of the client's has is left to it.
func TestTextAndNames(t *testing.T) {
	req := searching()
	req.Tools[1].Name = "web_search"
	m := &scripted{answers: []callwright.Response{says(call("c1", "web_search_hosted", `{}`)), says(callwright.Text{Text: "done"})}}
	r := runner(t, func(string) (string, error) { return strings.Repeat("é", 4000), nil })
	resp, err := r.Around(m, callwright.WireOpenAI, req).Generate(t.Context(), req)
	if err != nil || resp.Text() != "done" {
		t.Fatalf("%v, %+v", err, resp)
	}
	if told := m.asked[1].Messages[2].Parts[0].(callwright.Result).Text(); len(told) > 1100 || !strings.HasSuffix(told, "left out.]") {
		t.Errorf("told %d bytes", len(told))
	}
}
