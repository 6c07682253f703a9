package steps_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/conversation"
	"github.com/callwright/callwright/internal/dashboard/internal/inplace"
	"github.com/callwright/callwright/internal/dashboard/internal/steps"
	"github.com/callwright/callwright/internal/trace"
)

const (
	oslo   = `{"id":"r","object":"chat.completion","model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"<tool_call>{'city': 'Oslo',}</tool_call>"}}]}`
	stream = "data: {\"id\":\"r\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Let me \"}}]}\n\ndata: {\"id\":\"r\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"look.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
	failed = `{"error":{"message":"The model is overloaded","type":"server_error"}}`
)

// received is an entry of what OpenAI's API sent.
func received(status int, kind, body string) trace.Entry {
	data, err := json.Marshal(map[string]any{"provider": "lab", "wire": "openai", "status": status, "header": map[string]string{"Content-Type": kind}, "text": body})
	if err != nil {
		panic(err)
	}
	return trace.Entry{Kind: trace.KindReceived, Data: data}
}

func asked(t *testing.T, wire callwright.WireName) trace.Entry {
	t.Helper()
	data, err := conversation.MarshalRequest(&callwright.Request{Model: "lab/m", Messages: []callwright.Message{callwright.UserText("What is the weather?")}})
	if err != nil {
		t.Fatal(err)
	}
	return trace.Entry{Kind: trace.KindRequest, Wire: wire, Model: "lab/m", Data: data, Time: time.Unix(0, 0)}
}

// answered is an entry of an answer with a call that was mended.
func answered(t *testing.T, attempts ...callwright.Attempt) trace.Entry {
	t.Helper()
	notes := []callwright.Note{
		callwright.Note{Rule: "tools.renamed", Stage: callwright.StageOutbound, Was: "a", Now: "b"}.Classify(),
		callwright.Note{Rule: "json.quotes", Stage: callwright.StageValidate, Was: "{'city': 'Oslo',}", Now: `{"city": "Oslo"}`}.Classify(),
	}
	data, err := conversation.MarshalResponse(&callwright.Response{Model: "m", Finish: callwright.FinishCalls, Parts: []callwright.Part{callwright.Call{ID: "call_1", Name: "get_weather", Arguments: []byte(`{"city": "Oslo"}`)}},
		Report: &callwright.Report{ID: "rep", Attempts: attempts, Notes: notes, Invalid: []callwright.InvalidCall{{Name: "other", Why: callwright.InvalidUndeclared}}}})
	if err != nil {
		t.Fatal(err)
	}
	return trace.Entry{Kind: trace.KindAnswer, Data: data, Duration: time.Second}
}

func said(list []inplace.Text) string {
	var b strings.Builder
	for _, t := range list {
		b.WriteString(t.Title + ": ")
		for _, p := range t.Pieces {
			b.WriteString(p.Text)
			if p.Changed {
				b.WriteString("[" + p.Was + " -> " + p.Now + "]")
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// What was mended is shown where it stood in what the provider sent and in what that means, the call is judged, and sent as the client's API has it.
func TestSteps(t *testing.T) {
	first := callwright.Attempt{Model: "lab/m", Why: callwright.AttemptFirst, Tries: 2}
	for _, client := range []callwright.WireName{callwright.WireAnthropic, callwright.WireGemini, callwright.WireOllama, callwright.WireOpenAI, callwright.WireResponses, ""} {
		s := steps.Of(t.Context(), []trace.Entry{asked(t, client), received(503, "application/json", failed), received(200, "application/json", oslo), answered(t, first)})
		if len(s.Answers) != 2 || s.Answers[0].Attempt == nil || s.Answers[1].Attempt.Model != "lab/m" {
			t.Fatalf("got %+v", s.Answers)
		}
		if a := s.Answers[0]; a.Title != "status 503" || !strings.Contains(a.Problem, "overloaded") || len(a.Found) > 0 {
			t.Errorf("the refusal: %+v", a)
		}
		const change = `[{'city': 'Oslo',} -> {"city": "Oslo"}]`
		if a := s.Answers[1]; !strings.Contains(said([]inplace.Text{a.Raw}), change) || said(a.Found) != "text: <tool_call>"+change+"</tool_call>\n" {
			t.Errorf("the answer: %s and %s", said([]inplace.Text{a.Raw}), said(a.Found))
		}
		if len(s.Mended) != 1 || len(s.Before) != 1 || s.Mended[0].Rule != "json.quotes" || len(s.Calls) != 1 || len(s.Report.Invalid) != 1 || !s.End {
			t.Errorf("got %+v", s)
		}
		if s.Form != client || !strings.Contains(s.Sent, "get_weather") || !strings.Contains(s.Sent, "Oslo") || strings.Contains(s.Sent, "json.quotes") {
			t.Errorf("%s: sent %s", client, s.Sent)
		}
	}
}

// An answer that streamed is read like a whole one; one that failed is sent as the client's API says it; what is not there is said.
func TestStepsOfOthers(t *testing.T) {
	refused := trace.Entry{Kind: trace.KindError, Failure: &callwright.Error{Kind: callwright.KindUnavailable, Message: "the model is overloaded"}}
	withheld, left := received(401, "application/json", ""), received(200, "application/json", "")
	withheld.Data = []byte(`{"provider":"lab","wire":"openai","status":401,"withheld":true}`)
	left.Redacted = true
	for name, tc := range map[string]struct {
		entries []trace.Entry
		found   string
		problem string
		sent    string
	}{
		"streamed":     {[]trace.Entry{asked(t, "openai"), received(200, "text/event-stream", stream), answered(t)}, "text: Let me look.\n", "", "get_weather"},
		"cut":          {[]trace.Entry{asked(t, "openai"), received(200, "text/event-stream", stream[:90]), refused}, "", "", "overloaded"},
		"failed":       {[]trace.Entry{asked(t, "anthropic"), received(503, "application/json", failed), refused}, "", "overloaded", `"type": "error"`},
		"of the key":   {[]trace.Entry{asked(t, "openai"), withheld, refused}, "", "about the key", "overloaded"},
		"left out":     {[]trace.Entry{asked(t, "openai"), left, answered(t)}, "", "content was removed", "get_weather"},
		"not ended":    {[]trace.Entry{asked(t, "openai"), received(200, "application/json", oslo)}, "text: <tool_call>{'city': 'Oslo',}</tool_call>\n", "", ""},
		"no bytes":     {[]trace.Entry{asked(t, "openai"), answered(t)}, "", "", "get_weather"},
		"damaged":      {[]trace.Entry{asked(t, "openai"), {Kind: trace.KindAnswer, Data: []byte(`{"parts":3}`)}}, "", "", "parts"},
		"unknown wire": {[]trace.Entry{asked(t, "telex"), {Kind: trace.KindReceived, Data: []byte(`{"wire":"telex","status":200,"text":"x"}`)}, answered(t)}, "", "telex", "get_weather"},
	} {
		s := steps.Of(t.Context(), tc.entries)
		found, problem := "", ""
		for _, a := range s.Answers {
			found += said(a.Found)
			problem += a.Problem
		}
		if name != "cut" && found != tc.found || !strings.Contains(problem, tc.problem) || !strings.Contains(s.Sent, tc.sent) || (name == "not ended") == s.End {
			t.Errorf("%s: found %q, problem %q, sent %q", name, found, problem, s.Sent)
		}
	}
	var many []trace.Entry
	for i := range steps.MostAnswers + 3 {
		many = append(many, received(429, "application/json", fmt.Sprint(i)))
	}
	if s := steps.Of(t.Context(), many); len(s.Answers) != steps.MostAnswers || s.More != 3 {
		t.Errorf("%d answers, %d more", len(s.Answers), s.More)
	}
}

// A model that was skipped is an answer in words, and the answers after it keep their attempts.
func TestSkipped(t *testing.T) {
	skipped := trace.Entry{Kind: trace.KindReceived, Data: []byte(`{"provider":"lab","wire":"openai","skipped_ns":39500000000,"kind":"rate_limited"}`)}
	s := steps.Of(t.Context(), []trace.Entry{asked(t, callwright.WireOpenAI), skipped, received(200, "application/json", oslo),
		answered(t, callwright.Attempt{Model: "lab/m"}, callwright.Attempt{Model: "lab/other", Tries: 1})})
	if len(s.Answers) != 2 || s.Answers[0].Title != "skipped: limited, 40 s left" || s.Answers[0].Problem != "" || s.Answers[1].Attempt == nil || s.Answers[1].Attempt.Model != "lab/other" {
		t.Errorf("got %+v", s.Answers)
	}
}

// What a client of a stream got are the provider's bytes where nothing was changed and both have one API, and else all of it as one answer; of a
// stream that broke off it is what had come, with its status, and the error behind it.
func TestStepsOfStreams(t *testing.T) {
	resp := &callwright.Response{Model: "m", Finish: callwright.FinishStop, Parts: []callwright.Part{callwright.Text{Text: "Let me look."}}, Report: &callwright.Report{ID: "rep", Untouched: true}}
	end := func(untouched, streamed bool, f *callwright.Error) trace.Entry {
		resp.Report.Untouched = untouched
		data, err := conversation.MarshalResponse(resp)
		if err != nil {
			t.Fatal(err)
		}
		e := trace.Entry{Kind: trace.KindAnswer, Streamed: streamed, Data: data}
		if f != nil {
			e.Kind, e.Failure = trace.KindError, f
		}
		return e
	}
	broke := &callwright.Error{Kind: callwright.KindTruncated, Message: "the answer broke off"}
	cut := received(200, "text/event-stream", stream)
	cut.Data = []byte(strings.Replace(string(cut.Data), `"status"`, `"broken":"EOF","status"`, 1))
	for name, tc := range map[string]struct {
		client callwright.WireName
		came   trace.Entry
		end    trace.Entry
		stream bool
		sent   []string
	}{
		"as received":   {"openai", received(200, "text/event-stream", stream), end(true, true, nil), true, []string{"Let me look."}},
		"changed":       {"openai", received(200, "text/event-stream", stream), end(false, true, nil), false, []string{"Let me look."}},
		"another API":   {"anthropic", received(200, "text/event-stream", stream), end(true, true, nil), false, []string{"Let me look."}},
		"not all there": {"openai", cut, end(true, true, nil), false, []string{"Let me look."}},
		"whole":         {"openai", received(200, "application/json", oslo), end(true, false, nil), false, []string{"Let me look."}},
		"broke off":     {"openai", cut, end(true, true, broke), false, []string{"status 200 OK\n", "Let me look.", "\nthen, in the stream:\n", "the answer broke off"}},
		"failed":        {"openai", cut, end(true, false, broke), false, []string{"status 502 Bad Gateway\n", "the answer broke off"}},
	} {
		s := steps.Of(t.Context(), []trace.Entry{asked(t, tc.client), tc.came, tc.end})
		if got := s.Stream == stream; got != tc.stream || s.Stream != "" && !got {
			t.Errorf("%s: the stream is %q", name, s.Stream)
		}
		at := 0
		for _, want := range tc.sent {
			i := strings.Index(s.Sent[at:], want)
			if i < 0 {
				t.Errorf("%s: %q is not in %s", name, want, s.Sent[at:])
				break
			}
			at += i
		}
	}
}
