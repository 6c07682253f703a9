package reliable_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/internal/wire/anthropic"
	"github.com/callwright/callwright/reliable"
	"github.com/google/go-cmp/cmp"
)

func TestLearning(t *testing.T) {
	m := &scripted{name: "lab/m", answers: []any{noTools, inHermes, inHermes}}
	client := reliable.New(m)
	for i, want := range [][]string{{"lab/m native first", "lab/m text other mode"}, {"lab/m text first"}} {
		resp, err := client.Generate(t.Context(), ask(callwright.Choice{}))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, attempts(resp.Report)); d != "" {
			t.Errorf("request %d (-want +got)\n%s", i, d)
		}
	}
	tools, err := m.asked[2].DeclaredTools()
	if err != nil || len(tools) > 0 {
		t.Errorf("text mode sent %d tools", len(tools))
	}
	msgs, _ := m.asked[2].History()
	if msgs[0].Role != callwright.RoleSystem || !strings.Contains(callwright.TextOf(msgs[0].Parts), "get_weather") {
		t.Errorf("text mode does not describe the tools: %v", msgs[0])
	}
}

// refusalsTeachCases are those of TestRefusalsTeach.
var refusalsTeachCases = []struct {
	feature    callwright.Feature
	key, value string
}{
	{"images", "images", "no"},
	{"tool_choice", "choice_field", "no"}, {"forced_tool_choice", "choice_forced", "no"}, {"parallel_tool_calls", "parallel_field", "no"},
	{"json_with_tools", "json_with_tools", "no"}, {"tools_with_reasoning", "reasoning_with_tools", "no"}, {"prefill", "prefill", "no"},
	{"system_messages", "one_system", "true"}, {"alternation", "alternate", "true"}, {"user_after_tool", "no_user_after_tool", "true"},
	{"field:temperature", "drop_fields", "temperature"}, {"field:tools.*.cache_control", "cache_control", "no"}, {"field:cache_control", "cache_control", "no"},
	{"stream_options", "stream_usage", "no"}, {"strict", "strict_tools", "no"}, {"developer_role", "system_role", "system"},
	{"system_role", "system_role", "user"}, {"tools_for_calls", "tools_for_calls", "true"}, {"null_content", "no_null_content", "true"}, {"tool_parameters", "requires_schema", "yes"}, {"prefill_mark", "prefill", "prefix"},
}

// rich is a request with something of everything that a model may refuse.
func rich() *callwright.Request {
	req := ask(forcedOne)
	req.Messages = append([]callwright.Message{says(callwright.RoleSystem, "A.")}, req.Messages...)
	req.Messages = append(req.Messages,
		callwright.Message{Role: callwright.RoleAssistant, Parts: []callwright.Part{callwright.Call{ID: "a", Name: "get_weather", Arguments: []byte(oslo)}}},
		callwright.Message{Role: callwright.RoleTool, Parts: []callwright.Part{callwright.Result{CallID: "a"}}},
		callwright.Message{Role: callwright.RoleUser, Parts: []callwright.Part{callwright.Text{Text: "And now?"}, callwright.Image{URL: "https://x.test/a.png"}}},
		says(callwright.RoleUser, "Well?"), says(callwright.RoleSystem, "B."), says(callwright.RoleAssistant, "It"))
	yes := true
	req.Params.Parallel, req.Params.Format, req.Params.Temperature = &yes, &callwright.AnswerFormat{}, "1"
	return req
}

// A refusal that names a feature is answered at once by the request that the fact learned from it asks for, and the next
// request begins with that.
func TestRefusalsTeach(t *testing.T) {
	for _, tc := range refusalsTeachCases {
		t.Run(string(tc.feature), func(t *testing.T) {
			rich, good := rich, goodCall
			if tc.feature == "tools_for_calls" {
				whole := rich
				good = text("{}")
				rich = func() *callwright.Request {
					req := whole()
					req.Tools, req.Params.Choice = nil, callwright.Choice{}
					return req
				}
			}
			if tc.feature == "tool_parameters" {
				whole := rich
				rich = func() *callwright.Request {
					req := whole()
					req.Tools = append(slices.Clone(req.Tools), callwright.Tool{Name: "now"})
					return req
				}
			}
			known, err := caps.Caps{}.With(caps.Fact{Key: tc.key, Value: tc.value})
			if err != nil {
				t.Fatal(err)
			}
			told := &scripted{name: "lab/m", caps: known, answers: []any{good}}
			if _, err := reliable.New(told).Generate(t.Context(), rich()); err != nil {
				t.Fatal(err)
			}
			refusal := &callwright.Error{Kind: callwright.KindUnsupported, Feature: tc.feature, Status: 400}
			m := &scripted{name: "lab/m", answers: []any{refusal, good, good}}
			client := reliable.New(m)
			for range 2 {
				if _, err := client.Generate(t.Context(), rich()); err != nil {
					t.Fatal(err)
				}
			}
			want := sent(t, told.asked[0])
			for i, req := range m.asked[1:] {
				if d := cmp.Diff(want, sent(t, req)); d != "" {
					t.Errorf("request %d (-want +got)\n%s", i+1, d)
				}
			}
			// What only codecs act on reaches them in the capabilities alone.
			if plain := cmp.Equal(want, sent(t, m.asked[0])); plain != codecFacts[tc.key+"="+tc.value] {
				t.Errorf("the request is the same as before: %t", plain)
			}
			for _, req := range m.asked[1:] {
				if got, ok := companion.Of(req).Known.KnownFacts()[tc.key]; !ok || !strings.HasPrefix(got, tc.value) {
					t.Errorf("the model's own stages are told %q of %s", got, tc.key)
				}
			}
		})
	}
}

// codecFacts change what codecs write and nothing of the request.
var codecFacts = map[string]bool{
	"stream_usage=no": true, "strict_tools=no": true, "system_role=system": true, "system_role=user": true, "no_null_content=true": true,
	"prefill=prefix": true, "cache_control=no": true,
}

// A limit of tools that a refusal names holds at once and the next time: so many tools are sent, or the request is an error.
func TestRefusedNumberOfTools(t *testing.T) {
	refusal := &callwright.Error{Kind: callwright.KindUnsupported, Feature: feature.MaxTools + ":1", Status: 400}
	req := ask(callwright.Choice{})
	req.Tools = append(slices.Clone(weather), callwright.Tool{Name: "get_time"})
	m := &scripted{name: "lab/m", answers: []any{refusal, goodCall, goodCall}}
	client := reliable.New(m)
	for i := range 2 {
		resp, err := client.Generate(t.Context(), req)
		if err != nil || len(resp.Calls()) != 1 || resp.Report.Mode != caps.Native {
			t.Fatalf("request %d: %v, %+v", i, err, resp)
		}
	}
	if len(m.asked) != 3 || len(m.asked[0].Tools) != 2 || len(m.asked[1].Tools) != 1 || len(m.asked[2].Tools) != 1 {
		t.Errorf("%d requests were sent", len(m.asked))
	}
	m = &scripted{name: "lab/m", answers: []any{refusal}}
	client = reliable.New(m, reliable.WithToolsOverLimit(callwright.ToolsError))
	if _, err := client.Generate(t.Context(), req); callwright.KindOf(err) != callwright.KindInvalid || len(m.asked) != 1 || !strings.Contains(err.Error(), "2 tools are declared, but lab/m accepts at most 1 (tools_over_limit: error)") {
		t.Errorf("got %v after %d requests", err, len(m.asked))
	}
}

// Members that only the wire knows are looked for in the bytes of the request.
func TestRefusedMembersOfABody(t *testing.T) {
	const body = `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Hi"}],"speed":"fast","top_p":0.5}`
	req, err := anthropic.Codec{}.DecodeRequest([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	m := &scripted{name: "lab/m", caps: caps.Caps{DropFields: "top_p,top_k,speed,temperature"}, answers: []any{text("Hello.")}}
	if _, err := reliable.New(m).Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"user Hi", "without top_p", "without speed"}, sent(t, m.asked[0])); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}
