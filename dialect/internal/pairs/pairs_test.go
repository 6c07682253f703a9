package pairs_test

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright/dialect/internal/pairs"
	tri "github.com/callwright/callwright/dialect/internal/tristate"
)

// Pairs that are written are read back, with any text in their quotes.
func TestRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z_][a-z0-9_-]{0,6}`), 1, 4, rapid.ID[string]).Draw(t, "keys")
		var want []pairs.Pair
		var b strings.Builder
		for i, key := range keys {
			p := pairs.Pair{Key: key, IsQuoted: rapid.Bool().Draw(t, "quoted")}
			if i > 0 {
				b.WriteString(rapid.SampledFrom([]string{" ", ", ", "\n", ","}).Draw(t, "divider"))
			}
			b.WriteString(key + "=")
			if p.IsQuoted {
				p.Text = rapid.StringMatching(`[a-z ="'\\\n\t<>{}\]é]{0,8}`).Draw(t, "text")
				b.WriteString(`"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(p.Text) + `"`)
			} else {
				p.Text = rapid.StringMatching(`[a-z0-9.:/-]{1,8}`).Draw(t, "word")
				b.WriteString(p.Text)
			}
			want = append(want, p)
		}
		got, ok := pairs.Read(b.String())
		if !ok || len(got) != len(want) {
			t.Fatalf("%s: %v (%t)", b.String(), got, ok)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: %v, want %v", b.String(), got[i], want[i])
			}
		}
	})
}

func TestReadNothingElse(t *testing.T) {
	for _, text := range []string{"", "a", "a=", "a=1 b", "a=1 and b=2", "a=1 a=2", `a="x`, `a="x"y`, "a={1}", "=1", "a==1", "9a=1", `a=x"y"`, "a= 1"} {
		if got, ok := pairs.Read(text); ok {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestBracketed(t *testing.T) {
	for text, want := range map[string]string{
		`[Calling tool="f" a="x" b="1 \"2\""]`: `f a="x" b="1 \"2\""`, `[calling tool="f"]`: "f", "[Tool call: f]": "f", "[Calling tool: ns.f-g]": "ns.f-g", "[TOOL CALL:f]": "f", "[Tool call: f ]": "-",
		`[Calling tool="f" a=1]`: "-", `[Calling a="x" tool="f"]`: "-", "[Calling tool: f g]": "-", "[Tool call: ]": "-", `[Calling tool="f`: "-", "Tool call: f": "-", "[Calling tool: f({})]": "-",
		"[Tool call: f (ID: call_1)]": "-", "[Called: f]": "-",
	} {
		name, list, ok := pairs.ReadBracketedCall(text)
		got := name
		for _, p := range list {
			got += " " + p.Key + "=" + strconv.Quote(p.Text)
		}
		if !ok {
			got = "-"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
		begun := text[min(1, len(text)):]
		if found := pairs.Begins(begun, true); ok && found != tri.Yes {
			t.Errorf("%s does not begin", text)
		}
		for i := range begun {
			if found := pairs.Begins(begun[:i], false); ok && found == tri.No {
				t.Errorf("%q is none", begun[:i])
			}
		}
	}
	for _, text := range []string{"Called", "Tool calls: f]", "Calling tool: f(", "Tool call: f (", "Calling the tool="} {
		if pairs.Begins(text, false) != tri.No {
			t.Errorf("%q may be one", text)
		}
	}
}
