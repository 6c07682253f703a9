package callwright

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"

	"github.com/callwright/callwright/caps"
)

// Every constant of Feature has a fact that a refusal teaches, or says why it has none.
func TestFeatures(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "feature.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[Feature]int{}
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
		value := map[Feature]string{FeatureMaxTools: "3", FeatureCallIDs: "9", FeatureField: "x", FeatureSchemas: "llamacpp"}[row.feature] + row.value
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
		if id, ok := v.Type.(*ast.Ident); !ok || id.Name != "Feature" {
			return true
		}
		constants++
		name, _ := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
		if _, ok := rows[Feature(name)]; !ok {
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
		feature    Feature
		c          caps.Caps
		key, value string // "": nothing is learned
	}{
		{FeatureTools, caps.Caps{}, "tools", "no"},
		{FeatureReasoning, caps.Caps{}, "drop_fields", "reasoning_effort"},
		{FeatureEffort, caps.Caps{}, "efforts", "none"},
		{FeatureField + "top_k", caps.Caps{}, "drop_fields", "top_k"},
		{FeatureField + "top_p", dropped, "drop_fields", "top_k,top_p"},
		{FeatureField + "top_k", dropped, "", ""},
		{FeatureField, caps.Caps{}, "", ""},
		{FeatureMaxTools + ":128", caps.Caps{}, "max_tools", "128"},
		{FeatureMaxTools, caps.Caps{}, "", ""},
		{FeatureCallSignatures, caps.Caps{}, "signed_calls", "true"},
		{FeatureCallSignatures, signed, "", ""},
		{FeatureModels, caps.Caps{}, "", ""},
		{"teleport", caps.Caps{}, "", ""},
		{"", caps.Caps{}, "", ""},
	} {
		fact, ok := tc.feature.Fact(tc.c)
		if ok != (tc.key != "") || fact.Key != tc.key || fact.Value != tc.value {
			t.Errorf("%s teaches %+v, %t", tc.feature, fact, ok)
		}
	}
}
