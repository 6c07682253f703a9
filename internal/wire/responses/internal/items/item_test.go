package items_test

import (
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
)

// TestClassOfItem says whose turn items belong to, known or not.
func TestClassOfItem(t *testing.T) {
	for item, want := range map[string]items.Class{
		`{"role":"user","content":"x"}`:                                          {Side: items.OfUser, Message: true},
		`{"type":"message","role":"developer"}`:                                  {Side: items.OfSystem, Message: true},
		`{"type":"message","role":"unheard_of"}`:                                 {Side: items.Nowhere, Message: true},
		`{"type":"reasoning"}`:                                                   {Side: items.OfModel, Reasoning: true},
		`{"type":"function_call","call_id":"c"}`:                                 {Side: items.OfModel, Call: items.Function},
		`{"type":"custom_tool_call_output"}`:                                     {Side: items.OfTools, Result: items.Custom},
		`{"type":"shell_call","call_id":"c"}`:                                    {Side: items.OfModel, Call: items.FormByTool("shell")},
		`{"type":"shell_call","call_id":"c","environment":{"type":"container"}}`: {Side: items.OfModel, Opaque: true},
		`{"type":"tool_search_output","call_id":"c","execution":"server"}`:       {Side: items.OfModel, Opaque: true},
		`{"type":"tool_search_output","call_id":"c","execution":"client"}`:       {Side: items.OfTools, Result: items.FormByTool("tool_search")},
		`{"type":"unheard_of_call"}`:                                             {Side: items.OfModel, Opaque: true},
		`{"type":"unheard_of"}`:                                                  {Side: items.OfUser, Opaque: true},
		`{"type":"unheard_of","role":"assistant"}`:                               {Side: items.OfModel, Opaque: true},
	} {
		if got := items.ClassOfItem([]byte(item)); got != want {
			t.Errorf("%s: expected %+v, got %+v", item, want, got)
		}
	}
}

// TestForms finds each form by its call, by its result and by its tool.
func TestForms(t *testing.T) {
	for _, call := range []string{"function_call", "custom_tool_call", "local_shell_call", "shell_call", "apply_patch_call", "tool_search_call"} {
		f := items.FormOf(call)
		if f.Call != call || items.FormByOutput(f.Output) != f || f.Tool != "" && items.FormByTool(f.Tool) != f {
			t.Errorf("%s: got %+v", call, f)
		}
	}
	if items.Custom.Kind != callwright.CustomTool || items.FormOf("unheard_of") != items.Function || items.FormByTool("") != nil || items.FormByOutput("") != nil {
		t.Error("expected no form for what nobody knows")
	}
}

// TestJoinedName gives names that every wire takes, other ones for other tools.
func TestJoinedName(t *testing.T) {
	for _, c := range []struct{ namespace, name, want string }{
		{"ns", "f", "ns__f"}, {"mcp__ns__", "f", "mcp__ns__f"}, {"f", "f", "f"},
	} {
		if got := items.JoinedName(c.namespace, c.name); got != c.want {
			t.Errorf("%s and %s: expected %s, got %s", c.namespace, c.name, c.want, got)
		}
	}
	if a, b := items.JoinedName("n.s", "f"), items.JoinedName("n_s", "f"); a == b {
		t.Errorf("expected two names, got %s twice", a)
	}
}
