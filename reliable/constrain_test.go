package reliable_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/reliable"
)

const taggedCall = "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\"}}\n</tool_call>"

// TestConstraint: when an answer is decoded under a constraint.
func TestConstraint(t *testing.T) {
	takes := caps.Caps{Constraint: "gbnf"}
	leaks := caps.Caps{Constraint: "gbnf", TextCalls: caps.Yes}
	const yes, no, auto = caps.Yes, caps.No, caps.Unknown
	for name, c := range map[string]struct {
		known  caps.Caps
		option caps.Truth
		mode   caps.Mode
		change func(*callwright.Request)
		sent   bool
	}{
		"nothing is known of the engine":         {caps.Caps{}, yes, caps.Text, nil, false},
		"the engine takes none":                  {caps.Caps{Constraint: "none"}, yes, caps.Text, nil, false},
		"in text":                                {takes, auto, caps.Text, nil, true},
		"in text, switched off":                  {takes, no, caps.Text, nil, false},
		"natively":                               {takes, auto, caps.Native, nil, false},
		"natively, asked for":                    {takes, yes, caps.Native, nil, true},
		"natively, where calls come as text":     {leaks, auto, caps.Native, nil, true},
		"natively, where the mark is a token":    {caps.Caps{Constraint: "gbnf", TextCalls: caps.Yes, Dialect: "mistral_array"}, auto, caps.Native, nil, false},
		"natively, where none come as text":      {caps.Caps{Constraint: "gbnf", TextCalls: caps.No}, yes, caps.Native, nil, false},
		"natively, and a call is required":       {leaks, yes, caps.Native, func(r *callwright.Request) { r.Params.Choice.Mode = callwright.ChoiceRequired }, false},
		"in text, and a call is required":        {takes, auto, caps.Text, func(r *callwright.Request) { r.Params.Choice.Mode = callwright.ChoiceRequired }, true},
		"natively, and no call is allowed":       {leaks, yes, caps.Native, func(r *callwright.Request) { r.Params.Choice.Mode = callwright.ChoiceNone }, false},
		"natively, and the answer has a form":    {leaks, yes, caps.Native, func(r *callwright.Request) { r.Params.Format = &callwright.AnswerFormat{} }, false},
		"in a document":                          {takes, yes, caps.JSONSchema, nil, false},
		"in a document without a schema":         {takes, auto, caps.JSONObject, nil, true},
		"in a document, and no call is allowed":  {takes, yes, caps.JSONObject, func(r *callwright.Request) { r.Params.Choice.Mode = callwright.ChoiceNone }, false},
		"a document of a server of tags":         {caps.Caps{Constraint: "structural_tag"}, yes, caps.JSONObject, nil, false},
		"the model reasons":                      {caps.Caps{Constraint: "gbnf", ReasoningStart: "primed"}, auto, caps.Text, nil, false},
		"the model reasons, and it is asked for": {caps.Caps{Constraint: "gbnf", ReasoningStart: "primed"}, yes, caps.Text, nil, true},
		"reasoning is asked for":                 {takes, auto, caps.Text, func(r *callwright.Request) { r.Params.Thinking.Effort = "low" }, false},
		"a call is required of a model that reasons": {caps.Caps{Constraint: "gbnf", ReasoningStart: "primed"}, yes, caps.Text,
			func(r *callwright.Request) { r.Params.Choice.Mode = callwright.ChoiceRequired }, false},
		"a structural tag, not asked for": {caps.Caps{Constraint: "structural_tag"}, auto, caps.Text, nil, false},
		"a structural tag, in text":       {caps.Caps{Constraint: "structural_tag"}, yes, caps.Text, nil, true},
		"a structural tag, natively":      {caps.Caps{Constraint: "structural_tag"}, yes, caps.Native, nil, true},
		"structures":                      {caps.Caps{Constraint: "structures"}, yes, caps.Native, nil, true},
		"no tools":                        {takes, yes, caps.Native, func(r *callwright.Request) { r.Tools = nil }, false},
	} {
		t.Run(name, func(t *testing.T) {
			req := &callwright.Request{Messages: []callwright.Message{callwright.UserText("Weather?")}, Tools: weather}
			if c.change != nil {
				c.change(req)
			}
			sh, err := reliable.Shape(req, c.known, c.mode, reliable.ShapeOptions{Constrain: c.option})
			if err != nil {
				t.Fatal(err)
			}
			made := companion.Of(sh.Request).Constraint
			if (made != nil) != c.sent || made != nil && !strings.Contains(made.Text, "get_weather") {
				t.Errorf("got %+v", made)
			}
			if off, _ := reliable.Shape(req, c.known, c.mode, reliable.ShapeOptions{Constrain: c.option, Rules: map[string]bool{"tools.constrained": false}}); companion.Of(off.Request).Constraint != nil {
				t.Error("a constraint is sent although its rule is off")
			}
		})
	}
}

// A call that came as text under a constraint was asked for: reading it loses nothing, and teaches nothing of the model.
func TestConstrainedCallsAreAskedFor(t *testing.T) {
	for option, want := range map[caps.Truth]callwright.Risk{caps.Yes: callwright.RiskLossless, caps.No: callwright.RiskImplied} {
		m := &scripted{name: "lab/m", caps: caps.Caps{Constraint: "gbnf"}, answers: []any{text(taggedCall)}}
		client := reliable.New(m, reliable.WithConstraints(option))
		resp, err := client.Generate(t.Context(), &callwright.Request{Messages: []callwright.Message{callwright.UserText("Weather?")}, Tools: weather})
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(resp.Report.Notes, func(n callwright.Note) bool { return n.Rule == "dialect.hermes" })
		if at < 0 || resp.Report.Notes[at].Risk != want {
			t.Errorf("constraints %s: notes %+v", option, resp.Report.Notes)
		}
		facts, _ := client.Facts(t.Context())
		if learned := slices.ContainsFunc(facts, func(f caps.Fact) bool { return f.Key == "text_calls" && f.Source == caps.Learned }); learned != (option == caps.No) {
			t.Errorf("constraints %s: facts %+v", option, facts)
		}
	}
}

// A refusal of a request with a constraint that is about its grammar, or about nothing that it names, is answered by the request without it, and the
// next one has none. Another refusal keeps it.
func TestRefusedConstraints(t *testing.T) {
	for _, c := range []struct {
		refusal callwright.Error
		teaches bool
	}{
		{callwright.Error{Kind: callwright.KindUnsupported, Feature: feature.JSONWithTools}, true},
		{callwright.Error{Kind: callwright.KindUnsupported, Feature: feature.ResponseFormat}, true},
		{callwright.Error{Kind: callwright.KindUnsupported, Feature: feature.Schemas + ":llamacpp"}, true},
		{callwright.Error{Kind: callwright.KindUnsupported, Feature: feature.Field + "grammar"}, true},
		{callwright.Error{Kind: callwright.KindInvalid}, true},
		{callwright.Error{Kind: callwright.KindUnsupported, Feature: feature.Parallel}, false},
	} {
		c.refusal.Status = 400
		m := &scripted{name: "lab/m", caps: caps.Caps{Constraint: "gbnf"}, answers: []any{&c.refusal, text("Fine."), text("Fine.")}}
		client := reliable.New(m, reliable.WithConstraints(caps.Yes))
		for range 2 {
			req := &callwright.Request{Messages: []callwright.Message{callwright.UserText("Weather?")}, Tools: weather}
			req.Params.Parallel = new(true)
			if _, err := client.Generate(t.Context(), req); err != nil {
				t.Fatalf("%+v: %v", c.refusal, err)
			}
		}
		for i, req := range m.asked {
			if has := companion.Of(req).Constraint != nil; has != (i == 0 || !c.teaches) {
				t.Errorf("%+v: request %d has a constraint: %t", c.refusal, i+1, has)
			}
		}
	}
}

// A server that refuses a structural tag is asked with the earlier form, and without any when it refuses that, too.
func TestRefusedStructuralTag(t *testing.T) {
	refusal := &callwright.Error{Kind: callwright.KindUnsupported, Feature: feature.ResponseFormat, Status: 400}
	m := &scripted{name: "lab/m", caps: caps.Caps{Constraint: "structural_tag"}, answers: []any{refusal, refusal, text("Fine.")}}
	if _, err := reliable.New(m, reliable.WithConstraints(caps.Yes)).Generate(t.Context(), &callwright.Request{Messages: []callwright.Message{callwright.UserText("Weather?")}, Tools: weather}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, req := range m.asked {
		api := ""
		if c := companion.Of(req).Constraint; c != nil {
			api = string(c.API)
		}
		got = append(got, api)
	}
	if want := []string{"structural_tag", "structures", ""}; !slices.Equal(got, want) {
		t.Errorf("got %q, expected %q", got, want)
	}
}

// The constraint stays the same as a conversation grows, whatever is said in it.
func TestConstraintsDoNotDependOnTheHistory(t *testing.T) {
	m := &scripted{name: "lab/m", caps: caps.Caps{Constraint: "gbnf", TextCalls: caps.Yes}, answers: []any{text("Fine."), text(taggedCall), text("Fine.")}}
	client := reliable.New(m)
	req := &callwright.Request{Messages: []callwright.Message{callwright.UserText("Weather?")}, Tools: weather}
	for i := range m.answers {
		resp, err := client.Generate(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		req.Messages = append(req.Messages, resp.Message())
		for _, c := range resp.Calls() {
			req.Messages = append(req.Messages, callwright.Message{Role: callwright.RoleTool, Parts: []callwright.Part{callwright.Result{CallID: c.ID, Parts: []callwright.Part{callwright.Text{Text: "<tool_call>"}}}}})
		}
		req.Messages = append(req.Messages, callwright.UserText("And now? {\"name\": \"get_weather\""))
		if first, now := companion.Of(m.asked[0]).Constraint, companion.Of(m.asked[i]).Constraint; first == nil || first != now {
			t.Errorf("request %d has another constraint", i+1)
		}
	}
}
