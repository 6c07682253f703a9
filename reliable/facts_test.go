package reliable_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/reliable"
	"github.com/google/go-cmp/cmp"
)

func refusing(f callwright.Feature, message string) *callwright.Error {
	return &callwright.Error{Kind: callwright.KindUnsupported, Feature: f, Status: 400, Message: message}
}

// What a refusal says becomes knowledge when the changed request was answered, and never where the client's own words say it.
func TestLessonsAreProven(t *testing.T) {
	broken := &callwright.Error{Kind: callwright.KindInvalid, Status: 400, Message: "something else is wrong"}
	for name, tc := range map[string]struct {
		answers []any
		ask     string
		want    []string // attempts of the first request
		learned []string
	}{
		"the changed request succeeds": {[]any{noTools, inHermes}, "", []string{"native first", "text other mode"}, []string{"tools=no"}},
		"the changed request fails":    {[]any{noTools, broken}, "", []string{"native first", "text other mode"}, nil},
		"the words are the client's": {[]any{refusing(feature.Tools, "flagged: 'this model does not support tools'"), inHermes}, "Say: this model does not support TOOLS!",
			[]string{"native first", "text other mode"}, nil},
		"other words are the client's": {[]any{noTools, inHermes}, "Which tools are there?", []string{"native first", "text other mode"}, []string{"tools=no"}},
		"two refusals, then an answer": {[]any{refusing("field:top_p", "no top_p"), refusing("field:temperature", "no temperature"), goodCall}, "",
			[]string{"native first", "native without field:top_p", "native without field:temperature"}, []string{"drop_fields=top_p,temperature"}},
		"two refusals, then a failure": {[]any{refusing("field:top_p", "no top_p"), refusing("field:temperature", "no temperature"), broken}, "",
			[]string{"native first", "native without field:top_p", "native without field:temperature"}, nil},
		"a lesson goes along to the next mode": {[]any{refusing("field:top_p", "no top_p"), noTools, inHermes}, "",
			[]string{"native first", "native without field:top_p", "text other mode"}, []string{"drop_fields=top_p", "tools=no"}},
	} {
		t.Run(name, func(t *testing.T) {
			capsStore := caps.NewMemory(nil)
			m := &scripted{name: "lab/m", answers: tc.answers}
			req := ask(callwright.Choice{})
			req.Params.TopP, req.Params.Temperature = "0.5", "1"
			if tc.ask != "" {
				req.Messages = []callwright.Message{callwright.UserText(tc.ask)}
			}
			resp, err := reliable.New(m, reliable.WithCapsStore(capsStore)).Generate(t.Context(), req)
			var tried []string
			for _, a := range reportOf(resp, err).Attempts {
				tried = append(tried, fmt.Sprintf("%s %s", a.Mode, a.Why))
			}
			if d := cmp.Diff(tc.want, tried); d != "" {
				t.Errorf("attempts (-want +got)\n%s", d)
			}
			var learned []string
			facts, _ := capsStore.Facts(t.Context(), "lab/m")
			for _, f := range facts {
				if f.Key != "clean_calls" && f.Key != "text_calls" {
					learned = append(learned, f.Key+"="+f.Value)
				}
			}
			if d := cmp.Diff(tc.learned, learned); d != "" {
				t.Errorf("learned (-want +got)\n%s", d)
			}
		})
	}
}

// A refuser is a model behind a codec that refuses every request for one feature, and keeps the bytes of each.
type refuser struct {
	*provider.Remote
	feature callwright.Feature
	bodies  []string
}

func (m *refuser) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	pre, err := m.Preview(ctx, req)
	if err != nil {
		return nil, err
	}
	m.bodies = append(m.bodies, string(pre.Body))
	return nil, refusing(m.feature, "no")
}

// A request that was refused is not sent again, over any wire, for any feature, in any order of modes: either what was learned changes
// it, or the next candidate is tried.
func TestRefusedRequestsAreNotSentAgain(t *testing.T) {
	features := []callwright.Feature{
		feature.Tools, feature.Choice, feature.ForcedChoice, feature.Parallel, feature.ResponseFormat, feature.JSONWithTools,
		feature.StreamOptions, feature.Strict, feature.ToolsWithReasoning, feature.Reasoning, feature.Prefill, feature.PrefillMark,
		feature.DeveloperRole, feature.SystemRole, feature.SystemMessages, feature.Alternation, feature.UserAfterTool,
		feature.ToolsForCalls, feature.NullContent, feature.EmptyAssistant, feature.ReasoningTurns, feature.ReasoningState, feature.APIItems, feature.CallSignatures, feature.Images, feature.MaxTools + ":0", feature.MaxTools + ":9",
		feature.Field + "temperature", feature.Field + "reasoning_content", feature.Field + "seed", feature.Field + "nothing_of_ours", feature.Grammar,
	}
	for _, c := range codecs.All() {
		p, err := provider.New(provider.Config{Name: "lab", Wire: c.Name(), BaseURL: "http://127.0.0.1:1"})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range features {
			for _, modes := range [][]caps.Mode{nil, {caps.JSONSchema, caps.Text}, {caps.JSONObject, caps.JSONSchema, caps.Native}} {
				t.Run(fmt.Sprintf("%s/%s/%v", c.Name(), f, modes), func(t *testing.T) {
					m := &refuser{Remote: p.Model("m"), feature: f}
					req := ask(callwright.Choice{Mode: callwright.ChoiceRequired})
					yes := true
					req.Params.Temperature, req.Params.Seed, req.Params.Parallel, req.Params.Thinking.Effort = "1", "7", &yes, "low"
					req.Params.Format = &callwright.AnswerFormat{Name: "a", Schema: []byte(`{"type":"object"}`)}
					req.Messages = append([]callwright.Message{callwright.SystemText("A.")}, append(req.Messages, callwright.SystemText("B."))...)
					if _, err := reliable.New(m, reliable.WithModes(modes...)).Generate(t.Context(), req); err == nil {
						t.Fatal("expected an error")
					}
					for i, b := range m.bodies {
						if slices.Contains(m.bodies[:i], b) {
							t.Errorf("sent twice: %s", b)
						}
					}
				})
			}
		}
		p.Close()
	}
}

// The mode that was sent is what is learned, and what is learned changes the order of modes, the configured one too.
func TestRefusedFormsMoveTheirMode(t *testing.T) {
	noForm := refusing(feature.ResponseFormat, "not a response format")
	inDocument := text(`{"toolCalls":[{"name":"get_weather","arguments":{"city":"Oslo"}}],"answer":""}`)
	invalid := &callwright.Error{Kind: callwright.KindInvalid, Status: 400, Message: "cannot compile the schema"}
	for name, tc := range map[string]struct {
		modes    []caps.Mode
		answers  []any
		attempts [2][]string
	}{
		"a schema":          {[]caps.Mode{caps.JSONSchema, caps.JSONObject}, []any{noForm, inDocument, inDocument}, [2][]string{{"json_schema", "json_object"}, {"json_object"}}},
		"any object":        {[]caps.Mode{caps.JSONObject, caps.JSONSchema}, []any{noForm, inDocument, inDocument}, [2][]string{{"json_object", "json_schema"}, {"json_schema"}}},
		"tools":             {[]caps.Mode{caps.Native, caps.Text}, []any{noTools, inHermes, inHermes}, [2][]string{{"native", "text"}, {"text"}}},
		"our document":      {[]caps.Mode{caps.JSONSchema, caps.Text}, []any{invalid, inHermes, inDocument}, [2][]string{{"json_schema", "text"}, {"json_schema"}}},
		"a grammar":         {[]caps.Mode{caps.JSONSchema, caps.Text}, []any{refusing(feature.Grammar, "failed to parse grammar"), inHermes, inDocument}, [2][]string{{"json_schema", "text"}, {"json_schema"}}},
		"a grammar, native": {nil, []any{refusing(feature.Grammar, "failed to parse grammar"), inHermes, goodCall}, [2][]string{{"native", "text"}, {"native"}}},
	} {
		t.Run(name, func(t *testing.T) {
			client := reliable.New(&scripted{name: "lab/m", answers: tc.answers}, reliable.WithModes(tc.modes...))
			for _, want := range tc.attempts {
				resp, err := client.Generate(t.Context(), ask(callwright.Choice{}))
				if err != nil {
					t.Fatal(err)
				}
				var modes []string
				for _, a := range resp.Report.Attempts {
					modes = append(modes, string(a.Mode))
				}
				if d := cmp.Diff(want, modes); d != "" {
					t.Errorf("(-want +got)\n%s", d)
				}
			}
		})
	}
}

// A form of the answer that a provider is known not to have is asked for in words.
func TestLackingFormsAreDescribed(t *testing.T) {
	for name, tc := range map[string]struct {
		caps   caps.Caps
		format callwright.AnswerFormat
		sent   bool
	}{
		"no schema":             {caps.Caps{JSONSchema: caps.No}, callwright.AnswerFormat{Schema: []byte(`{"type":"object"}`)}, false},
		"no schema but objects": {caps.Caps{JSONSchema: caps.No, JSONObject: caps.Yes}, callwright.AnswerFormat{Schema: []byte(`{"type":"object"}`)}, true},
		"no objects":            {caps.Caps{JSONObject: caps.No}, callwright.AnswerFormat{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			m := &scripted{name: "lab/m", caps: tc.caps, answers: []any{text(`{}`)}}
			req := ask(callwright.Choice{})
			req.Tools, req.Params.Format = nil, &tc.format
			if _, err := reliable.New(m).Generate(t.Context(), req); err != nil {
				t.Fatal(err)
			}
			got := m.asked[0].Params.Format
			if (got != nil) != tc.sent || got != nil && got.Schema != nil || !strings.Contains(sent(t, m.asked[0])[0], "JSON object") {
				t.Errorf("sent %v, %v", got, sent(t, m.asked[0]))
			}
		})
	}
}

// A failing is a Model of a caller that fails in its own words.
type failing struct{ err error }

func (f failing) Generate(context.Context, *callwright.Request) (*callwright.Response, error) {
	return nil, f.err
}

func (f failing) Stream(context.Context, *callwright.Request) iter.Seq2[callwright.Event, error] {
	if f.err == nil {
		return nil
	}
	return func(yield func(callwright.Event, error) bool) { yield(nil, f.err) }
}

// What is wrong with a client, a request or a model of the caller's is said by an error with a report, and is no reason not to ask
// another model.
func TestWrongUseIsAnError(t *testing.T) {
	good := func() callwright.Model { return &scripted{name: "lab/m", answers: []any{goodCall, goodCall}} }
	one := ask(callwright.Choice{})
	with := func(change func(*callwright.Params)) *callwright.Request {
		req := ask(callwright.Choice{})
		change(&req.Params)
		return req
	}
	for name, tc := range map[string]struct {
		client *reliable.Client
		req    *callwright.Request
		kind   callwright.Kind // "" for an answer
	}{
		"no model":               {reliable.New(nil), one, callwright.KindInvalid},
		"no fallback":            {reliable.New(good(), reliable.WithFallback(nil)), one, callwright.KindInvalid},
		"no request":             {reliable.New(good()), nil, callwright.KindInvalid},
		"neither of both":        {reliable.New(failing{}), one, callwright.KindBadAnswer},
		"a plain error":          {reliable.New(failing{errors.New("disk full")}), one, callwright.KindServer},
		"and a fallback":         {reliable.New(failing{errors.New("disk full")}, reliable.WithFallback(good())), one, ""},
		"nothing and a fallback": {reliable.New(failing{}, reliable.WithFallback(good())), one, ""},
		"an unknown policy":      {reliable.New(good(), reliable.WithPolicy("mend")), one, callwright.KindInvalid},
		"an unknown mode":        {reliable.New(good(), reliable.WithModes("magic")), one, callwright.KindInvalid},
		"an unknown dialect":     {reliable.New(good(), reliable.WithDialect("klingon")), one, callwright.KindInvalid},
		"an unknown rule":        {reliable.New(good(), reliable.WithRules(map[string]bool{"json.no_such": true})), one, callwright.KindInvalid},
		"a family as a rule":     {reliable.New(good(), reliable.WithRules(map[string]bool{"json.*": true})), one, callwright.KindInvalid},
		"a rule":                 {reliable.New(good(), reliable.WithRules(map[string]bool{"json.trailing_comma": false, "dialect.hermes": true, "id.missing": true})), one, ""},
		"an unknown strictness":  {reliable.New(good(), reliable.WithStrictTools("very")), one, callwright.KindInvalid},
		"an unknown stream":      {reliable.New(good(), reliable.WithStreamCalls("fast")), one, callwright.KindInvalid},
		"negative corrections":   {reliable.New(good(), reliable.WithMaxCorrections(-1)), one, callwright.KindInvalid},
		"an unknown fact":        {reliable.New(good(), reliable.WithFacts(caps.Fact{Key: "colour", Value: "red"})), one, callwright.KindInvalid},
		"a number that is more":  {reliable.New(good()), with(func(p *callwright.Params) { p.Temperature = `1,"tools":[]` }), callwright.KindInvalid},
		"a number in words":      {reliable.New(good()), with(func(p *callwright.Params) { p.MaxTokens = "many" }), callwright.KindInvalid},
		"a number with a blank":  {reliable.New(good()), with(func(p *callwright.Params) { p.Thinking.Budget = " 7" }), callwright.KindInvalid},
		"numbers":                {reliable.New(good()), with(func(p *callwright.Params) { p.Temperature, p.MaxTokens, p.Seed = "1e-1", "100", "-3" }), ""},
	} {
		for way, deliver := range deliveries {
			t.Run(name+"/"+way, func(t *testing.T) {
				resp, err := deliver(tc.client, tc.req)
				if callwright.KindOf(err) != tc.kind || tc.kind != "" && (reportOf(resp, err) == nil || reportOf(resp, err).ID == "") {
					t.Errorf("want %q, got %v", tc.kind, err)
				}
			})
		}
	}
}

// What refusals said on one candidate goes into the requests of the next: nothing is refused twice.
func TestLaterCandidatesGoByTheLessons(t *testing.T) {
	m := &scripted{name: "lab/m", answers: []any{refusing(feature.DeveloperRole, "no developer"), refusing(feature.SystemMessages, "one system message"), noTools, inHermes}}
	req := ask(callwright.Choice{})
	req.Messages = append([]callwright.Message{callwright.SystemText("A.")}, append(req.Messages, callwright.SystemText("B."))...)
	resp, err := reliable.New(m).Generate(t.Context(), req)
	want := []string{"lab/m native first", "lab/m native without developer_role", "lab/m native without system_messages", "lab/m text other mode"}
	if d := cmp.Diff(want, attempts(reportOf(resp, err))); d != "" {
		t.Fatalf("(-want +got)\n%s", d)
	}
	if companion.Of(m.asked[3]).Known == nil {
		t.Fatal("the next mode goes by no lesson")
	}
	known := companion.Of(m.asked[3]).Known.KnownFacts()
	if !strings.HasPrefix(known["system_role"], "system") || !strings.HasPrefix(known["one_system"], "true") {
		t.Errorf("the next mode goes by %v", known)
	}
	said := sent(t, m.asked[3])
	if n := len(slices.DeleteFunc(said, func(line string) bool { return !strings.HasPrefix(line, "system ") })); n != 1 {
		t.Errorf("the next mode has %d system messages", n)
	}
}

// What the program configures stands over what is found out, and an override on the capability store over both.
func TestWhoseFactHolds(t *testing.T) {
	for source, want := range map[caps.Source]caps.Mode{caps.Probed: caps.Native, caps.Learned: caps.Native, caps.Configured: caps.Native, caps.Override: caps.Text} {
		capsStore := caps.NewMemory(nil)
		if err := capsStore.Learn(t.Context(), "lab/m", caps.Fact{Key: "tools", Value: "no", Source: source}); err != nil {
			t.Fatal(err)
		}
		m := &scripted{name: "lab/m"}
		plan, err := reliable.New(m, reliable.WithCapsStore(capsStore), reliable.WithFacts(caps.Fact{Key: "tools", Value: "yes", Source: caps.Override})).Explain(t.Context(), ask(callwright.Choice{}))
		if err != nil || plan.Chain[0].Mode != want {
			t.Errorf("%s: expected %s first, got %+v, %v", source, want, plan, err)
		}
	}
}
