package feature

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// Every constant of Feature has a fact that a refusal teaches, or says why it has none.
func TestFeatures(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "feature.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[callwright.Feature]int{}
	for i, row := range features {
		if _, twice := rows[row.feature]; twice {
			t.Errorf("%s has two rows", row.feature)
		}
		rows[row.feature] = i
		if (row.key == "") == (row.without == "") {
			t.Errorf("%s has neither a fact nor a reason, or both", row.feature)
		}
		if row.key == "" {
			continue
		}
		value := map[callwright.Feature]string{MaxTools: "3", CallIDs: "9", Field: "x", Schemas: "llamacpp"}[row.feature] + row.value
		if _, err := (caps.Caps{}).With(caps.Fact{Key: row.key, Value: value}); err != nil {
			t.Errorf("%s: %v", row.feature, err)
		}
	}
	constants := 0
	ast.Inspect(file, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok || v.Type == nil || len(v.Values) == 0 {
			return true
		}
		if t, ok := v.Type.(*ast.SelectorExpr); !ok || t.Sel.Name != "Feature" {
			return true
		}
		constants++
		name, _ := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
		if _, ok := rows[callwright.Feature(name)]; !ok {
			t.Errorf("%s has no row", v.Names[0].Name)
		}
		return true
	})
	if constants != len(features) {
		t.Errorf("%d constants and %d rows", constants, len(features))
	}
}

func TestFeatureFact(t *testing.T) {
	dropped := caps.Caps{DropFields: "top_k"}
	signed := caps.Caps{History: caps.HistoryRules{SignedCalls: true}}
	for _, tc := range []struct {
		feature    callwright.Feature
		c          caps.Caps
		key, value string // "": nothing is learned
	}{
		{Tools, caps.Caps{}, "tools", "no"},
		{Reasoning, caps.Caps{}, "drop_fields", "reasoning_effort"},
		{Effort, caps.Caps{}, "efforts", "none"},
		{Field + "top_k", caps.Caps{}, "drop_fields", "top_k"},
		{Field + "top_p", dropped, "drop_fields", "top_k,top_p"},
		{Field + "top_k", dropped, "", ""},
		{Field, caps.Caps{}, "", ""},
		{MaxTools + ":128", caps.Caps{}, "max_tools", "128"},
		{MaxTools, caps.Caps{}, "", ""},
		{CallSignatures, caps.Caps{}, "signed_calls", "true"},
		{CallSignatures, signed, "", ""},
		{Models, caps.Caps{}, "", ""},
		{"teleport", caps.Caps{}, "", ""},
		{"", caps.Caps{}, "", ""},
	} {
		fact, ok := FactOf(tc.feature, tc.c)
		if ok != (tc.key != "") || fact.Key != tc.key || fact.Value != tc.value {
			t.Errorf("%s teaches %+v, %t", tc.feature, fact, ok)
		}
	}
}
