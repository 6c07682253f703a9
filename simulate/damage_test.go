package simulate_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/schema"
	"github.com/callwright/callwright/simulate"
)

// Calls whose arguments are of other kinds than their schema says, or fill all of it, or nothing that is required.
var damagedCalls = []struct{ parameters, arguments string }{
	{`{"type":"object","properties":{"minutes":{"type":"integer"}},"required":["minutes"],"additionalProperties":false}`, `{"minutes": "ten"}`},
	{`{"type":"object","properties":{"minutes":{"type":"integer"}},"required":["minutes"],"additionalProperties":false}`, `{"minutes": 10}`},
	{`{"type":"object","properties":{"minutes":{"type":"integer"},"name":{"type":"string"}},"required":["name"]}`, `{"minutes": 10, "name": "tea"}`},
	{`{"type":"object","properties":{"days":{"type":"integer"},"hourly":{"type":"boolean"}}}`, `{"days": "3", "hourly": null, "fields": 7, "place": 8, "units": 9}`},
	{`{"type":"object","properties":{"note":{"type":"string"}}}`, `{"note": "tea"}`},
	{`{"type":"object"}`, `{}`},
}

// madeWith is the call with these arguments as the fault makes it, "" where it makes none that can be read.
func madeWith(t *testing.T, fault, parameters, arguments string) string {
	t.Helper()
	base, _ := start(t, func(seen simulate.Seen) simulate.Turn {
		f, _ := simulate.ParseFault(seen.Model)
		return simulate.Turn{Fault: f, Calls: []simulate.Call{{Name: "t", Arguments: arguments}}}
	})
	c := conversation{model: "sim/" + fault, messages: ask("Go."), members: object{
		"tools": []object{{"type": "function", "function": object{"name": "t", "parameters": json.RawMessage(parameters)}}}}}
	got := send(t, base, simulate.OpenAI, c.body(simulate.OpenAI))
	if len(got.calls) != 1 || jsonx.Valid([]byte(got.calls[0].args)) != nil || jsonx.KindOf([]byte(got.calls[0].args)) != jsonx.Object {
		return ""
	}
	return got.calls[0].args
}

// What a fault adds to a call is never an argument that the call has: read with either value, it would be another call.
func TestDamageGivesArgumentsOnce(t *testing.T) {
	for _, f := range simulate.Faults() {
		if !slices.Contains(f.Wires, simulate.OpenAI) || f.StreamOnly || f.Provoked {
			continue
		}
		for _, c := range damagedCalls {
			seen := map[string]bool{}
			args := madeWith(t, f.Model(), c.parameters, c.arguments)
			for key := range jsonx.Members([]byte(args)) {
				if seen[string(key)] {
					t.Errorf("%s: %s is given twice in %s", f.Model(), key, args)
				}
				seen[string(key)] = true
			}
		}
	}
}

// A call whose required argument is taken away breaks its schema. A call without one stays as it was.
func TestMissingArgumentsAreRequired(t *testing.T) {
	for _, fault := range []string{"wrong_then_right", "never_right"} {
		for _, c := range damagedCalls {
			compiled, err := schema.Compile([]byte(c.parameters))
			if err != nil {
				t.Fatal(err)
			}
			args := madeWith(t, fault, c.parameters, c.arguments)
			switch broken := compiled.Validate([]byte(args)); {
			case args == c.arguments && len(compiled.Validate([]byte(`{}`))) == 0:
			case !slices.ContainsFunc(broken, func(v schema.Violation) bool { return v.Keyword == "required" }):
				t.Errorf("%s: %s became %s, which breaks %v", fault, c.arguments, args, broken)
			}
		}
	}
}
