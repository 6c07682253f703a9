package document_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/cmd/callwright/internal/document"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/workspace"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// shown writes changes a line each.
func shown(changes []document.Change) (out []string) {
	for _, c := range changes {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s > %s", c.Op, c.Path, c.Was, c.Now)))
	}
	return out
}

func TestDiff(t *testing.T) {
	for _, c := range []struct {
		about, was, now string
		want            []string
	}{
		{"nothing", `{"a": 1, "b": [2]}`, `{"b":[2],"a":1}`, nil},
		{"a member", `{"a":1,"b":2}`, `{"a":1,"b":3}`, []string{"replace /b 2 > 3"}},
		{"members come and go", `{"a":1}`, `{"b":2}`, []string{"remove /a 1 >", "add /b  > 2"}},
		{"deep", `{"a":{"b":[{"c":1}]}}`, `{"a":{"b":[{"c":2}]}}`, []string{"replace /a/b/0/c 1 > 2"}},
		{"odd names", `{"a/b":1,"m~n":2,"":3}`, `{"a/b":2,"m~n":3,"":4}`, []string{"replace /a~1b 1 > 2", "replace /m~0n 2 > 3", "replace / 3 > 4"}},
		{"an element in front", `[1,2,3]`, `[0,1,2,3]`, []string{"add /0  > 0"}},
		{"elements in the middle", `[1,4]`, `[1,2,3,4]`, []string{"add /1  > 2", "add /2  > 3"}},
		{"elements are gone", `[1,2,3,4]`, `[1,4]`, []string{"remove /2 3 >", "remove /1 2 >"}},
		{"the same element again", `[1,1]`, `[1,1,1]`, []string{"add /2  > 1"}},
		{"one for two", `[1,2,3,9]`, `[1,8,9]`, []string{"replace /1 2 > 8", "remove /2 3 >"}},
		{"another kind", `{"a":[1]}`, `{"a":{"0":1}}`, []string{`replace /a [1] > {"0":1}`}},
		{"all of it", `1`, `{}`, []string{"replace  1 > {}"}},
		{"numbers that only a text tells apart", `[9007199254740993,1.0]`, `[9007199254740992,1.00]`, []string{"replace /0 9007199254740993 > 9007199254740992"}},
	} {
		t.Run(c.about, func(t *testing.T) {
			if d := cmp.Diff(c.want, shown(document.Diff([]byte(c.was), []byte(c.now)))); d != "" {
				t.Error(d)
			}
		})
	}
}

// documents are JSON values of few names and values, so that two have much in common.
func documents() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string { return value(t, 3) })
}

func value(t *rapid.T, depth int) string {
	kind := rapid.IntRange(0, 5).Draw(t, "kind")
	if depth == 0 {
		kind %= 3
	}
	switch kind {
	case 0:
		return rapid.SampledFrom([]string{"0", "1", "2.50", "1e400", "-12345678901234567890", "null", "true"}).Draw(t, "scalar")
	case 1:
		return string(jsonx.AppendQuote(nil, rapid.StringOf(rapid.SampledFrom([]rune("ab/~\"\\\n, :é{}[]"))).Draw(t, "text")))
	case 2, 3:
		var members []string
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"", "a", "b", "a/b", "~", "\"", "é", "0"}), 0, 4, rapid.ID).Draw(t, "names") {
			members = append(members, string(jsonx.AppendQuote(nil, name))+":"+value(t, depth-min(depth, 1)))
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	var elements []string
	for range rapid.IntRange(0, 5).Draw(t, "length") {
		elements = append(elements, value(t, depth-min(depth, 1)))
	}
	return "[" + strings.Join(elements, ",") + "]"
}

// The patch of a difference makes one document the other, whatever they are.
func TestPatchMakesTheOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		was, now := documents().Draw(t, "was"), documents().Draw(t, "now")
		person := workspace.Author{Actor: workspace.Person}
		st, err := workspace.Limits{}.New(workspace.Origin{By: person, Time: time.Unix(0, 0), Draft: json.RawMessage(was)})
		if err != nil {
			t.Fatal(err)
		}
		patch := document.Patch(document.Diff([]byte(was), []byte(now)))
		if st, err = (workspace.Limits{}).Apply(st, workspace.Edit{Kind: workspace.PatchDraft, By: person, Patch: patch}); err != nil {
			t.Fatal(err)
		}
		if !jsonx.Equal(st.Draft, []byte(now)) {
			t.Errorf("%s makes %s", patch, st.Draft)
		}
	})
}

// What has not changed is no change.
func TestDiffOfTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc := documents().Draw(t, "document")
		var spaced bytes.Buffer
		if err := json.Indent(&spaced, []byte(doc), "", "\t"); err != nil {
			t.Fatal(err)
		}
		if got := document.Diff([]byte(doc), spaced.Bytes()); got != nil {
			t.Errorf("got %s", shown(got))
		}
	})
}
