package directive_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/directive"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
	"github.com/google/go-cmp/cmp"
)

const (
	plainAnswer = `{"assistant_text":"Here.","directives":[` + saves + `]}`
	schemaMode  = directive.ModeSchema
	objectMode  = directive.ModeObject
	promptMode  = directive.ModePrompt
)

// TestCandidates: the known facts about a model and the request decide which mode is tried first.
func TestCandidates(t *testing.T) {
	open := append(slices.Clone(editor), directive.Type{Name: "set", Schema: []byte(`{"type":"object","additionalProperties":{"type":"string"}}`)})
	for _, c := range []struct {
		name  string
		caps  caps.Caps
		tools bool
		types []directive.Type
		opts  []directive.Option
		want  directive.Mode
	}{
		{name: "nothing is known", want: schemaMode},
		{name: "nothing is known, with tools", tools: true, want: schemaMode},
		{name: "no schema", caps: caps.Caps{JSONSchema: caps.No}, want: objectMode},
		{name: "no JSON", caps: caps.Caps{JSONSchema: caps.No, JSONObject: caps.No}, want: promptMode},
		{name: "a schema and no other JSON", caps: caps.Caps{JSONObject: caps.No}, want: schemaMode},
		{name: "no form beside tools", caps: caps.Caps{JSONWithTools: caps.No}, tools: true, want: promptMode},
		{name: "no form beside tools, of which there are none", caps: caps.Caps{JSONWithTools: caps.No}, want: schemaMode},
		{name: "payloads of any keys", caps: caps.Caps{OpenObjects: caps.No}, types: open, want: objectMode},
		{name: "payloads of known keys", caps: caps.Caps{OpenObjects: caps.No}, want: schemaMode},
		{name: "as the caller wants it", caps: caps.Caps{JSONSchema: caps.No}, opts: []directive.Option{directive.WithModes(schemaMode)}, want: schemaMode},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &script{caps: c.caps, answers: []any{plainAnswer}}
			req := ask()
			if c.tools {
				req.Tools = weather
			}
			reg := registry(t, c.types...)
			turn, err := directive.New(m, reg, c.opts...).Generate(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			form, messages := sent(t, m.asked[0])
			if turn.Mode != c.want || form != string(c.want) {
				t.Errorf("asked by %s in the form %s, want %s", turn.Mode, form, c.want)
			}
			full := strings.Contains(messages[0], reg.Instructions())
			if !strings.HasPrefix(messages[0], "system You edit.\n\n") || !strings.Contains(messages[0], "- open_file: Opens") || full != (c.want != schemaMode) {
				t.Errorf("instructed with %q", messages[0])
			}
			if len(ask().Messages) != len(messages) || len(req.Messages[0].Parts) != 1 {
				t.Errorf("the request was changed: %v", messages)
			}
		})
	}
}

// refusals are how providers refuse a form of the answer.
var refusals = map[callwright.WireName]string{
	callwright.WireOpenAI:    "This model does not support response format `json_schema`.",
	callwright.WireResponses: "This model does not support response format `json_schema`.",
	callwright.WireAnthropic: "This model does not support output format.",
	callwright.WireGemini:    "JSON mode is not enabled for this model",
	callwright.WireOllama:    "failed to load model vocabulary required for format",
}

// TestFallback: a refusal of a mode leads to the next candidate, over every API. The next turn does not try the refused mode.
func TestFallback(t *testing.T) {
	for _, wire := range wires {
		for _, lowest := range []directive.Mode{schemaMode, objectMode, promptMode} {
			if wire == callwright.WireAnthropic && lowest == objectMode {
				continue // its API has no such form
			}
			for _, way := range ways {
				t.Run(string(wire)+"/"+string(lowest)+"/"+way, func(t *testing.T) {
					s := serve(t, func(seen simulate.Seen) simulate.Turn {
						schema := strings.Contains(string(seen.Format), "assistant_text")
						if schema && lowest != schemaMode || len(seen.Format) > 0 && lowest == promptMode {
							return simulate.Turn{Status: 400, Text: refusals[wire]}
						}
						return simulate.Turn{Text: plainAnswer}
					})
					client := directive.New(s.over(t, wire, "m"), registry(t))
					for i := range 2 {
						turn, events, err := asking(t, client, ask(), way)
						if err != nil {
							t.Fatal(err)
						}
						if d := cmp.Diff([]string{"text Here.", saved}, gist(turn)); d != "" || turn.Mode != lowest && wire != callwright.WireAnthropic {
							t.Errorf("asked by %s (-want +got)\n%s", turn.Mode, d)
						}
						if way == "streamed" {
							checkEvents(t, events, turn)
						}
						if learned := strings.Contains(rules(turn), "plan.learned"); learned != (i == 0 && lowest != schemaMode) {
							t.Errorf("turn %d has the notes %s", i, rules(turn))
						}
					}
					seen := s.Requests()
					if last := seen[len(seen)-1]; (len(last.Format) > 0) != (lowest != promptMode) || last.Refused != "" {
						t.Errorf("asked last with the form %s", last.Format)
					}
				})
			}
		}
	}
}

func refusal(f callwright.Feature) *callwright.Error {
	return &callwright.Error{Kind: callwright.KindUnsupported, Feature: f, Message: "not here", Status: 400}
}

// TestErrors: which errors lead to the next candidate, and which facts they teach.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name    string
		errs    []any
		tools   bool
		opts    []directive.Option
		want    string // the forms that were asked for
		learned string
		fails   callwright.Kind
	}{
		{name: "no schema", errs: []any{refusal(feature.ResponseFormat)}, want: "json_schema json_object", learned: "json_schema=no"},
		{name: "no form", errs: []any{refusal(feature.ResponseFormat), refusal(feature.ResponseFormat)}, want: "json_schema json_object prompt", learned: "json_schema=no json_object=no"},
		{name: "no form beside tools", tools: true, errs: []any{refusal(feature.JSONWithTools)}, want: "json_schema prompt", learned: "json_with_tools=no"},
		{name: "not this schema", errs: []any{refusal(feature.Grammar)}, want: "json_schema json_object"},
		{name: "a schema that is wrong to the provider", errs: []any{&callwright.Error{Kind: callwright.KindSchema}}, want: "json_schema json_object"},
		{name: "something is wrong", errs: []any{&callwright.Error{Kind: callwright.KindInvalid}, &callwright.Error{Kind: callwright.KindInvalid}}, want: "json_schema json_object prompt"},
		{name: "wrong by every candidate", errs: []any{&callwright.Error{Kind: callwright.KindInvalid}, &callwright.Error{Kind: callwright.KindInvalid}, &callwright.Error{Kind: callwright.KindInvalid}}, want: "json_schema json_object prompt", fails: callwright.KindInvalid},
		{name: "the one candidate there is", errs: []any{refusal(feature.ResponseFormat)}, opts: []directive.Option{directive.WithModes(schemaMode)}, want: "json_schema", fails: callwright.KindUnsupported},
		{name: "those that there are", errs: []any{refusal(feature.ResponseFormat)}, opts: []directive.Option{directive.WithModes(objectMode, schemaMode)}, want: "json_object json_schema", learned: "json_object=no"},
		{name: "no tools", tools: true, errs: []any{refusal(feature.Tools), refusal(feature.Tools), refusal(feature.Tools)}, want: "json_schema json_object prompt", fails: callwright.KindUnsupported},
		{name: "overloaded", errs: []any{&callwright.Error{Kind: callwright.KindOverloaded}}, want: "json_schema", fails: callwright.KindOverloaded},
		{name: "no key", errs: []any{&callwright.Error{Kind: callwright.KindAuth}}, want: "json_schema", fails: callwright.KindAuth},
		{name: "an error of no kind", errs: []any{errors.New("broken")}, want: "json_schema", fails: callwright.KindInternal},
	} {
		for _, way := range ways {
			t.Run(c.name+"/"+way, func(t *testing.T) {
				m := &script{answers: append(slices.Clone(c.errs), plainAnswer)}
				capsStore := caps.NewMemory(nil)
				req := ask()
				if c.tools {
					req.Tools = weather
				}
				turn, _, err := asking(t, directive.New(m, registry(t), append(c.opts, directive.WithCapsStore(capsStore))...), req, way)
				if callwright.KindOf(err) != c.fails || err == nil && turn.Text != "Here." {
					t.Fatalf("got %+v, error %v", turn, err)
				}
				var forms, learned []string
				for _, r := range m.asked {
					form, _ := sent(t, r)
					forms = append(forms, form)
				}
				facts, _ := capsStore.Facts(t.Context(), "lab/m")
				for _, f := range facts {
					learned = append(learned, f.Key+"="+f.Value)
				}
				if got := strings.Join(forms, " "); got != c.want {
					t.Errorf("asked for %s, want %s", got, c.want)
				}
				if got := strings.Join(learned, " "); got != c.learned {
					t.Errorf("learned %q, want %q", got, c.learned)
				}
			})
		}
	}
}

// A refusal in the words of the request itself proves nothing about the provider.
func TestQuotedRefusal(t *testing.T) {
	capsStore := caps.NewMemory(nil)
	e := refusal(feature.ResponseFormat)
	e.Message = "the response format is not supported here"
	m := &script{answers: []any{e, plainAnswer}}
	req := ask()
	req.Messages[1] = callwright.UserText("What does it mean: the response format is not supported here?")
	turn, err := directive.New(m, registry(t), directive.WithCapsStore(capsStore)).Generate(t.Context(), req)
	if err != nil || turn.Mode != objectMode {
		t.Fatalf("got %+v, %v", turn, err)
	}
	if facts, _ := capsStore.Facts(t.Context(), "lab/m"); len(facts) > 0 {
		t.Errorf("learned %v", facts)
	}
}

// What was learned is forgotten after a day.
func TestLearnedExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &script{answers: []any{refusal(feature.ResponseFormat), plainAnswer, plainAnswer, plainAnswer}}
		client := directive.New(m, registry(t), directive.WithClock(time.Now))
		var forms []string
		for _, wait := range []time.Duration{0, caps.LearnedTTL - time.Minute, time.Hour} {
			time.Sleep(wait)
			turn, err := client.Generate(t.Context(), ask())
			if err != nil {
				t.Fatal(err)
			}
			forms = append(forms, string(turn.Mode))
		}
		if got := strings.Join(forms, " "); got != "json_object json_object json_schema" {
			t.Errorf("got %s", got)
		}
	})
}

// A reliable client says what is known of its model. Where the provider has no form of answers it is asked in words, and the text comes at once.
func TestWordedForms(t *testing.T) {
	m := &script{caps: caps.Caps{JSONSchema: caps.No, JSONObject: caps.No}, answers: []any{plainAnswer, plainAnswer}, piece: 8}
	client := directive.New(reliable.New(m), registry(t))
	for i := range 2 {
		turn, events, err := asking(t, client, ask(), "streamed")
		if err != nil {
			t.Fatal(err)
		}
		if turn.Mode != promptMode {
			t.Errorf("turn %d was asked by %s, want %s", i, turn.Mode, promptMode)
		}
		if form, messages := sent(t, m.asked[i]); form != "prompt" || !strings.Contains(messages[0], "assistant_text") {
			t.Errorf("turn %d was sent in the form %s: %q", i, form, messages)
		}
		checkEvents(t, events, turn)
	}
}

// TestRecovered: a refusal that has the text of the model is read like an answer. The next candidate follows when the text is no document.
func TestRecovered(t *testing.T) {
	for _, way := range ways {
		for _, c := range []struct {
			text  string
			asked int
			want  []string
		}{
			{plainAnswer, 1, []string{"text Here.", saved}},
			{`{"assistant_text":"Here.","directives":[{"type":"sa`, 1, []string{"text Here.", "dropped truncated /directives/0"}},
			{`no document`, 2, []string{"text Here.", saved}},
		} {
			m := &script{answers: []any{&callwright.Error{Kind: callwright.KindRefusedCall, Recovered: c.text}, plainAnswer}}
			turn, events, err := asking(t, directive.New(m, registry(t)), ask(), way)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, gist(turn)); d != "" || len(m.asked) != c.asked || strings.Contains(rules(turn), "recovered.text") != (c.asked == 1) {
				t.Errorf("%s: asked %d times, notes %s (-want +got)\n%s", c.text, len(m.asked), rules(turn), d)
			}
			if way == "streamed" {
				checkEvents(t, events, turn)
			}
		}
	}
}
