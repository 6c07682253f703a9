package dialect_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/dialect"
)

// tears damage one call of several so that it is none, at its argument.
var tears = map[string]func(text string, at int) string{
	"a value without quotes": func(text string, at int) string {
		return strings.NewReplacer(`"qq"`, "2qq", `'qq'`, "2qq", `<|"|>qq<|"|>`, "{2qq").Replace(text)
	},
	"another member for the arguments": func(text string, at int) string {
		for _, key := range []string{`"arguments"`, `"parameters"`, `"args"`} {
			if n := strings.LastIndex(text[:at], key); n >= 0 {
				return text[:n] + `"x` + text[n+1:]
			}
		}
		return text
	},
}

// Of several calls of which one is broken, none is given out, or the broken one is reported or stays text: it never vanishes.
func TestTornLists(t *testing.T) {
	seen := 0
	for _, f := range dialect.Formats() {
		if !f.Renders() {
			continue
		}
		calls := []dialect.RenderedCall{
			{Name: "find_train", Arguments: []byte(`{"from":"Bonn"}`)}, {Name: "note", Arguments: []byte(`{"text":"qq"}`)}, {Name: "ledger.close_month", Arguments: []byte(`{"month":5}`)},
		}
		for name, tear := range tears {
			for k := range 3 {
				order := append(slices.Clone(calls[k:]), calls[:k]...)
				whole := f.RenderCalls(order)
				text := tear(whole, strings.Index(whole, "qq"))
				if text == whole {
					continue
				}
				seen++
				items := scan(dialect.Options{Tools: tools}, text)
				samePieces(t, text, items)
				found := slices.ContainsFunc(items, func(it dialect.Item) bool { return it.Kind == dialect.CallFound })
				if found && !slices.ContainsFunc(items, reportsTorn) {
					t.Errorf("%s, %s: %q gives %q", f.Name, name, text, joined(items))
				}
			}
		}
	}
	for _, text := range []string{
		`{"name":"find_train","arguments":{"from":"Bonn"}}; {"name":"note","xarguments":{"text":"qq"}}`,
		`{"name":"find_train","arguments":{"from":"Bonn"}} {"name":"note","xarguments":{"text":"qq"}}`,
		`[{"name":"find_train","arguments":{"from":"Bonn"}},{"name":"note","xarguments":{"text":"qq"}}]`,
		`{"tool_calls":[{"name":"find_train","arguments":{"from":"Bonn"}},{"name":"note","xarguments":{"text":"qq"}}]}`,
		"[find_train(from='Bonn'), note(text=2qq)]", "find_train(from='Bonn')\nnote(text=2qq + x)",
	} {
		items := scan(dialect.Options{Tools: tools}, text)
		samePieces(t, text, items)
		found := slices.ContainsFunc(items, func(it dialect.Item) bool { return it.Kind == dialect.CallFound })
		if found && !slices.ContainsFunc(items, reportsTorn) {
			t.Errorf("%q gives %q", text, joined(items))
		}
	}
	if seen < 30 {
		t.Errorf("%d lists", seen)
	}
}

// reportsTorn reports whether a finding other than a call that can be run holds what the broken call did, or is that call as it was meant.
func reportsTorn(it dialect.Item) bool {
	switch it.Kind {
	case dialect.CallFound:
		return it.Call.Name == "note"
	case dialect.CallRejected:
		return (it.Call.Written == "note" || it.Call.Written == "") && strings.Contains(it.Call.Raw, "qq")
	}
	return strings.Contains(it.Text+it.Note.Was, "qq")
}
