package simulate_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/simulate"
)

// Every class of failures has an id in order, a sentence and a fault at least.
func TestTaxonomyIsComplete(t *testing.T) {
	classes := simulate.Classes()
	if len(classes) != 60 {
		t.Errorf("got %d classes, want 60", len(classes))
	}
	for i, c := range classes {
		if want := fmt.Sprintf("F%02d", i+1); c.ID != want || c.Doc == "" {
			t.Errorf("got %+v, want %s and a sentence", c, want)
		}
		if len(simulate.FaultsOf(c.ID)) == 0 {
			t.Errorf("%s: no fault shows it", c.ID)
		}
	}
	for _, f := range simulate.Faults() {
		if f.Class != "" && !slices.ContainsFunc(classes, func(c simulate.Class) bool { return c.ID == f.Class }) {
			t.Errorf("%s: no class %s", f.Model(), f.Class)
		}
	}
}

// Faults that refuse are the refusals of a provider: what trips one of its checks is refused in the same words, and what is near it passes.
func TestRefusingFaults(t *testing.T) {
	base, _ := start(t, simulate.Weather())
	for _, f := range simulate.Faults() {
		if !f.Provoked || provoking[f.Model()].messages != nil || f.Class == "F43" || f.Name == "stubborn" {
			continue // see TestProvokedFaults, TestForeignTools and TestStubbornLoop
		}
		shown := map[string]bool{}
		for _, l := range checkLists {
			for _, c := range l.cases {
				body := over(t, l.wire, c.trips)
				body["model"], body["stream"] = "sim/"+f.Model(), false
				got := send(t, base, l.wire, body)
				check := got.header.Get(simulate.CheckHeader)
				if check == "" {
					continue
				}
				shown[l.wire] = true
				if got.status < 400 || !slices.Contains(f.Wires, l.wire) {
					t.Errorf("%s: %s on %s: got %s", f.Model(), check, l.wire, got)
				}
				if want := strings.ReplaceAll(c.want, "strict-"+l.profile, "sim/"+f.Model()); check == l.wire+"/"+l.profile+"/"+c.check && !strings.Contains(got.err+got.raw, want) {
					t.Errorf("%s: want %q, got %s", f.Model(), c.want, got.raw)
				}
			}
		}
		for _, wire := range f.Wires {
			if !shown[wire] {
				t.Errorf("%s: nothing shows it on %s", f.Model(), wire)
			}
			c := conversation{model: "sim/" + f.Model(), tools: f.Class != "F42", messages: ask(twoCities)}
			if got := send(t, base, wire, c.body(wire)); got.status != http.StatusOK {
				t.Errorf("%s on %s: want other requests answered, got %s", f.Model(), wire, got)
			}
		}
	}
}

// A provocation is a conversation in which a fault shows, the last of the requests that are sent one after the other, and what it shows and lacks.
type provocation struct {
	messages []object
	before   []object // what is sent first
	members  func(wire string) object
	shows    []string
	lacks    []string
}

// again is a conversation with a call and its result, on Chat Completions.
func again(text string) []object {
	return append(ask("What is the weather in Oslo?"), did("call_1", "get_weather", `{"city":"Oslo"}`, text)...)
}

var provoking = map[string]provocation{
	"repeat-1":             {messages: again("18 C"), shows: []string{`args={"city":"Oslo"}`}},
	"repeat-2":             {messages: append(again("18 C"), did("call_2", "get_weather", `{"city":"Rome"}`, "20 C")...), shows: []string{`args={"city":"Oslo"}`}},
	"repeat-empty":         {messages: again("18 C"), shows: []string{`args={}`}},
	"repeat-beside_answer": {messages: again("18 C"), shows: []string{"It is 18 C.", `args={"city":"Oslo"}`}},
	"volatile_prefix": {before: []object{{"role": "system", "content": "nonce 1"}, {"role": "user", "content": "What is the weather in Oslo?"}},
		messages: []object{{"role": "system", "content": "nonce 2"}, {"role": "user", "content": "What is the weather in Oslo?"}}, shows: []string{`cached_tokens":`}},
	"image_in_result-dropped": {messages: append(ask("What is the weather in Oslo?"),
		object{"role": "assistant", "content": nil, "tool_calls": []object{{"id": "a", "type": "function", "function": object{"name": "get_weather", "arguments": "{}"}}}},
		object{"role": "tool", "tool_call_id": "a", "content": []object{{"type": "image_url", "image_url": object{"url": "data:image/png;base64,AAAA"}}}}),
		shows: []string{"red bicycle"}},
	"custom_tool-rejected": {messages: ask("Hi"), members: func(string) object {
		return object{"tools": []object{{"type": "custom", "custom": object{"name": "exec"}}}}
	}, shows: []string{"status 400", "Invalid value: 'custom'"}},
	"grammar_fail_open": {messages: ask("Hi"), members: func(string) object {
		return object{"response_format": object{"type": "json_object"}}
	}, shows: []string{"Sure!", "```json\n{"}},
	"empty_turn-after_tool": {messages: again("18 C"), shows: []string{"text: \n"}, lacks: []string{"call index"}},
	"provider_profile":      {messages: ask("What is the weather in Oslo?"), shows: []string{"call"}},
}

// Faults that a conversation provokes show in it, and not without them.
func TestProvokedFaults(t *testing.T) {
	for name, p := range provoking {
		for form, stream := range streamed {
			t.Run(name+"/"+form, func(t *testing.T) {
				base, _ := start(t, simulate.Weather())
				talk := func(model string, messages []object) *reply {
					c := conversation{model: model, stream: stream, tools: true, messages: messages, members: object{}}
					if stream {
						c.members["stream_options"] = object{"include_usage": true}
					}
					if p.members != nil {
						for k, v := range p.members(simulate.OpenAI) {
							c.members[k] = v
						}
					}
					return send(t, base, simulate.OpenAI, c.body(simulate.OpenAI))
				}
				if p.before != nil {
					talk("sim/"+name, p.before)
				}
				got, plain := talk("sim/"+name, p.messages), talk("native", p.messages)
				for _, s := range p.shows {
					if !strings.Contains(got.String()+got.raw, s) {
						t.Errorf("want %q in %s\n%s", s, got, got.raw)
					}
				}
				for _, s := range p.lacks {
					if strings.Contains(got.String()+got.raw, s) {
						t.Errorf("want no %q in %s", s, got)
					}
				}
				if name != "provider_profile" && got.String() == plain.String() && !strings.Contains(got.raw, "cached_tokens") {
					t.Errorf("it answers as without the fault: %s", got)
				}
			})
		}
	}
}

// The tools of Responses that are no functions: each fault about them, whole and streamed.
func TestForeignTools(t *testing.T) {
	base, _ := start(t, simulate.AnyTools())
	for _, tc := range []struct{ model, tools, shows, lacks string }{
		{"native", `[{"type":"custom","name":"exec"}]`, `"type":"custom_tool_call"`, `"function_call"`},
		{"custom_tool-rejected", `[{"type":"custom","name":"exec"}]`, `Invalid value: 'custom'`, `"output"`},
		{"custom_tool-as_function", `[{"type":"custom","name":"exec"}]`, `"type":"function_call"`, `custom_tool_call`},
		{"native", `[{"type":"namespace","name":"box","tools":[{"type":"function","name":"open"}]}]`, `"namespace":"box"`, `box__open`},
		{"namespace-rejected", `[{"type":"namespace","name":"box","tools":[{"type":"function","name":"open"}]}]`, `Invalid value: 'namespace'`, `"output"`},
		{"namespace-joined", `[{"type":"namespace","name":"box","tools":[{"type":"function","name":"open"}]}]`, `"name":"box__open"`, `"namespace"`},
	} {
		for form, stream := range streamed {
			body := over(t, simulate.Responses, `"tool_choice":"required","tools":`+tc.tools)
			body["model"], body["stream"] = tc.model, stream
			got := send(t, base, simulate.Responses, body)
			if !strings.Contains(got.raw, tc.shows) || strings.Contains(got.raw, tc.lacks) {
				t.Errorf("%s %s: want %s and no %s, got %s", tc.model, form, tc.shows, tc.lacks, got.raw)
			}
		}
	}
}

// The beginning that two prompts share counts as cached, and what differs at once leaves nothing.
func TestCachedPrompt(t *testing.T) {
	for second, want := range map[string]bool{"nonce 1. Be brief.": true, "Nonce 2. Be brief.": false} {
		base, _ := start(t, simulate.Weather())
		var got *reply
		for _, system := range []string{"nonce 1. Be brief.", second} {
			c := conversation{model: "volatile_prefix", system: system + strings.Repeat(" Mind the details.", 20), messages: ask("Hi")}
			got = send(t, base, simulate.OpenAI, c.body(simulate.OpenAI))
		}
		if cached := !strings.Contains(got.raw, `"cached_tokens":0}`); cached != want {
			t.Errorf("after %q: cached %v, want %v\n%s", second, cached, want, got.raw)
		}
	}
}

// A stalled stream says nothing more and stays open until the client leaves; one with a bad line goes on to its end.
func TestBrokenStreams(t *testing.T) {
	base, _ := start(t, simulate.Weather())
	for _, wire := range wires {
		ctx, leave := context.WithCancel(t.Context())
		c := conversation{model: "midstream-stall", stream: true, tools: true, messages: ask(twoCities)}
		transport := &http.Transport{DisableKeepAlives: true}
		resp, err := transport.RoundTrip(post(t, base, wire, c.body(wire)).WithContext(ctx))
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(resp.Body)
		if !lines.Scan() {
			t.Errorf("%s: nothing came", wire)
		}
		leave()
		for lines.Scan() { // until the connection is gone
		}
		if lines.Err() == nil {
			t.Errorf("%s: the stream ended before its client left", wire)
		}
		_ = resp.Body.Close()

		c.model = "midstream-badline"
		resp, err = transport.RoundTrip(post(t, base, wire, c.body(wire)))
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if bad := strings.Index(string(raw), "{\"id\":\"chatcmpl-\n"); err != nil || bad < 0 || bad > len(raw)-100 {
			t.Errorf("%s: %v, want a bad event and more behind it in\n%s", wire, err, raw)
		}
	}
}

// All arguments of a call come in one event.
func TestLateArguments(t *testing.T) {
	base, _ := start(t, simulate.Weather())
	for _, wire := range []string{simulate.OpenAI, simulate.Responses, simulate.Anthropic} {
		c := conversation{model: "late_args", stream: true, tools: true, messages: ask("What is the weather in Oslo?")}
		got := send(t, base, wire, c.body(wire))
		if whole := `{\"city\": \"Oslo\"}`; !strings.Contains(got.raw, `delta":"`+whole) && !strings.Contains(got.raw, `arguments":"`+whole) && !strings.Contains(got.raw, `partial_json":"`+whole) {
			t.Errorf("%s: want the arguments in one piece in\n%s", wire, got.raw)
		}
	}
}
