package reliable_test

import (
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable"
)

// TestUnread: a form of a call that no format reads stays as text and is noted, whole and streamed, whatever the policy, and changes nothing.
func TestUnread(t *testing.T) {
	const form = "<call_tool name=get_weather city=Oslo>"
	for name, c := range map[string]struct {
		text   string
		change func(*callwright.Request)
		noted  bool
	}{
		"alone":         {form, nil, true},
		"below words":   {"I look.\n\n" + form, nil, true},
		"shown":         {"For example:\n" + form, nil, false},
		"beside a call": {form + "\n<tool_call>{\"name\":\"get_weather\",\"arguments\":" + oslo + "}</tool_call>", nil, false},
		"undeclared":    {"<call_tool name=get_time>", nil, false},
		"no tools":      {form, func(r *callwright.Request) { r.Tools = nil }, false},
		"choice none":   {form, func(r *callwright.Request) { r.Params.Choice.Mode = callwright.ChoiceNone }, false},
	} {
		for _, policy := range []callwright.Policy{callwright.PolicyHeal, callwright.PolicyObserve, callwright.PolicyStrict} {
			for _, size := range []int{0, 1, len(c.text)} {
				m := &scripted{name: "lab/m", answers: []any{piecewise(c.text, max(size, 1))}}
				req := ask(callwright.Choice{})
				req.Tools = weather
				if c.change != nil {
					c.change(req)
				}
				client := reliable.New(m, reliable.WithModes(caps.Native), reliable.WithOneMode(), reliable.WithMaxCorrections(0), reliable.WithPolicy(policy))
				var resp *callwright.Response
				var err error
				if size == 0 {
					resp, err = client.Generate(t.Context(), req)
				} else {
					resp, err = callwright.Collect(client.Stream(t.Context(), req))
				}
				if err != nil {
					if policy == callwright.PolicyStrict && name == "beside a call" {
						continue
					}
					t.Fatalf("%s, %s: %v", name, policy, err)
				}
				var found []callwright.Note
				for _, n := range resp.Report.Notes {
					if n.Rule == "dialect.unread" {
						found = append(found, n)
					}
				}
				if len(found) > 0 != c.noted || c.noted && (found[0].Call != "get_weather" || found[0].Was != form || found[0].Risk != "") {
					t.Errorf("%s, %s, in pieces of %d: got %+v", name, policy, size, found)
				}
				if c.noted && (resp.Text() != c.text || resp.Confidence != 1) {
					t.Errorf("%s, %s: got %q with confidence %v", name, policy, resp.Text(), resp.Confidence)
				}
			}
		}
	}
}
