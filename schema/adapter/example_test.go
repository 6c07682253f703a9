package adapter_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/schema/adapter"
)

func ExampleTranslate() {
	parameters := `{"type":"object","properties":{"city":{"type":"string","minLength":1},"days":{"type":"integer"}},"required":["city"]}`
	t, err := adapter.Translate(caps.SchemaOpenAIStrict, []byte(parameters))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(t.Schema))
	for _, d := range t.Dropped {
		fmt.Println(d.Path, d.Keyword)
	}
	fmt.Println(string(t.Restore([]byte(`{"city":"Oslo","days":null}`))))
	// Output:
	// {"type":"object","properties":{"city":{"type":"string","description":"{minLength: 1}"},"days":{"type":["integer","null"]}},"required":["city","days"],"additionalProperties":false}
	// /properties/city/minLength minLength
	// {"city":"Oslo"}
}

func ExampleNewNames() {
	names := adapter.NewNames(caps.SchemaOpenAI, []string{"notion.search", "ping"})
	sent := names.SentName("notion.search")
	fmt.Println(sent, names.Original(sent), names.SentName("ping"))
	// Output: notion_search notion.search ping
}

// TestTargets translates an empty schema for every target, and refuses an unknown one. Capabilities name the same targets.
func TestTargets(t *testing.T) {
	_, err := caps.Caps{}.With(caps.Fact{Key: "schema_target", Value: "elsewhere"})
	if err == nil {
		t.Fatal("an unknown target is a capability")
	}
	var names []string
	for _, target := range adapter.Targets() {
		names = append(names, string(target))
		if _, err := adapter.Translate(target, nil); err != nil || adapter.Describe(target) == "" {
			t.Errorf("%s: %v, described as %q", target, err, adapter.Describe(target))
		}
	}
	last := len(names) - 1
	if list := strings.Join(names[:last], ", ") + " or " + names[last]; !strings.Contains(err.Error(), list) {
		t.Errorf("capabilities have the targets of %v, expected %s", err, list)
	}
	if _, err := adapter.Translate("elsewhere", nil); err == nil {
		t.Error("an unknown target was accepted")
	}
}
