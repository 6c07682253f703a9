package outbound_test

import (
	"context"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/reliable/internal/outbound"
	"github.com/callwright/callwright/schema"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// testOrDraw is a test, or one run of a drawn one.
type testOrDraw interface {
	rapid.TB
	Context() context.Context
}

// shape makes a request fit for a receiver under the policy heal.
func shape(t testOrDraw, req *callwright.Request, to outbound.Receiver) *outbound.Shaped {
	t.Helper()
	tools, err := judge.NewToolset(req.Tools, schema.NewCache(8))
	if err != nil {
		t.Fatal(err)
	}
	f := &outbound.Shaper{Toolset: tools, Ledger: &judge.Ledger{Policy: callwright.PolicyHeal}}
	sh, err := f.Shape(t.Context(), req, &to)
	if err != nil {
		t.Fatal(err)
	}
	return sh
}

// A receiver without tool_choice gets only the tools that the choice allows, and the choice in words.
func TestChoiceInWords(t *testing.T) {
	tools := []callwright.Tool{{Name: "look"}, {Name: "now"}, {Name: "web", Type: callwright.HostedTool}}
	for name, c := range map[string]struct {
		choice callwright.Choice
		rules  caps.HistoryRules
		want   []string // tools
		says   string
	}{
		"auto":                  {callwright.Choice{Mode: callwright.ChoiceAuto}, caps.HistoryRules{}, []string{"look", "now", "web"}, ""},
		"none":                  {callwright.Choice{Mode: callwright.ChoiceNone}, caps.HistoryRules{}, nil, "Do not call any tool"},
		"none, history at hand": {callwright.Choice{Mode: callwright.ChoiceNone}, caps.HistoryRules{ToolsForCalls: true}, []string{"look", "now", "web"}, "Do not call any tool"},
		"required":              {callwright.Choice{Mode: callwright.ChoiceRequired}, caps.HistoryRules{}, []string{"look", "now", "web"}, "must call one of the tools look, now."},
		"named":                 {callwright.Choice{Mode: callwright.ChoiceNamed, Names: []string{"now"}}, caps.HistoryRules{}, []string{"now", "web"}, "must"},
		"some":                  {callwright.Choice{Mode: callwright.ChoiceAuto, Names: []string{"now"}}, caps.HistoryRules{}, []string{"now", "web"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			req := &callwright.Request{Model: "m", Tools: tools, Messages: []callwright.Message{callwright.UserText("hi")}}
			req.Params.Choice = c.choice
			sent := shape(t, req, outbound.Receiver{Caps: caps.Caps{ChoiceField: caps.No, History: c.rules}, Mode: caps.Native}).Request
			var names []string
			for _, tool := range sent.Tools {
				names = append(names, tool.Name)
			}
			if diff := cmp.Diff(c.want, names); diff != "" {
				t.Errorf("tools (-want +got)\n%s", diff)
			}
			first := sent.Messages[0]
			said := callwright.TextOf(first.Parts)
			if (first.Role == callwright.RoleSystem) != (c.says != "") || !strings.Contains(said, c.says) {
				t.Errorf("got %s %q", first.Role, said)
			}
			if _, after, ok := strings.Cut(said, "must"); c.choice.Mode == callwright.ChoiceNamed && (!ok || !strings.Contains(after[:min(len(after), 80)], "now")) {
				t.Errorf("expected the tool near the demand, got %q", said)
			}
			if sent.Params.Choice.Mode != "" {
				t.Errorf("choice %v is still there", sent.Params.Choice)
			}
		})
	}
}
