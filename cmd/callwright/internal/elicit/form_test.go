package elicit_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright/cmd/callwright/internal/elicit"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/schema"
)

// ask asks a person who types a text.
func ask(typed, wanted string) (action, content, shown string, err error) {
	var out bytes.Buffer
	lines := bufio.NewReader(strings.NewReader(typed))
	t := elicit.Terminal{Out: paint.New(&out, func(string) (string, bool) { return "", false }), Line: func(context.Context) (string, error) { return lines.ReadString('\n') }}
	action, raw, err := t.Ask(context.Background(), "one", "Who are\x1b[2J you?", json.RawMessage(wanted))
	return action, string(raw), out.String(), err
}

// one is a form with one field.
func one(field string) string {
	return `{"type":"object","required":["x"],"properties":{"x":` + field + `}}`
}

// A line becomes a value of the field's type. A line that is no such value is refused with the reason, and the field is asked for again.
func TestFields(t *testing.T) {
	const enum, titled, list = `{"type":"string","enum":["red","blue"],"enumNames":["Red","Sky"]}`, `{"type":"string","oneOf":[{"const":"r","title":"Red"},{"const":"b","title":"Blue"}]}`,
		`{"type":"array","minItems":1,"items":{"type":"string","enum":["a","b","c"]}}`
	for _, c := range []struct{ field, typed, want string }{
		{`{"type":"string"}`, "Ada é \"x\"\n", `"Ada é \"x\""`},
		{`{"type":"string"}`, "\n\"\"\n", `""`},
		{`{"type":"string","minLength":3,"maxLength":4}`, "ab\nabcde\nabcd\n", `"abcd"`},
		{`{"type":"string","format":"email"}`, "nobody\nada@example.com\n", `"ada@example.com"`},
		{`{"type":"string","format":"date"}`, "tomorrow\n2026-07-01\n", `"2026-07-01"`},
		{`{"type":"string","format":"uri"}`, "not one\nhttps://a.test/x\n", `"https://a.test/x"`},
		{`{"type":"string","default":"Oslo"}`, "\n", `"Oslo"`},
		{`{"type":"integer"}`, "1.5\nfive\n0x5\n01\n9007199254740993\n", `9007199254740993`},
		{`{"type":"integer","minimum":1,"maximum":9}`, "0\n10\n9\n", `9`},
		{`{"type":"number"}`, "NaN\n\n2.50\n", `2.50`},
		{`{"type":"number","default":0.5}`, "\n", `0.5`},
		{`{"type":"boolean"}`, "maybe\nY\n", `true`},
		{`{"type":"boolean"}`, "no\n", `false`},
		{`{"type":"boolean","default":true}`, "\n", `true`},
		{enum, "green\nBLUE\n", `"blue"`}, {enum, "Sky\n", `"blue"`}, {enum, "1\n", `"red"`}, {enum, "3\nred\n", `"red"`},
		{titled, "Blue\n", `"b"`}, {titled, "r\n", `"r"`}, {`{"enum":["x"]}`, "x\n", `"x"`},
		{`{"type":"string","enum":["2","1"]}`, "1\n", `"1"`},
		{list, ",\na, 3\n", `["a","c"]`}, {list, "d\nb\n", `["b"]`},
		{`{"type":"array","items":{"anyOf":[{"const":"r","title":"Red"}]}}`, "red\n", `["r"]`},
	} {
		action, got, shown, err := ask("answer\n"+c.typed+"send\n", one(c.field))
		if want := `{"x":` + c.want + `}`; action != elicit.Accept || got != want || err != nil {
			t.Errorf("%s with %q: got %s %s, %v\n%s", c.field, c.typed, action, got, err, shown)
		}
	}
}

// A person can decline or cancel at any time, and edit the values before they are sent.
func TestAnswers(t *testing.T) {
	form := `{"type":"object","required":["b"],"properties":{"a":{"type":"string","title":"First","description":"of all"},"b":{"type":"integer"},"c":{"type":"boolean"}}}`
	for name, c := range map[string]struct{ typed, form, action, content string }{
		"in order":           {"a\n7\nx\nn\ns\n", form, elicit.Accept, `{"b":7,"a":"x","c":false}`},
		"left out":           {"A\n7\n\n\nsend\n", form, elicit.Accept, `{"b":7}`},
		"declined":           {"d\n", form, elicit.Decline, ""},
		"declined later":     {"a\n7\n\n\nd\n", form, elicit.Decline, ""},
		"cancelled":          {"what?\ncancel\n", form, elicit.Cancel, ""},
		"changed":            {"a\n7\n\n\ne\n8\nx\n\ns\n", form, elicit.Accept, `{"b":8,"a":"x"}`},
		"gone":               {"", form, elicit.Cancel, ""},
		"gone in the middle": {"a\n7\nhal", form, elicit.Cancel, ""},
		"confirmed":          {"y\n", `{"type":"object","properties":{}}`, elicit.Accept, "{}"},
		"refused":            {"no\n", "null", elicit.Decline, ""},
		"dismissed":          {"c\n", "", elicit.Cancel, ""},
	} {
		action, content, shown, err := ask(c.typed, c.form)
		if action != c.action || err != nil || action == elicit.Accept && content != c.content {
			t.Errorf("%s: got %s %s, %v\n%s", name, action, content, err, shown)
		}
		if !strings.Contains(shown, "the MCP server one asks: Who are␛[2J you?\n") {
			t.Errorf("%s: shown %q", name, shown)
		}
	}
	_, _, shown, _ := ask("a\n7\nx\nn\ns\n", form)
	for _, part := range []string{"  b (integer): ", "  of all\n", "  First (may be empty): ", "  c (yes or no; may be empty): ", `  {"b":7,"a":"x","c":false}`} {
		if !strings.Contains(shown, part) {
			t.Errorf("%q is not in %q", part, shown)
		}
	}
}

// TestOtherForms: a schema that is no flat form is an error, and nobody is asked.
func TestOtherForms(t *testing.T) {
	for _, form := range []string{`[]`, `{"type":"string"}`, one(`{"type":"object"}`), one(`{"type":"array","items":{"type":"string"}}`), one(`{}`), one(`7`)} {
		if action, _, shown, err := ask("a\n", form); err == nil || action != "" || strings.Contains(shown, "[a]nswer") {
			t.Errorf("%s: got %s, %v\n%s", form, action, err, shown)
		}
	}
	gone := errors.New("gone")
	term := elicit.Terminal{Out: paint.New(&bytes.Buffer{}, func(string) (string, bool) { return "", false }), Line: func(context.Context) (string, error) { return "", gone }}
	if _, _, err := term.Ask(context.Background(), "one", "?", nil); !errors.Is(err, gone) {
		t.Errorf("got %v", err)
	}
}

// The object that is sent satisfies the schema of the form, for drawn forms and lines.
func TestAnswersFit(t *testing.T) {
	fields := []string{`{"type":"string"}`, `{"type":"string","minLength":2}`, `{"type":"integer","minimum":2}`, `{"type":"number","maximum":5}`, `{"type":"boolean"}`, `{"type":"string","enum":["a","2"]}`,
		`{"type":"array","items":{"enum":["a","1"],"type":"string"},"maxItems":1}`, `{"type":"string","format":"date"}`, `{"type":"integer","default":7}`}
	rapid.Check(t, func(t *rapid.T) {
		var properties, required []string
		for i := range rapid.IntRange(1, 4).Draw(t, "fields") {
			properties = append(properties, fmt.Sprintf(`"f%d":%s`, i, rapid.SampledFrom(fields).Draw(t, "field")))
			if rapid.Bool().Draw(t, "required") {
				required = append(required, fmt.Sprintf(`"f%d"`, i))
			}
		}
		form := `{"type":"object","properties":{` + strings.Join(properties, ",") + `},"required":[` + strings.Join(required, ",") + `]}`
		typed := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "1", "2", "true", "2026-07-01", "7.5", "a,1", `""`, "s", "e", "-3", "1e1"}), 0, 30).Draw(t, "lines"), "\n") + "\n"
		action, content, _, err := ask("a\n"+typed, form)
		if err != nil {
			t.Fatal(err)
		}
		if action != elicit.Accept {
			return
		}
		s, err := schema.Compile([]byte(form))
		if err != nil {
			t.Fatal(err)
		}
		if broken := s.Validate([]byte(content)); len(broken) > 0 {
			t.Fatalf("%q into %s gives %s: %v", typed, form, content, broken)
		}
	})
}
