package gemini_test

import (
	"context"
	"iter"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/wire/gemini"
	"github.com/callwright/callwright/internal/wire/wiretest"
	"github.com/callwright/callwright/reliable"
	"github.com/google/go-cmp/cmp"
)

// scripted is a model that gives one answer of this API after another.
type scripted struct{ answers []string }

func (*scripted) ID() callwright.ModelID { return "lab/tern" }

func (s *scripted) next() string {
	out := s.answers[0]
	s.answers = s.answers[1:]
	return out
}

func (s *scripted) Generate(context.Context, *callwright.Request) (*callwright.Response, error) {
	return gemini.Codec{}.DecodeResponse([]byte(s.next()))
}

func (s *scripted) Stream(context.Context, *callwright.Request) iter.Seq2[callwright.Event, error] {
	return func(yield func(callwright.Event, error) bool) {
		stream := wiretest.Decode(gemini.Codec{}, strings.NewReader("data: "+s.next()+"\n\n"))
		for _, ev := range stream.Events {
			if !yield(ev, nil) {
				return
			}
		}
		if stream.Err != nil {
			yield(nil, stream.Err)
		}
	}
}

// A call that the provider could not parse is read from its message; without one that can be read the model is asked again.
func TestCallsThatTheProviderCouldNotParse(t *testing.T) {
	const good = `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"stock","args":{"sku":"A-1"},"id":"a"}}]},"finishReason":"STOP"}]}`
	refused := func(before, message string) string {
		return `{"candidates":[{"content":{"parts":[` + before + `]},"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"` + message + `"}]}`
	}
	for name, c := range map[string]struct {
		answers []string
		rule    string
	}{
		"python":          {[]string{refused(``, `Malformed function call: print(default_api.stock(sku=\"A-1\"))`)}, "recovered.call"},
		"with text":       {[]string{refused(`{"text":"Let me see."}`, `Malformed function call: print(default_api.stock(sku=\"A-1\"))`)}, "recovered.call"},
		"call":            {[]string{refused(``, `Malformed function call: call:default_api:stock{sku:\"A-1\"}`)}, "recovered.call"},
		"fenced JSON":     {[]string{refused(``, "Malformed function call: ```json\\n{\\\"name\\\":\\\"stock\\\",\\\"arguments\\\":{\\\"sku\\\":\\\"A-1\\\"}}\\n```")}, "recovered.call"},
		"beside":          {[]string{refused(`{"functionCall":{"name":"stock","args":{}}}`, `Malformed function call: print(default_api.stock(sku=\"A-1\"))`)}, "recovered.call"},
		"beside, cut":     {[]string{refused(`{"text":"Hm."},{"functionCall":{"name":"stock","args":{"sku":"B-2"}}}`, `Malformed function call: print(default_api.stock(sku=\"A-`), good}, "correct.asked"},
		"beside, silence": {[]string{refused(`{"functionCall":{"name":"stock","args":{"sku":"B-2"}}}`, `Malformed function call`), good}, "correct.empty"},
		"unexpected":      {[]string{`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"stocks","args":{"sku":"A-1"}}}]},"finishReason":"UNEXPECTED_TOOL_CALL"}]}`, good}, "judge.undeclared"},
		"silence":         {[]string{refused(``, `Malformed function call`), good}, "correct.empty"},
		"no tools":        {[]string{`{"candidates":[{"finishReason":"UNEXPECTED_TOOL_CALL"}]}`, good}, "correct.empty"},
		"no parts":        {[]string{`{"candidates":[{"content":{"role":"model"},"finishReason":"STOP"}]}`, good}, "correct.empty"},
	} {
		for _, way := range []string{"whole", "streamed"} {
			t.Run(name+", "+way, func(t *testing.T) {
				client := reliable.New(&scripted{answers: c.answers})
				req := built(said(callwright.RoleUser, words("How many?")))
				req.Tools = []callwright.Tool{{Name: "stock", Schema: []byte(`{"type":"object","properties":{"sku":{"type":"string"}},"required":["sku"]}`)}}
				var calls []callwright.Call
				var report *callwright.Report
				if way == "whole" {
					resp, err := client.Generate(t.Context(), req)
					if err != nil {
						t.Fatal(err)
					}
					calls, report = resp.Calls(), resp.Report
				} else {
					for ev, err := range client.Stream(t.Context(), req) {
						switch ev := ev.(type) {
						case callwright.CallEnd:
							calls = append(calls, *ev.Call)
						case callwright.Done:
							report = ev.Report
						}
						if err != nil {
							t.Fatal(err)
						}
					}
				}
				if len(calls) != 1 || calls[0].Name != "stock" || string(calls[0].Arguments) != `{"sku":"A-1"}` {
					t.Errorf("expected a call of stock, got %+v", calls)
				}
				found := false
				for _, n := range report.Notes {
					found = found || n.Rule == c.rule
				}
				if !found {
					t.Errorf("expected a note %s: %s", c.rule, cmp.Diff(nil, report.Notes))
				}
			})
		}
	}
}

// A stream whose call was handed on before its provider says that it could not be parsed ends in an error, whether calls are held until they are whole
// or not, and nothing is asked for again: never as if the call were one.
func TestBrokenCallsThatWereHandedOn(t *testing.T) {
	pieces := []string{
		`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"stock","args":{"sku":"B-2"}}}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"text":"Done."}]}}]}`,
		`{"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL"}]}`,
	}
	const again = `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"stock","args":{"sku":"A-1"},"id":"a"}}]},"finishReason":"STOP"}]}`
	for name, flows := range map[string]string{"held": "no", "flowing": "yes"} {
		t.Run(name, func(t *testing.T) {
			client := reliable.New(&scripted{answers: []string{strings.Join(pieces, "\n\ndata: "), again}}, reliable.WithFacts(caps.Fact{Key: "tool_call_reliable", Value: flows}))
			req := built(said(callwright.RoleUser, words("How many?")))
			req.Tools = []callwright.Tool{{Name: "stock", Schema: []byte(`{"type":"object","properties":{"sku":{"type":"string"}},"required":["sku"]}`)}}
			broken, failed := false, false
			for ev, err := range client.Stream(t.Context(), req) {
				end, ok := ev.(callwright.CallEnd)
				broken = broken || ok && string(end.Call.Arguments) == `{"sku":"B-2"}`
				failed = failed || err != nil
			}
			if !broken || !failed {
				t.Errorf("the broken call came: %t, the answer ended in an error: %t", broken, failed)
			}
		})
	}
}
