package dialecttest

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
)

var update = flag.Bool("update", false, "write what the scanner says into the cases")

// Tools returns the tools that cases may call.
func Tools() []dialect.Tool {
	text := []string{"string"}
	return []dialect.Tool{
		{Name: "find_train", Description: "Finds trains.", Params: []dialect.Param{
			{Name: "from", Types: text, Required: true}, {Name: "to", Types: text}, {Name: "seats", Types: []string{"integer"}},
			{Name: "stops", Types: []string{"array"}}, {Name: "direct", Types: []string{"boolean"}},
		}},
		{Name: "write_note", Params: []dialect.Param{{Name: "title", Types: text, Required: true}, {Name: "body", Types: text},
			{Name: "meta", Types: []string{"object"}}}},
		{Name: "ledger.close_month", Params: []dialect.Param{{Name: "month", Types: []string{"integer"}, Required: true}}},
		{Name: "ping"},
	}
}

// Run tests the format with the cases in dir/*.txtar, see the package documentation.
func Run(t *testing.T, f dialect.Format, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { runCase(t, f, file) })
	}
	walk(t, subject{f, nil})
}

func runCase(t *testing.T, f dialect.Format, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text, o := parse(t, f, archive)
	got := Say(scan(o, text))
	if *update {
		rewrite(t, archive, file, got)
	} else if d := cmp.Diff(section(archive, "want"), got); d != "" {
		t.Errorf("%s: want (-) got (+):\n%s", text, d)
	}
	for i := 1; i < len(text); i++ {
		if d := cmp.Diff(got, Say(scan(o, text[:i], text[i:]))); d != "" {
			t.Fatalf("cut at %d: whole (-) cut (+):\n%s", i, d)
		}
	}
	for what, quoted := range quotations(text) {
		for _, it := range scan(o, quoted) {
			if it.Kind == dialect.CallFound && !o.ReasoningPrimed {
				t.Errorf("%s: %s was called in:\n%s", what, it.Call.Name, quoted)
			}
		}
	}
}

// parse returns the text and options of a case.
func parse(t *testing.T, f dialect.Format, archive *txtar.Archive) (string, dialect.Options) {
	if len(bytes.TrimSpace(archive.Comment)) == 0 {
		t.Error("the case does not say what it is about")
	}
	for _, file := range archive.Files {
		if file.Name != "text" && file.Name != "options" && file.Name != "want" {
			t.Errorf("section %q: want text, options or want", file.Name)
		}
	}
	text := strings.TrimSuffix(section(archive, "text"), "\n")
	if text == "" {
		t.Fatal("the case has no text")
	}
	o := dialect.Options{Tools: Tools()}
	for word := range strings.FieldsSeq(section(archive, "options")) {
		switch word {
		case "primed":
			o.ReasoningPrimed = true
		case "hint":
			o.Hint = f.Name
		default:
			t.Errorf("option %q: want primed or hint", word)
		}
	}
	return text, o
}

func section(a *txtar.Archive, name string) string {
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

func rewrite(t *testing.T, a *txtar.Archive, file, want string) {
	for i := range a.Files {
		if a.Files[i].Name == "want" {
			a.Files = append(a.Files[:i], a.Files[i+1:]...)
			break
		}
	}
	a.Files = append(a.Files, txtar.File{Name: "want", Data: []byte(want)})
	if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}

// quotations returns texts that quote text, in which no call may be found, by description.
func quotations(text string) map[string]string {
	out := map[string]string{
		"example":         "For example:\n\n~~~~\n" + text + "\n~~~~\n\nThat is how it is written.",
		"block quotation": "They wrote:\n\n> " + strings.ReplaceAll(text, "\n", "\n> ") + "\n",
		"shell":           "Run this:\n\n~~~~bash\n" + text + "\n~~~~\n",
	}
	if !strings.ContainsAny(text, "`\n") {
		out["code span"] = "One writes `" + text + "` for that."
	}
	if !strings.Contains(text, "tool_response") {
		out["result"] = "<tool_response>\n" + text + "\n</tool_response>"
	}
	return out
}

func scan(o dialect.Options, pieces ...string) []dialect.Item {
	s := dialect.NewScanner(o)
	var items []dialect.Item
	for _, p := range pieces {
		items = s.Feed(p, items)
	}
	return s.Close(items)
}

// Say returns items in the notation of the want section. Adjacent texts of the same kind are joined.
func Say(items []dialect.Item) string {
	var b strings.Builder
	for i := 0; i < len(items); i++ {
		it := items[i]
		switch it.Kind {
		case dialect.Text, dialect.Reasoning:
			text := it.Text
			for i+1 < len(items) && items[i+1].Kind == it.Kind {
				i++
				text += items[i].Text
			}
			fmt.Fprintf(&b, "%s %q\n", it.Kind, text)
		case dialect.CallFound:
			c := it.Call
			fmt.Fprintf(&b, "call %s as %s%s%s%s\n", c.Name, c.Format, mention(" by ", c.NameRule), mention(" id ", c.ID),
				mention(" ", arguments(c)))
		case dialect.CallRejected:
			fmt.Fprintf(&b, "rejected %s: %s as %s\n", it.Why, it.Call.Written, it.Call.Format)
		case dialect.Noted:
			fmt.Fprintf(&b, "note %s%s\n", it.Note.Rule, mention(" ", it.Note.Now))
		}
	}
	return b.String()
}

func mention(before, word string) string {
	if word == "" {
		return ""
	}
	return before + word
}

func arguments(c *dialect.Call) string {
	var b strings.Builder
	if c.JSON != "" {
		b.WriteString(string(jsonx.Compact(nil, []byte(c.JSON))))
	}
	for i, a := range c.Args {
		if i > 0 {
			b.WriteString(", ")
		}
		if a.Kind == dialect.JSON {
			b.WriteString(a.Key + "=" + string(jsonx.Compact(nil, []byte(a.Text))))
		} else {
			fmt.Fprintf(&b, "%s=%q", a.Key, a.Text)
		}
	}
	for _, f := range c.Fixes {
		b.WriteString(" mended:" + f.Rule)
	}
	return b.String()
}

// rendered are the calls that every format must be able to render and parse back.
var rendered = [][]dialect.RenderedCall{
	{{Name: "ping"}},
	{{Name: "find_train", Arguments: []byte(`{"from": "Bonn", "seats": 2, "stops": ["Köln", "Aachen"], "direct": true}`)}},
	{{Name: "write_note", Arguments: []byte(`{"title": "a <b>bold</b> \"word\", it's", "body": "first line\n  second line\n", "meta": {"n": 9007199254740993, "x": [1.10, null, {"}": "]"}]}}`)}},
	{{Name: "ledger.close_month", Arguments: []byte(`{"month": 7}`)}, {Name: "ping", Arguments: []byte(`{}`)},
		{Name: "ledger.close_month", Arguments: []byte(`{"month": 8}`)}},
}

// roundTrip tests that rendered calls are parsed back.
func roundTrip(t *testing.T, f subject) {
	for _, calls := range rendered {
		text := f.RenderCalls(calls)
		var got []*dialect.Call
		for _, it := range scan(f.options(Tools()), text) {
			switch {
			case it.Kind == dialect.CallFound:
				got = append(got, it.Call)
			case it.Kind == dialect.CallRejected, it.Kind == dialect.Text && strings.TrimSpace(it.Text) != "":
				t.Errorf("%s: left %s %q", text, it.Kind, it.Text)
			}
		}
		if len(got) != len(calls) {
			t.Errorf("%s: %d calls, want %d", text, len(got), len(calls))
			continue
		}
		for i := range calls {
			if problem := differ(&calls[i], got[i]); problem != "" {
				t.Errorf("%s: call %d: %s", text, i, problem)
			}
		}
	}
}

// differ describes the difference between a rendered and a parsed call, "" if they are equal.
func differ(want *dialect.RenderedCall, got *dialect.Call) string {
	if got.Name != want.Name {
		return fmt.Sprintf("name %q", got.Name)
	}
	args := want.Arguments
	if len(args) == 0 {
		args = []byte("{}")
	}
	if got.JSON != "" {
		if !jsonx.Equal([]byte(got.JSON), args) {
			return "arguments " + got.JSON
		}
		return ""
	}
	n := 0
	for k, v := range jsonx.Members(args) {
		n++
		if n > len(got.Args) || got.Args[n-1].Key != k.String() || !carries(&got.Args[n-1], v) {
			return fmt.Sprintf("argument %s: %q", k.String(), got.Args)
		}
	}
	if n != len(got.Args) {
		return fmt.Sprintf("%d arguments", len(got.Args))
	}
	return ""
}

// carries reports whether an argument equals the JSON value v.
func carries(a *dialect.Arg, v []byte) bool {
	if s, ok := jsonx.String(v); ok && jsonx.KindOf(v) == jsonx.Text && a.Kind == dialect.Literal {
		return a.Text == s
	}
	return jsonx.Equal(bytes.TrimSpace([]byte(a.Text)), v)
}
