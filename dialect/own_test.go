package dialect_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright/dialect"
)

func own(t testing.TB, formats ...dialect.Format) *dialect.Marks {
	t.Helper()
	m, err := dialect.NewMarks(formats...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Formats of a caller's own are found, whole and in pieces, beside those of the table.
func TestOwnFormats(t *testing.T) {
	const json = `{"name": "note", "arguments": {"text": "buy milk"}}`
	const hermes = `<tool_call>{"name": "ping", "arguments": {}}</tool_call>`
	for _, c := range []struct {
		about, text, want string
		mark              dialect.Mark
	}{
		{"a tag", "On it. <house_act>" + json + "</house_act>", "note", dialect.Mark{Open: "<house_act>", Close: "</house_act>"}},
		{"a special token", "<|house_act|>" + json + "<|end_house_act|>", "note", dialect.Mark{Open: "<|house_act|>", Close: "<|end_house_act|>"}},
		{"another text", "[[CALL]]" + json + "[[END]]", "note", dialect.Mark{Open: "[[CALL]]", Close: "[[END]]"}},
		{"a name in the mark", `I look. [[CALL note]]{"text": "buy milk"}[[/CALL]]` + "\n[[CALL ping]][[/CALL]]", "note ping", dialect.Mark{Open: "[[CALL %s]]", Close: "[[/CALL]]"}},
		{"a name in the mark, which nothing closes", `[CALL:note] {"text": "buy milk"}` + "\n" + `[CALL:ping] {}`, "note ping", dialect.Mark{Open: "[CALL:%s]"}},
		{"elements behind a name in the mark", `[[CALL note]]<text>buy milk</text>[[/CALL]]`, "note", dialect.Mark{Open: "[[CALL %s]]", Close: "[[/CALL]]"}},
		{"another name in the mark", `[[CALL look_up]]{"text": "x"}[[/CALL]]`, "undeclared", dialect.Mark{Open: "[[CALL %s]]", Close: "[[/CALL]]"}},
		{"no name in the mark", `See [[CALL ]] and [[CALL two words]].`, "", dialect.Mark{Open: "[[CALL %s]]", Close: "[[/CALL]]"}},
		{"beside the table's", "<house_act>" + json + "</house_act>\n" + hermes, "note ping", dialect.Mark{Open: "<house_act>", Close: "</house_act>"}},
		{"in inline code", "Write `<house_act>" + json + "</house_act>` for a call.", "", dialect.Mark{Open: "<house_act>", Close: "</house_act>"}},
		{"cut inside a value", `<house_act>{"name": "note", "arguments": {"text": "buy m`, "truncated", dialect.Mark{Open: "<house_act>", Close: "</house_act>"}},
	} {
		t.Run(c.about, func(t *testing.T) {
			o := dialect.Options{Tools: tools, Marks: own(t, dialect.Format{Name: "house", Marks: []dialect.Mark{c.mark}})}
			if got := found(o, c.text); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			for cut := range len(c.text) {
				s := dialect.NewScanner(o)
				var names []string
				for _, it := range s.Close(s.Feed(c.text[cut:], s.Feed(c.text[:cut], nil))) {
					switch it.Kind {
					case dialect.CallFound:
						names = append(names, it.Call.Name)
						if it.Call.Name == "note" && it.Call.Format != "house" {
							t.Errorf("read as %s", it.Call.Format)
						}
					case dialect.CallRejected:
						names = append(names, string(it.Why))
					}
				}
				if got := strings.Join(names, " "); got != c.want {
					t.Fatalf("cut at %d: %q, want %q", cut, got, c.want)
				}
			}
		})
	}
	if got := found(dialect.Options{Tools: tools}, "[[CALL]]"+json+"[[END]]"); got != "" {
		t.Errorf("the format of one scanner was found by another: %q", got)
	}
}

func TestOwnFormatsAreChecked(t *testing.T) {
	for _, f := range []dialect.Format{
		{Marks: []dialect.Mark{{Open: "<act>", Close: "</act>"}}},
		{Name: "house", Marks: []dialect.Mark{{Open: "", Close: "</act>"}}},
		{Name: "house", Marks: []dialect.Mark{{Open: "<", Close: ">"}}},
		{Name: "house", Marks: []dialect.Mark{{Open: "<||>", Close: "</act>"}}},
		{Name: "house", Marks: []dialect.Mark{{Open: "<act", Close: "</act>"}}},
		{Name: "house", Marks: []dialect.Mark{{Open: "act:", Close: "end"}}},
		{Name: "house", Marks: []dialect.Mark{{Open: "<act %s>", Close: "</act>"}}},
		{Name: "house", Marks: []dialect.Mark{{Open: "[[%s]]", Close: "[[/]]"}}},
		{Name: "house", Marks: []dialect.Mark{{Open: "[[ACT %s", Close: "[[/ACT]]"}}},
		{Name: "house", Marks: []dialect.Mark{{Open: "[[ACT %s %s]]", Close: "[[/ACT]]"}}},
		{Name: "house", Marks: []dialect.Mark{{Open: "[[ACT %s]]", Close: "[[/ACT %s]]"}}},
		{Name: "house", Marks: []dialect.Mark{{Open: "house:", Role: dialect.Prefix}}},
	} {
		if _, err := dialect.NewMarks(f); err == nil {
			t.Errorf("%+v was taken", f)
		}
	}
}

func ExampleNewMarks() {
	marks, err := dialect.NewMarks(dialect.Format{Name: "house", Marks: []dialect.Mark{{Open: "[[CALL]]", Close: "[[END]]", Role: dialect.Wrap}}})
	if err != nil {
		panic(err)
	}
	o := dialect.Options{Tools: []dialect.Tool{{Name: "get_weather"}}, Marks: marks}
	for _, it := range dialect.ScanAll(o, `[[CALL]] {"name": "get_weather", "arguments": {"city": "Oslo"}} [[END]]`) {
		if it.Kind == dialect.CallFound {
			fmt.Println(it.Call.Format, it.Call.Name, it.Call.JSON)
		}
	}
	// Output: house get_weather {"city": "Oslo"}
}
