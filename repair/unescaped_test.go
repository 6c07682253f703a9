package repair_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright/internal/backslash"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
)

// Pieces of texts that models write without escaping them.
var (
	folders  = []string{"new", "temp", "bin", "readme", "data", "users", "fonts", "app.v2", "x86", "Program Files (x86)", "My Documents", "n", "t", "été", "_build", "u12", "b"}
	commands = []string{`\frac{a}{b}`, `\beta`, `\alpha`, `\right)`, `\rho`, `\times`, `\theta`, `\sum_{i}`, `\forall`, `\underline{x}`}
	classes  = []string{`\b`, `\d+`, `\s*`, `\w{2,}`, `[a-z]`, `\.`, `\B`, `\f`, `(\D|\S)`, `\p{Lu}`, `\/`, `\d\/\d`, "word"}
	colours  = []string{`\e[0m`, `\e[1;31m`, "bold", `\e]0;x`}
)

// drawUnescaped draws a text whose backslashes are all text, with an escape that neither JSON nor Python knows.
func drawUnescaped(t *rapid.T) string {
	path := func() string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(folders), 1, 6).Draw(t, "folders"), `\`)
	}
	switch rapid.IntRange(0, 4).Draw(t, "kind") {
	case 0:
		return rapid.SampledFrom([]string{`C:\`, `cd D:\`, `'E:\`, `x=(F:\`, `\\?\C:\`}).Draw(t, "drive") + path() + `\data`
	case 1:
		return `\\server\` + path() + `\data`
	case 2:
		return `\d` + strings.Join(rapid.SliceOfN(rapid.SampledFrom(classes), 1, 6).Draw(t, "classes"), "")
	case 3:
		return `$\lambda ` + strings.Join(rapid.SliceOfN(rapid.SampledFrom(commands), 1, 6).Draw(t, "commands"), " ") + "$"
	}
	return `\e[2J` + strings.Join(rapid.SliceOfN(rapid.SampledFrom(colours), 1, 6).Draw(t, "colours"), "")
}

// What was never escaped is read as it is, as JSON and as Python, and a fix names it.
func TestUnescapedStringsStay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawUnescaped(t)
		doc := `{"a": "` + text + `", "b": "C:\\x\n"}`
		for name, read := range map[string]func(string) (repair.Result, error){"JSON": repair.JSON, "Python": repair.Python} {
			r, err := read(doc)
			if err != nil {
				t.Fatalf("%s: %s: %v", name, doc, err)
			}
			a, _ := jsonx.Find(r.JSON, "a")
			if got, _ := jsonx.String(a); got != text {
				t.Fatalf("%s: got  %q\nwanted %q", name, got, text)
			}
			if b, _ := jsonx.Find(r.JSON, "b"); string(b) != `"C:\\x\n"` {
				t.Fatalf("%s: a sound string became %s", name, b)
			}
			if name == "JSON" && (len(r.Fixes) == 0 || r.Fixes[0].Rule != "invalid_escape") {
				t.Fatalf("%s: fixes %v", doc, r.Fixes)
			}
		}
	})
}

// A string that needs its escapes repaired loses nothing: each of its escapes is kept as it was written, or read as JSON reads it. \b and
// \f are always kept, and a string that needs no repair is read by the rules of JSON.
func FuzzUnescaped(f *testing.F) {
	for _, s := range []string{`C:\data\new`, `\\server\share\t`, `\bword\d+\b`, `import re\nre.match('\d+')\n`, `$\theta \alpha$`, `a\tb\n1\t\d`, `\u12\u00e9\x41\_\'`, `C:\a b\new\d`, `\\\d`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		doc := `{"a":"` + raw + `"}`
		r, err := repair.JSON(doc)
		if err != nil || r.Rest != "" {
			return
		}
		for _, fix := range r.Fixes {
			if fix.Rule != "invalid_escape" {
				return
			}
		}
		a, ok := jsonx.Find(r.JSON, "a")
		if !ok || len(r.Fixes) == 0 || !backslash.HasUnknown(raw, backslash.JSON) {
			return
		}
		if got := string(a[1 : len(a)-1]); !keepsAll(raw, got) {
			t.Fatalf("%s\ngives %s", raw, got)
		}
	})
}

// keepsAll reports whether the inside of a string became another one by what its escapes may become.
func keepsAll(raw, got string) bool {
	ends := map[int]bool{0: true} // places in got
	for raw != "" && len(ends) > 0 {
		was, nows := nextEscape(raw)
		raw = raw[len(was):]
		next := map[int]bool{}
		for at := range ends {
			for _, now := range nows {
				if strings.HasPrefix(got[at:], now) {
					next[at+len(now)] = true
				}
			}
		}
		ends = next
	}
	return ends[len(got)]
}

// nextEscape is the character or escape at the beginning of the inside of a string, and what it may become in JSON.
func nextEscape(raw string) (was string, now []string) {
	if raw[0] != '\\' || len(raw) < 2 {
		return raw[:1], []string{raw[:1]}
	}
	kept := `\\` + raw[1:2]
	switch c := raw[1]; {
	case backslash.IsUnknown(raw, 0, backslash.JSON):
		return raw[:1], []string{`\\`}
	case c == 'b' || c == 'f':
		return raw[:2], []string{kept}
	case c == '\\':
		return raw[:2], []string{`\\\\`, `\\`}
	case c == '"':
		return raw[:2], []string{`\"`}
	case c == '\'' || c == '`' || c == '_':
		return raw[:2], []string{kept, raw[1:2]}
	case c == 'x':
		return raw[:4], []string{kept + raw[2:4], `\u00` + raw[2:4]}
	case c == 'u' && raw[2] == '{':
		n := strings.IndexByte(raw, '}') + 1
		if r, err := repair.JSON(`"` + raw[:n] + `"`); err == nil {
			return raw[:n], []string{kept + raw[2:n], string(r.JSON[1 : len(r.JSON)-1])}
		}
		return raw[:n], []string{kept + raw[2:n]}
	}
	return raw[:2], []string{kept, raw[:2]}
}
