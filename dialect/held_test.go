package dialect_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
)

// heldArgs are arguments whose values stand nowhere else in a text: each is found again where a call of it was damaged.
var heldArgs = []struct{ key, value, json string }{
	{"from", "qqfrom", `"qqfrom"`}, {"seats", "7741", "7741"}, {"stops", "qqstop", `["qqstop"]`},
}

// A damage is a change of a rendered call at a place.
type damage struct {
	name string
	do   func(text string, at int, insert string) string
}

var damages = []damage{
	{"cut", func(text string, at int, _ string) string { return text[:at] }},
	{"cut with its end", func(text string, at int, _ string) string {
		return text[:at] + text[max(at, strings.LastIndexAny(text, "}]"), strings.LastIndex(text, "</")):]
	}},
	{"doubled", func(text string, at int, _ string) string { return text[:at] + text }},
	{"a stretch doubled", func(text string, at int, _ string) string {
		return text[:at] + text[at/2:at] + text[at:]
	}},
	{"inserted", func(text string, at int, insert string) string { return text[:at] + insert + text[at:] }},
	{"lost", func(text string, at int, insert string) string {
		return text[:at] + text[min(len(text), at+len(insert)):]
	}},
	{"quotes not escaped", func(text string, at int, insert string) string {
		return strings.Replace(text, "qqfrom", `a "`+insert+`" qqfrom`, 1)
	}},
}

// inserts are what stands where it should not.
var inserts = []string{`"`, "'", "}", "]", ")", "{", "[", ",", ":", "<", ">", "\\n", "\\", "\n", "`", "```", "</", "=", "qq", "}}", `"}`, `"]`, " and "}

// damaged is a call of find_train in a format, damaged at a place.
func damaged(f dialect.Format, kind, at int, insert string) string {
	args := make([]string, len(heldArgs))
	for i, a := range heldArgs {
		args[i] = fmt.Sprintf("%q: %s", a.key, a.json)
	}
	text := f.RenderCalls([]dialect.RenderedCall{{Name: "find_train", Arguments: []byte("{" + strings.Join(args, ", ") + "}")}})
	if text == "" {
		return ""
	}
	return damages[kind%len(damages)].do(text, at%(len(text)+1), insert)
}

// lacks says which argument a text holds that stands in none of its findings; empty when all do.
func lacks(text string, items []dialect.Item) string {
	for _, a := range heldArgs {
		if !strings.Contains(text, a.value) || !slices.ContainsFunc(items, isObjectCall) {
			continue
		}
		if strings.Count(text, a.key) > 1 && slices.ContainsFunc(items, func(it dialect.Item) bool { return givesOther(it, a.key) }) {
			continue // its format says which of two values counts
		}
		if !slices.ContainsFunc(items, func(it dialect.Item) bool { return accountsFor(it, a.key, a.value) }) {
			return a.key
		}
	}
	return ""
}

// isObjectCall reports whether a finding is a call whose arguments are an object, as tools take them.
func isObjectCall(it dialect.Item) bool {
	return it.Kind == dialect.CallFound && (it.Call.JSON == "" || jsonx.KindOf([]byte(it.Call.JSON)) == jsonx.Object)
}

// givesOther reports whether a call has a value for a key in a format with a tag for each argument.
func givesOther(it dialect.Item, key string) bool {
	return it.Kind == dialect.CallFound && slices.ContainsFunc(it.Call.Args, func(a dialect.Arg) bool { return a.Key == key && a.Text != "" })
}

// accountsFor reports whether a finding says what became of a value: a call has it, a rejected one is reported with its raw
// text, text shows it, or a note names it. What a call lost by a mend is noted by its beginning: there the key may be all that is named.
func accountsFor(it dialect.Item, key, value string) bool {
	switch it.Kind {
	case dialect.CallFound:
		if strings.Contains(it.Call.JSON, value) {
			return true
		}
		for _, f := range it.Call.Fixes {
			if strings.Contains(f.Was, value) || strings.Contains(f.Was, strconv.Quote(key)) {
				return true
			}
		}
		return slices.ContainsFunc(it.Call.Args, func(a dialect.Arg) bool { return strings.Contains(a.Key+a.Text, value) })
	case dialect.CallRejected:
		return strings.Contains(it.Call.Raw, value)
	case dialect.Noted:
		return strings.Contains(it.Note.Was, value)
	}
	return strings.Contains(it.Text, value)
}

// No call that is given out lacks an argument that its text held, without a note: whatever format, cut, doubled or misquoted
// anywhere.
func TestNoArgumentIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		formats := dialect.Formats()
		f := formats[rapid.IntRange(0, len(formats)-1).Draw(t, "format")]
		text := damaged(f, rapid.IntRange(0, len(damages)-1).Draw(t, "damage"), rapid.IntRange(0, 600).Draw(t, "at"), rapid.SampledFrom(inserts).Draw(t, "insert"))
		items := scan(dialect.Options{Tools: tools}, text)
		if key := lacks(text, items); key != "" {
			t.Fatalf("%s: %q lacks %s: %q", f.Name, text, key, joined(items))
		}
	})
}

// The same for whatever a fuzzer damages.
func FuzzNoArgumentIsLost(f *testing.F) {
	for i, format := range dialect.Formats() {
		if !format.Renders() {
			continue
		}
		for kind := range damages {
			for k, insert := range inserts {
				f.Add(uint8(i), uint8(kind), uint16(17*k+i), insert)
			}
		}
	}
	f.Fuzz(func(t *testing.T, format, kind uint8, at uint16, insert string) {
		formats := dialect.Formats()
		text := damaged(formats[int(format)%len(formats)], int(kind), int(at), insert)
		if holdsHeld(insert) {
			return
		}
		items := scan(dialect.Options{Tools: tools}, text)
		if key := lacks(text, items); key != "" {
			t.Fatalf("%q lacks %s: %q", text, key, joined(items))
		}
	})
}

// holdsHeld reports whether a text holds what is looked for.
func holdsHeld(text string) bool {
	return slices.ContainsFunc(heldArgs, func(a struct{ key, value, json string }) bool { return strings.Contains(text, a.value) })
}
