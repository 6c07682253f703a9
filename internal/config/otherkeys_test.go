package config_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/config/internal/foreignkey"
)

// holders are the objects that may hold a key of another program: the text of a configuration around it, by the path of the object.
var holders = map[string]string{
	"":               "%s: 1",
	"providers.NAME": "providers: {groq: {%s: 1}}",
	"models.NAME":    "models: {fast: {model: groq/m, %s: 1}}",
	"keys[]":         "keys: [{name: a, key: b, %s: 1}]",
}

// knows reports whether the JSON Schema of configurations has a path of ours. What stands below request is the provider's.
func knows(node map[string]any, path string) bool {
	step, rest, more := strings.Cut(path, ".")
	if path == "" {
		return true
	}
	if name, isList := strings.CutSuffix(step, "[]"); isList {
		if step, rest = name, "[]."+rest; !more {
			rest = "[]"
		}
	}
	key := map[string]string{"NAME": "additionalProperties", "": "items"}[step]
	if step == "" {
		rest = strings.TrimPrefix(strings.TrimPrefix(rest, "[]"), ".")
	}
	members, _ := node["properties"].(map[string]any)
	next, ok := members[step].(map[string]any)
	if key != "" {
		next, ok = node[key].(map[string]any)
	}
	if ok && (step == "request" || knows(next, rest)) {
		return true
	}
	list, _ := node["anyOf"].([]any)
	return slices.ContainsFunc(list, func(branch any) bool {
		object, ok := branch.(map[string]any)
		return ok && knows(object, path)
	})
}

// TestKeysOfOtherPrograms: a key of another program is reported in one short sentence that names a key of ours which exists, or says that there is none, in
// each object that may hold it. No row is for a key that we have in its object.
func TestKeysOfOtherPrograms(t *testing.T) {
	var schema map[string]any
	if err := json.Unmarshal(config.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, row := range foreignkey.Rows() {
		id := row.Key + " in " + row.Below
		if seen[id] || row.Path == "" && row.Note == "" {
			t.Errorf("%s: a second row, or one that says nothing", id)
		}
		if seen[id] = true; row.Path != "" && !knows(schema, row.Path) {
			t.Errorf("%s: we have no %s", row.Key, row.Path)
		}
		reported := false
		for below, text := range holders {
			if row.Below != "" && row.Below != below {
				continue
			}
			_, err := config.Parse(fmt.Appendf(nil, text, row.Key), env())
			said, _, _ := strings.Cut(fmt.Sprint(err), "\n")
			wanted := row.Note
			if row.Path != "" {
				wanted = "did you mean"
			}
			switch {
			case strings.Contains(said, "this is a configuration of "+row.Program):
				reported = true
			case !strings.Contains(said, "unknown key"): // one of ours there
			case !strings.Contains(said, wanted) || !strings.Contains(said, row.Program) || len(said) > 200:
				t.Errorf("%s in %q: got %s", row.Key, below, said)
			default:
				reported = true
			}
		}
		if !reported {
			t.Errorf("%s: never unknown", id)
		}
	}
}
