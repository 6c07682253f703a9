package clients_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/simulate"
)

// object is a JSON object.
type object = map[string]any

const (
	clientKey = "client-secret"
	question  = "What is the weather in Oslo?"
)

// A mistake is something that must reach a program as an error of its SDK.
type mistake struct {
	name   string
	change func(c *check)
	class  string
	status int
	words  []string // of the message
	after  string   // the retry-after header
	form   string   // of the answer; empty: both
}

// mistakes of both SDKs. Their classes of errors have the same names. What comes after a stream has begun has no status.
var mistakes = []mistake{
	{name: "no key", change: func(c *check) { c.Key = "wrong" }, class: "AuthenticationError", status: 401, words: []string{"key"}},
	{name: "malformed body", change: func(c *check) { c.Raw = `{"model":"openai/native","messages":[` }, class: "BadRequestError", status: 400},
	{name: "body that is no object", change: func(c *check) { c.Raw = `["hello"]` }, class: "BadRequestError", status: 400, words: []string{"object"}},
	{name: "deep body", change: func(c *check) {
		c.Raw = `{"model":"openai/native","messages":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`
	}, class: "BadRequestError", status: 400},
	{name: "messages that are none", change: members(object{"messages": "hello"}), class: "BadRequestError", status: 400, words: []string{"messages"}},
	{name: "unknown provider", change: func(c *check) { c.Model = "nowhere/native" }, class: "NotFoundError", status: 404, words: []string{"nowhere/native"}},
	{name: "schema that does not compile", change: func(c *check) { c.Schema = []byte(`{"type":"object","properties":{"city":{"minLength":"one"}}}`) },
		class: "BadRequestError", status: 400, words: []string{"get_weather", "/properties/city/minLength"}},
	{name: "rate limit", change: func(c *check) { c.Model = "openai-once/429-retry_after" }, class: "RateLimitError", status: 429, after: "1"},
	{name: "rate limit behind the other wire", change: func(c *check) { c.Model = "anthropic-once/429-retry_after" }, class: "RateLimitError", status: 429, after: "1"},
	{name: "cut stream", change: func(c *check) { c.Model = "openai-once/midstream-cut" }, class: "APIError", form: "streamed"},
	{name: "cut stream behind the other wire", change: func(c *check) { c.Model = "anthropic-once/midstream-cut" }, class: "APIError", form: "streamed"},
	{name: "cut answer", change: func(c *check) { c.Model = "openai-once/midstream-cut" }, class: "InternalServerError", status: 502, form: "whole"},
	{name: "error in the stream", change: func(c *check) { c.Model = "openai-once/midstream-inband" }, class: "APIError", form: "streamed", words: []string{"overloaded"}},
}

func members(m object) func(*check) { return func(c *check) { c.Members = m } }

func TestErrors(t *testing.T) {
	l := newLab(t, clientKey)
	var checks []check
	want := map[string]mistake{}
	for _, sdk := range []string{"openai", "anthropic"} {
		for _, m := range mistakes {
			for _, form := range forms {
				if m.form != "" && m.form != form.name {
					continue
				}
				name := strings.ReplaceAll(strings.Join([]string{sdk, m.name, form.name}, "/"), " ", "_")
				c := check{Name: name, SDK: sdk, Base: l.url, Key: clientKey, Model: "openai/native", Stream: form.stream, Prompt: question}
				m.change(&c)
				at, model, _ := strings.Cut(c.Model, "/")
				c.Model = at + "/" + strings.ReplaceAll(name, "/", ".") + "/" + model
				if m.status == 404 {
					c.Model = at + "/" + model
				}
				checks, want[name] = append(checks, c), m
			}
		}
	}
	got := drive(t, checks)
	for _, c := range checks {
		t.Run(c.Name, func(t *testing.T) { want[c.Name].compare(t, got[c.Name]) })
	}
}

func (m mistake) compare(t *testing.T, got outcome) {
	e := got.Error
	if e == nil {
		t.Fatalf("want an error, got %+v", got.Rounds)
	}
	if e.Class != m.class || e.Status != m.status {
		t.Errorf("want %s with status %d, got %+v", m.class, m.status, *e)
	}
	if e.RetryAfter != m.after {
		t.Errorf("want to be told to wait %q seconds, got %q", m.after, e.RetryAfter)
	}
	for _, w := range m.words {
		if !strings.Contains(e.Message, w) {
			t.Errorf("want %q in the message, got %q", w, e.Message)
		}
	}
	if strings.Contains(e.Message, upstreamKey) {
		t.Errorf("the message gives the provider's key away: %q", e.Message)
	}
}

// A tool that is declared twice cannot be called without doubt.
func TestToolsThatShareAName(t *testing.T) {
	l := newLab(t)
	schema := object{"type": "object"}
	tools := map[string][]object{
		"openai": {{"type": "function", "function": object{"name": "look_up", "parameters": schema}},
			{"type": "function", "function": object{"name": "look_up", "parameters": schema}}},
		"anthropic": {{"name": "look_up", "input_schema": schema}, {"name": "look_up", "input_schema": schema}},
	}
	var checks []check
	for sdk := range tools {
		checks = append(checks, check{Name: sdk, SDK: sdk, Base: l.url, Key: "any", Model: "openai/native", Prompt: question,
			Members: object{"tools": tools[sdk]}})
	}
	got := drive(t, checks)
	for sdk := range tools {
		t.Run(sdk, func(t *testing.T) {
			mistake{class: "BadRequestError", status: 400, words: []string{"look_up"}}.compare(t, got[sdk])
		})
	}
}

// An SDK that may try again does so after a refusal that passes, and the program sees nothing of it.
func TestRetriesOfTheSDK(t *testing.T) {
	l := newLab(t)
	var checks []check
	for _, sdk := range []string{"openai", "responses", "anthropic"} { // the others do not try again
		for _, form := range forms {
			name := sdk + "/" + form.name
			checks = append(checks, check{Name: name, SDK: sdk, Base: l.url, Key: "any", Stream: form.stream, Prompt: question, Retries: 1,
				Model: simulate.OpenAI + "-once/" + strings.ReplaceAll(name, "/", ".") + "/429-retry_after_ms"})
		}
	}
	got := drive(t, checks)
	for _, c := range checks {
		t.Run(c.Name, func(t *testing.T) {
			o := got[c.Name]
			if o.Error != nil {
				t.Fatalf("%+v", *o.Error)
			}
			if last := o.Rounds[0][len(o.Rounds[0])-1]; !strings.Contains(last.Text, resultOf("Oslo")) {
				t.Errorf("want %q, got %+v", resultOf("Oslo"), last)
			}
		})
	}
}
