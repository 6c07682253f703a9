package adapter_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/adapter"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/schema"
)

func text(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSpace(b.String())
}

func decode(raw []byte) any {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		panic(fmt.Sprintf("%v: %s", err, raw))
	}
	return v
}

// relaxed returns a schema without what a translation has lost: all that its arguments have to satisfy. A schema that is lost for its
// type was narrowed, which takes nothing away.
func relaxed(raw []byte, lost []adapter.Lost) []byte {
	root := decode(raw)
	lost = slices.Clone(lost)
	slices.SortStableFunc(lost, func(a, b adapter.Lost) int { return strings.Count(b.Path, "/") - strings.Count(a.Path, "/") }) // inner ones first
	for _, l := range lost {
		cut := strings.LastIndexByte(l.Path, '/')
		if cut < 0 {
			continue
		}
		in := at(root, l.Path[:cut])
		step := strings.NewReplacer("~1", "/", "~0", "~").Replace(l.Path[cut+1:])
		parent, ok := in.(object)
		switch {
		case l.Keyword == "false":
			if list, in := in.([]any); in {
				var i int
				fmt.Sscan(step, &i)
				list[i] = true
			} else if ok {
				parent[step] = true
			}
		case !ok || l.Keyword == "type" && step != "type" || isName(l.Path[:cut]):
		case l.Keyword == "prefixItems": // where the rest begins still holds
			list, _ := parent[step].([]any)
			for i := range list {
				list[i] = true
			}
		case l.Keyword == "oneOf" && !strings.Contains(l.Why, "root") && parent["anyOf"] == nil && parent["oneOf"] != nil:
			parent["anyOf"] = parent["oneOf"]
			delete(parent, "oneOf")
		default:
			delete(parent, step)
		}
	}
	return []byte(text(root))
}

// isName reports whether what stands below a pointer are names of properties or definitions.
func isName(pointer string) bool {
	for _, key := range []string{"/properties", "/$defs", "/patternProperties"} {
		if strings.HasSuffix(pointer, key) {
			return true
		}
	}
	return false
}

// A trial is how often the law was held against something.
type trial struct{ schemas, documents, whole, empty int }

// law holds the translations of a schema for all targets against the law: documents that satisfy what was written come back as
// documents that satisfy the original, but for what was lost.
func law(t testing.TB, raw []byte, seed uint64, documents int, n *trial) {
	t.Helper()
	if _, err := schema.Compile(raw); err != nil {
		return
	}
	n.schemas++
	for _, to := range adapter.Targets() {
		lawOf(t, to, adapter.Translate, raw, seed, documents, n)
		if seed%4 == 0 { // they differ at the root alone
			lawOf(t, to, adapter.TranslateAnswer, raw, seed, documents, n)
		}
	}
}

// lawOf holds one translation against the law.
func lawOf(t testing.TB, to adapter.Target, translate func(adapter.Target, []byte) (*adapter.Translation, error), raw []byte, seed uint64, documents int, n *trial) {
	t.Helper()
	tr, err := translate(to, raw)
	if err != nil {
		t.Fatalf("%s: %s\n%v", to, raw, err)
	}
	again, _ := translate(to, raw)
	if !bytes.Equal(tr.Schema, again.Schema) || !slices.Equal(tr.Lost, again.Lost) {
		t.Fatalf("%s: %s\nwant the same twice, got\n%s\n%s", to, raw, tr.Schema, again.Schema)
	}
	written := tr.Schema
	if written == nil {
		written = []byte(`{"type":"object"}`)
	}
	is, err := schema.Compile(written)
	if err != nil {
		t.Fatalf("%s: %s\nbecame %s\n%v", to, raw, written, err)
	}
	if slices.ContainsFunc(tr.Lost, func(l adapter.Lost) bool { return strings.HasPrefix(l.Why, "no value satisfies") }) {
		n.empty++ // what is written then stands for nothing
		return
	}
	left := relaxed(raw, tr.Lost)
	wants, err := schema.Compile(left)
	if err != nil {
		t.Fatalf("%s: %s\nwithout %v\n%s: %v", to, raw, tr.Lost, left, err)
	}
	root, _ := decode(written).(object)
	m := maker{draw: newDraw(seed), root: root}
	for range documents {
		m.left = 200
		doc := []byte(text(m.value(root, 0)))
		if is.Validate(doc) != nil {
			continue
		}
		n.documents++
		back := tr.Undo(doc)
		if v := wants.Validate(back); v != nil {
			t.Fatalf("%s: %s\nbecame %s\nlost %v\nleaves %s\n%s came back as\n%s: %v", to, raw, written, tr.Lost, left, doc, back, v)
		}
		if len(tr.Lost) == 0 {
			n.whole++
		}
	}
}

func TestLawOnGeneratedSchemas(t *testing.T) {
	count := 4000
	if !longtest.IsEnabled() {
		count = 100
	}
	var n trial
	for seed := range uint64(count) {
		law(t, []byte(text(newDraw(seed).tool())), seed, 4, &n)
	}
	t.Logf("%d schemas, %d documents, %d of translations that lose nothing; %d translations of what nothing fits", n.schemas, n.documents, n.whole, n.empty)
	if n.schemas < count/3 || n.documents < 10*count || n.whole < count {
		t.Errorf("too few: %+v", n)
	}
}
