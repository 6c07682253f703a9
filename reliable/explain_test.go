package reliable_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable"
)

// What is explained is what happens: a candidate that fails before sending says why, and those that nothing would reach are left out.
func TestExplanationsEndWhereRequestsDo(t *testing.T) {
	configured := map[string]caps.Source{"max_tools": caps.Configured, "max_context": caps.Configured}
	for name, c := range map[string]struct {
		caps    caps.Caps
		opts    []reliable.Option
		steps   []string // the model of each, and whether it fails
		answers bool
	}{
		"room for all":   {caps: caps.Caps{}, steps: []string{"lab/m native", "lab/m text", "lab/other native", "lab/other text"}, answers: true},
		"too many tools": {caps: caps.Caps{MaxTools: 1}, opts: []reliable.Option{reliable.WithToolsOverLimit(callwright.ToolsError)}, steps: []string{"lab/m native: plan: /tools: 2 tools are declared"}},
		"too long":       {caps: caps.Caps{MaxContext: 10}, steps: []string{"lab/m native: plan: prompt is too long", "lab/m text: plan: prompt is too long", "lab/other native", "lab/other text"}, answers: true},
	} {
		t.Run(name, func(t *testing.T) {
			req := ask(callwright.Choice{})
			req.Messages = []callwright.Message{callwright.UserText(strings.Repeat("word ", 400))}
			req.Tools = append(slices.Clone(weather), callwright.Tool{Name: "get_time"})
			c.caps.Sources = configured
			m, other := &scripted{name: "lab/m", caps: c.caps, answers: []any{goodCall}}, &scripted{name: "lab/other", answers: []any{goodCall}}
			client := reliable.New(m, append(c.opts, reliable.WithFallback(other), reliable.WithModes(caps.Native, caps.Text))...)
			x, err := client.Explain(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			var steps []string
			for i, st := range x.Chain {
				is := string(st.Model) + " " + string(st.Mode)
				if st.Error != "" {
					is += ": " + st.Error
				}
				if i >= len(c.steps) || !strings.HasPrefix(is, c.steps[i]) || st.Error == "" && is != c.steps[i] {
					t.Errorf("step %d is %q", i, is)
				}
				steps = append(steps, is)
			}
			if len(steps) < len(c.steps) {
				t.Errorf("explained %q", steps)
			}
			if _, err := client.Generate(t.Context(), req); (err == nil) != c.answers || !c.answers && !strings.Contains(x.Chain[len(x.Chain)-1].Error, err.(*callwright.Error).Message) {
				t.Errorf("then: %v", err)
			}
			if last := strings.Contains(steps[0], ": "); last && len(m.asked) > 0 {
				t.Error("a model was asked on a rung that fails before it sends")
			}
		})
	}
}
