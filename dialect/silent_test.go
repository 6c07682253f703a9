package dialect_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/callwright/callwright/dialect"
)

// silentCorpus is where the texts without calls lie, one archive a kind. A file of an archive is a text that a model
// would say; NAME.want is what stays visible of it where that is not all of it; NAME.quoted is a tool result or a user's
// text that the model repeats; NAME.tools are the declared tools, where they are not those of tools.txt. In a comment of
// an archive stands what its texts have in common.
const silentCorpus = "testdata/silent"

// minSilent is how many texts there are at least.
const minSilent = 500

// everySplit bounds the texts that are split at every byte; longer ones are split at this many places.
const everySplit = 3000

// A silentCase is one text in which nothing is to be called.
type silentCase struct {
	name, text, want string
	o                dialect.Options
}

// Texts that show, quote, explain or merely resemble calls are left as they are, whole and split anywhere.
func TestSilent(t *testing.T) {
	cases := silentCases(t)
	if len(cases) < minSilent {
		t.Errorf("%d texts, want at least %d", len(cases), minSilent)
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if problem := c.problem(); problem != "" {
				t.Fatal(problem)
			}
			c.cut(t)
		})
	}
}

// problem says what is wrong with how the whole text is read; empty: nothing.
func (c silentCase) problem() string {
	calls, said := c.scan(c.text)
	if len(calls) > 0 {
		return "calls " + strings.Join(calls, ", ") + " in:\n" + c.text
	}
	if d := cmp.Diff(c.want, said); d != "" {
		return "want (-) got (+):\n" + d
	}
	return ""
}

// cut checks that the text is read the same when it comes in pieces.
func (c silentCase) cut(t *testing.T) {
	said := c.want
	for _, i := range splits(len(c.text)) {
		if calls, cut := c.scan(c.text[:i], c.text[i:]); len(calls) > 0 || cut != said {
			t.Fatalf("cut at %d: calls %v, want (-) got (+):\n%s", i, calls, cmp.Diff(said, cut))
		}
	}
	if calls, cut := c.scan(every(1, c.text)...); len(calls) > 0 || cut != said {
		t.Errorf("byte by byte: calls %v, want (-) got (+):\n%s", calls, cmp.Diff(said, cut))
	}
}

// scan gives the names of the calls and the visible text.
func (c silentCase) scan(pieces ...string) (calls []string, said string) {
	s := dialect.NewScanner(c.o)
	var items []dialect.Item
	for _, p := range pieces {
		items = s.Feed(p, items)
	}
	for _, it := range s.Close(items) {
		switch it.Kind {
		case dialect.CallFound:
			calls = append(calls, it.Call.Name)
		case dialect.Text:
			said += it.Text
		}
	}
	return calls, said
}

// splits are the places at which a text of n bytes is cut.
func splits(n int) []int {
	var out []int
	if n <= everySplit {
		for i := 1; i < n; i++ {
			out = append(out, i)
		}
		return out
	}
	r := rand.New(rand.NewPCG(1, uint64(n)))
	for range everySplit {
		out = append(out, 1+r.IntN(n-1))
	}
	return out
}

func silentCases(t testing.TB) []silentCase {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(silentCorpus, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no texts (%v)", err)
	}
	declared, err := os.ReadFile(filepath.Join(silentCorpus, "tools.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var out []silentCase
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sections := map[string]string{}
		for _, f := range a.Files {
			if _, twice := sections[f.Name]; twice {
				t.Errorf("%s: %s stands there twice", file, f.Name)
			}
			sections[f.Name] = strings.TrimSuffix(string(f.Data), "\n")
		}
		for _, f := range a.Files {
			if filepath.Ext(f.Name) != "" {
				continue
			}
			c := silentCase{name: strings.TrimSuffix(filepath.Base(file), ".txtar") + "/" + f.Name, text: sections[f.Name]}
			c.want = sections[f.Name]
			if want, ok := sections[f.Name+".want"]; ok {
				c.want = want
			}
			if quoted, ok := sections[f.Name+".quoted"]; ok {
				c.o.Quoted = []string{quoted}
			}
			c.o.Tools = toolLines(t, string(declared))
			if tools, ok := sections[f.Name+".tools"]; ok {
				c.o.Tools = toolLines(t, tools)
			}
			out = append(out, c)
		}
	}
	return out
}

// toolLines reads tools, one a line: the name, then name:type for each parameter, with ! after a required one.
func toolLines(t testing.TB, lines string) []dialect.Tool {
	t.Helper()
	var out []dialect.Tool
	for line := range strings.Lines(lines) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		tool := dialect.Tool{Name: words[0]}
		for _, w := range words[1:] {
			name, kind, ok := strings.Cut(w, ":")
			kind, required := strings.CutSuffix(kind, "!")
			if !ok {
				t.Fatalf("%s: a parameter without a type in %q", words[0], w)
			}
			tool.Params = append(tool.Params, dialect.Param{Name: name, Types: []string{kind}, Required: required})
		}
		out = append(out, tool)
	}
	return out
}
