package definition_test

import (
	"testing"

	"github.com/callwright/callwright/dialect/internal/definition"
)

func TestTypeScript(t *testing.T) {
	for _, tc := range []struct {
		types        []string
		schema, want string
	}{
		{[]string{"string"}, `{"type":"string"}`, "string"},
		{[]string{"integer", "number", "null"}, `{"type":["integer","number","null"]}`, "number | null"},
		{[]string{"string"}, `{"enum":["a", 1]}`, `"a" | 1`},
		{[]string{"array"}, `{"type": "array"}`, `any[] /* {"type":"array"} */`},
		{[]string{"object"}, `{"description":"a */ b"}`, `object /* {"description":"a * / b"} */`},
		{nil, "", "any"},
	} {
		var schema []byte
		if tc.schema != "" {
			schema = []byte(tc.schema)
		}
		if got := definition.TypeScript(tc.types, schema); got != tc.want {
			t.Errorf("%v %s: %s, want %s", tc.types, tc.schema, got, tc.want)
		}
	}
}

func TestParts(t *testing.T) {
	schema := []byte(`{"type": "object", "properties": {"city": {"description": "a \"city\""}, "any": true}}`)
	for _, tc := range []struct{ got, want string }{
		{definition.Description(definition.Property(schema, "city")), `a "city"`},
		{definition.Description(definition.Property(schema, "any")), ""},
		{string(definition.Property(schema, "none")), ""},
		{string(definition.Property(nil, "none")), ""},
		{string(definition.Property([]byte(`{"properties":[]}`), "none")), ""},
		{string(definition.Parameters(nil)), `{"type":"object","properties":{}}`},
		{string(definition.Parameters([]byte(`{ "type": "object" }`))), `{"type":"object"}`},
	} {
		if tc.got != tc.want {
			t.Errorf("%s, want %s", tc.got, tc.want)
		}
	}
}
