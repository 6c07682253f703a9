package provider_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

func TestHosts(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want caps.Caps
	}{
		"one": {`{"data":{"id":"a/b","endpoints":[{"name":"H","context_length":8000,"max_completion_tokens":900,"supported_parameters":["tools","tool_choice"],` +
			`"supports_tool_choice":{"auto":true,"none":true,"required":false,"function":false}}]}}`,
			caps.Caps{Tools: caps.Yes, ChoiceField: caps.Yes, ChoiceForced: caps.No, ParallelField: caps.No, JSONObject: caps.No, JSONSchema: caps.No, MaxContext: 8000, MaxOutput: 900}},
		"two that differ": {`{"data":{"endpoints":[{"context_length":8000,"supported_parameters":["tools"],"supports_tool_choice":{"required":true,"function":true}},` +
			`{"context_length":4000,"supported_parameters":["structured_outputs"],"supports_tool_choice":{"required":true,"function":false}}]}}`,
			caps.Caps{Tools: caps.Yes, ChoiceField: caps.No, ChoiceForced: caps.No, ParallelField: caps.No, JSONObject: caps.No, JSONSchema: caps.Yes, MaxContext: 4000}},
		"two that agree": {`{"data":{"endpoints":[{"supports_tool_choice":{"required":true,"function":true}},{"supports_tool_choice":{"required":true,"function":true}},{}]}}`,
			caps.Caps{ChoiceForced: caps.Yes}},
		"none": {`{"data":{"endpoints":[]}}`, caps.Caps{}},
	} {
		t.Run(name, func(t *testing.T) {
			m, asked := scripted(t, "openrouter", reply{body: c.body})
			got, err := m.Provider().Describe(t.Context(), "a/b")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got, cmpopts.IgnoreFields(caps.Caps{}, "Sources")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if path := asked.last.URL.Path; path != "/v1/models/a/b/endpoints" {
				t.Errorf("asked at %s", path)
			}
		})
	}
}

func TestHostsThatAreNotTold(t *testing.T) {
	m, asked := scripted(t, "openai", reply{body: `{}`})
	if got, err := m.Provider().Describe(t.Context(), "a"); err != nil || len(got.Sources) > 0 || len(asked.bodies) > 0 {
		t.Errorf("expected nothing, got %v (%v) after %d requests", got, err, len(asked.bodies))
	}
	m, _ = scripted(t, "openrouter", reply{body: `[]`})
	if _, err := m.Provider().Describe(t.Context(), "a"); callwright.KindOf(err) != callwright.KindBadAnswer {
		t.Errorf("expected %s, got %v", callwright.KindBadAnswer, err)
	}
}
