package freetext_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright/internal/grammar"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/freetext"
)

// note is a grammar of texts that begin and end with a line of their own.
const note = "start: \"BEGIN\" LF line* \"END\" LF?\nline: \"> \" /.*/ LF\n%import common.LF"

const text = "BEGIN\n> a \"b\" $HOME\nEND"

func checked(t interface{ Fatal(...any) }) func(string) error {
	g, err := grammar.Compile(grammar.Lark, note)
	if err != nil {
		t.Fatal(err)
	}
	return func(s string) error { return g.Check(s, &grammar.Budget{Steps: grammar.DefaultSteps}) }
}

func quoted(s string) string { return string(jsonx.AppendQuote(nil, s)) }

func source(arguments string) freetext.Source {
	s := freetext.Source{Text: arguments, Tool: "write_note"}
	if jsonx.Valid([]byte(arguments)) == nil {
		s.Doc = []byte(arguments)
	}
	return s
}

// The arguments of a function in place of a tool that takes free text, with a grammar and without one.
var readings = []struct {
	name, arguments    string
	checked, unchecked string // the input; "" where the call is refused
}{
	{"as declared", `{"input":` + quoted(text) + `}`, text, text},
	{"another parameter", `{"patch":` + quoted(text) + `}`, text, text},
	{"a parameter without a name", `{"":` + quoted(text) + `}`, text, text},
	{"a further parameter", `{"input":` + quoted(text) + `,"path":"a.txt"}`, text, text},
	{"two other parameters", `{"patch":` + quoted(text) + `,"path":"a.txt"}`, text, ""},
	{"a command", `{"command":["write_note",` + quoted(text) + `]}`, text, ""},
	{"a command of a shell", `{"cmd":["bash","-lc",` + quoted("write_note <<'EOF'\n"+text+"\nEOF\n") + `]}`, text + "\n", ""},
	{"an object inside", `{"input":{"patch":` + quoted(text) + `}}`, text, text},
	{"a list", `["write_note",` + quoted(text) + `]`, text, ""},
	{"the same text twice", `{"a":` + quoted(text) + `,"b":` + quoted(text) + `}`, text, text},
	{"two texts", `{"a":` + quoted(text) + `,"b":` + quoted(text+"\n") + `}`, "", ""},
	{"a number beside it", `{"patch":` + quoted(text) + `,"line":7}`, text, text},
	{"a parameter twice", `{"input":` + quoted(text) + `,"input":"x"}`, text, ""},
	{"text alone", text, text, text},
	{"text in a string", quoted(text), text, text},
	{"a fence", "```\n" + text + "\n```", text, "```\n" + text + "\n```"},
	{"a fence with a language", "~~~~ diff\n" + text + "\n~~~~\n", text, "~~~~ diff\n" + text + "\n~~~~\n"},
	{"a fence inside", `{"input":` + quoted("```\n"+text+"\n```") + `}`, text, "```\n" + text + "\n```"},
	{"a here-document", "write_note <<'EOF'\n" + text + "\nEOF", text + "\n", "write_note <<'EOF'\n" + text + "\nEOF"},
	{"a here-document that a shell changes", "write_note <<EOF\n" + text + "\nEOF", "", "write_note <<EOF\n" + text + "\nEOF"},
	{"a here-document of another command", "cd /srv && write_note <<'EOF'\n" + text + "\nEOF", "", "cd /srv && write_note <<'EOF'\n" + text + "\nEOF"},
	{"a text that breaks the grammar", `{"input":"BEGIN ***\nEND"}`, "", "BEGIN ***\nEND"},
	{"no text", `{"n":7}`, "", ""},
	{"nothing", `{}`, "", ""},
}

func TestRead(t *testing.T) {
	for _, c := range readings {
		t.Run(c.name, func(t *testing.T) {
			for _, with := range []struct {
				name  string
				check func(string) error
				want  string
			}{{"checked", checked(t), c.checked}, {"unchecked", nil, c.unchecked}} {
				s := source(c.arguments)
				s.Check = with.check
				got, err := s.Read()
				if (err == nil) != (with.want != "") || got.Text != with.want || err == nil && got.Own != (c.arguments == `{"input":`+quoted(got.Text)+`}`) {
					t.Errorf("%s: got %+v, %v", with.name, got, err)
				}
				// The same as the input of a call that has one: what satisfies the grammar is left alone, and without one everything is.
				s.Free = true
				free, err := s.Read()
				if with.check == nil && (free.Text != c.arguments || !free.Own || err != nil) {
					t.Errorf("%s input: got %+v, %v", with.name, free, err)
				}
				if with.check != nil && (free.Text != with.want || err == nil && free.Own != (free.Text == c.arguments)) {
					t.Errorf("%s input: got %+v, %v", with.name, free, err)
				}
			}
		})
	}
}

// The violation of a call that is refused is that of the text that satisfies the grammar for the longest.
func TestViolation(t *testing.T) {
	for arguments, want := range map[string]string{
		`{"input":"BEGIN ***\nEND"}`:          `at line 1, column 6: expected "\n", found " ***"`,
		`{"path":"a.txt","patch":"BEGIN\nx"}`: `at line 2, column 1: expected "> " or "END", found "x"`,
		`BEGIN`:                               `at line 1, column 6: expected "\n", found the end of the input`,
		`{"n":7}`:                             "the arguments are not of the form {\"input\": \"...\"}",
		`{"a":` + quoted(text) + `,"b":"BEGIN\nEND"}`: "the arguments are not of the form {\"input\": \"...\"}",
	} {
		s := source(arguments)
		s.Check = checked(t)
		if _, err := s.Read(); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", arguments, err, want)
		}
	}
}

// An error of the check that is no mismatch ends the reading.
func TestCheckFails(t *testing.T) {
	s := source(`{"a":"b"}`)
	s.Check = func(string) error { return grammar.ErrBudget }
	if got, err := s.Read(); !errors.Is(err, grammar.ErrBudget) {
		t.Errorf("got %+v, %v", got, err)
	}
}

// What is read satisfies the grammar and is a string of the arguments, or the inside of one.
func TestReadings(t *testing.T) {
	check := checked(t)
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SampledFrom([]string{text, text + "\n", "BEGIN\nEND", "BEGIN\n> x\nEND\n", "a.txt", "write_note", "", "```\n" + text + "\n```", "write_note <<'X'\nBEGIN\nEND\nX", "BEGIN"})
		arguments := words.Draw(t, "text")
		for range rapid.IntRange(0, 3).Draw(t, "depth") {
			if jsonx.Valid([]byte(arguments)) != nil {
				arguments = quoted(arguments)
			}
			switch rapid.IntRange(0, 2).Draw(t, "wrapper") {
			case 0:
				arguments = "[" + quoted(words.Draw(t, "beside")) + "," + arguments + "]"
			case 1:
				arguments = `{` + quoted(rapid.SampledFrom([]string{"input", "code", "patch", ""}).Draw(t, "key")) + `:` + arguments + `}`
			default:
				arguments = `{"path":` + quoted(words.Draw(t, "beside")) + `,` + quoted(rapid.SampledFrom([]string{"input", "patch"}).Draw(t, "key")) + `:` + arguments + `}`
			}
		}
		s := source(arguments)
		s.Check, s.Free = check, rapid.Bool().Draw(t, "free")
		got, err := s.Read()
		if err != nil {
			if check(arguments) == nil {
				t.Fatalf("%s is refused: %v", arguments, err)
			}
			return
		}
		if err := check(got.Text); err != nil {
			t.Fatalf("%s: %q breaks the grammar: %v", arguments, got.Text, err)
		}
		for _, whole := range append(stringsOf(t, arguments), arguments) {
			if strings.Contains(whole, got.Text) {
				return
			}
		}
		t.Fatalf("%s: %q stands in none of its strings", arguments, got.Text)
	})
}

// stringsOf are the strings of a JSON text.
func stringsOf(t *rapid.T, doc string) []string {
	if jsonx.Valid([]byte(doc)) != nil {
		return nil
	}
	var out []string
	d := json.NewDecoder(strings.NewReader(doc))
	for {
		tok, err := d.Token()
		if err != nil {
			return out
		}
		if s, ok := tok.(string); ok {
			out = append(out, s)
		}
	}
}
