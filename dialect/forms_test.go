package dialect_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/dialect/internal/dialecttest"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/longtest"
)

// A member is one argument of a generated call: a text, or a list of texts.
type member struct {
	key  string
	text string
	list []string
}

var texts = []string{"Bonn", "two words", "it's \"so\"", "a, b", "x < y", "50%", "007", "Re: lunch", "ü", "- dash", "#1", "true", "a & b", "{not json", "[x] y"}

func randomArgs(rng *rand.Rand) []member {
	args := []member{{key: "from", text: texts[rng.IntN(len(texts))]}}
	if rng.IntN(2) == 0 {
		args = append(args, member{key: "seats", text: fmt.Sprint(rng.IntN(20))})
	}
	if rng.IntN(2) == 0 {
		list := []string{"Köln", "Aachen", "Ulm West", "Hof (Saale)"}
		args = append(args, member{key: "stops", list: list[:1+rng.IntN(len(list))]})
	}
	if rng.IntN(2) == 0 {
		args = append(args, member{key: "to", text: texts[rng.IntN(len(texts))]})
	}
	rng.Shuffle(len(args), func(i, k int) { args[i], args[k] = args[k], args[i] })
	return args
}

func quotedText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// layouts write a call of find_train in the forms that are read beside those of the table's renderers.
var layouts = map[string]func(rng *rand.Rand, args []member) string{
	"yaml": func(rng *rand.Rand, args []member) string {
		eol := []string{"\n", "\r\n"}[rng.IntN(2)]
		var b strings.Builder
		for _, a := range args {
			switch style := rng.IntN(3); {
			case a.list != nil && style == 0:
				b.WriteString(a.key + ": [" + strings.Join(a.list, ", ") + "]" + eol)
			case a.list != nil:
				b.WriteString(a.key + ":" + eol)
				for _, x := range a.list {
					b.WriteString(strings.Repeat(" ", style) + "- " + x + eol)
				}
			case style == 0:
				b.WriteString(a.key + ": |-" + eol + " " + a.text + eol)
			case style == 1:
				b.WriteString(a.key + ": '" + strings.ReplaceAll(a.text, "'", "''") + "'" + eol)
			default:
				b.WriteString(a.key + ": " + quotedText(a.text) + eol)
			}
		}
		open := []string{"<find_train>" + eol, "<function=find_train>" + eol, "<find_train" + eol}[rng.IntN(3)]
		return open + b.String() + closerOf(open)
	},
	"elements": func(rng *rand.Rand, args []member) string {
		return "<find_train>\n" + elements(rng, args) + "</find_train>"
	},
	"slashed": func(rng *rand.Rand, args []member) string { return "<find_train\n" + elements(rng, args) + "/>" },
	"name line": func(rng *rand.Rand, args []member) string {
		return "find_train\n" + strings.TrimSpace(elements(rng, args))
	},
	"name line colon": func(rng *rand.Rand, args []member) string {
		return "find_train:\n" + elements(rng, args) + "</find_train>"
	},
	"repeated parameters": func(_ *rand.Rand, args []member) string {
		return "<function=find_train>\n" + each(args, "<parameter=%s>\n%s\n</parameter>\n") + "</function>"
	},
	"repeated invoke parameters": func(_ *rand.Rand, args []member) string {
		return `<invoke name="find_train">` + each(args, `<parameter name="%s">%s</parameter>`) + "</invoke>"
	},
	"repeated pairs": func(_ *rand.Rand, args []member) string {
		return "<tool_call>find_train\n" + each(args, "<arg_key>%s</arg_key>\n<arg_value>%s</arg_value>\n") + "</tool_call>"
	},
	"names as text": func(_ *rand.Rand, args []member) string {
		return "<function=find_train>\n" + each(args, "<parameter>%s</parameter>\n%s\n</parameter>\n") + "</function>"
	},
	"name in tag": func(_ *rand.Rand, args []member) string {
		return "<function>find_train</function>\n" + each(args, "<parameter>%s</parameter>\n%s\n</parameter>\n")
	},
	"hash": func(_ *rand.Rand, args []member) string {
		var b strings.Builder
		for _, a := range args {
			if a.list != nil {
				fmt.Fprintf(&b, "  --%s [%s]\n", a.key, quotedTexts(a.list))
			} else {
				fmt.Fprintf(&b, "  --%s %s\n", a.key, quotedText(a.text))
			}
		}
		return "[TOOL_CALL]\n{tool => \"find_train\", args => {\n" + b.String() + "}}\n[/TOOL_CALL]"
	},
	"bracket lost": func(_ *rand.Rand, args []member) string {
		return "<tool_call>function=find_train>\n" + each(args, "<parameter=%s>\n%s\n</parameter>\n") + "</function>\n</tool_call>"
	},
}

// quotedTexts are the items of a list, each in quotes.
func quotedTexts(list []string) string {
	quoted := make([]string, len(list))
	for i := range list {
		quoted[i] = quotedText(list[i])
	}
	return strings.Join(quoted, ", ")
}

func closerOf(open string) string {
	switch open[len("<")] {
	case 'f':
		if strings.HasPrefix(open, "<function") {
			return "</function>"
		}
		if strings.HasPrefix(open, "<find_train>") {
			return "</find_train>"
		}
	}
	return "/>"
}

// each writes every argument, a list as one argument for each of its items.
func each(args []member, format string) string {
	var b strings.Builder
	for _, a := range args {
		if a.list == nil {
			fmt.Fprintf(&b, format, a.key, a.text)
		}
		for _, x := range a.list {
			fmt.Fprintf(&b, format, a.key, x)
		}
	}
	return b.String()
}

// elements writes arguments as elements, in one of the ways in which lists are.
func elements(rng *rand.Rand, args []member) string {
	var b strings.Builder
	for _, a := range args {
		lang := []string{"", ` lang="a>b"`}[rng.IntN(2)]
		if a.list == nil {
			fmt.Fprintf(&b, "<%s%s>%s</%s>\n", a.key, lang, a.text, a.key)
			continue
		}
		item, shut := []string{"<stop>", "<item>", "<item n=\"1\">", "<%d>"}[rng.IntN(4)], ""
		if rng.IntN(3) == 0 {
			for _, x := range a.list {
				fmt.Fprintf(&b, "<%s>%s</%s>\n", a.key, x, a.key)
			}
			continue
		}
		fmt.Fprintf(&b, "<%s>", a.key)
		for i, x := range a.list {
			open := item
			if strings.Contains(open, "%d") {
				open = fmt.Sprintf(open, i)
			}
			shut = "</" + strings.Fields(strings.Trim(open, "<>"))[0] + ">"
			b.WriteString(open + x + shut)
		}
		fmt.Fprintf(&b, "</%s>\n", a.key)
	}
	return b.String()
}

// Every form gives the arguments that were written, whole and in pieces; and a list of one item may be its item, for the
// schema to say.
func TestForms(t *testing.T) {
	for name, layout := range layouts {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(3, 4))
			for range generatedCalls() {
				args := randomArgs(rng)
				text := layout(rng, args)
				whole := scan(dialect.Options{Tools: dialecttest.Tools()}, text)
				want, got := wanted(args), argsFound(whole)
				if d := cmp.Diff(want, got); d != "" {
					t.Fatalf("%s\nwant (-) got (+):\n%s\n%s", text, d, dialecttest.Say(whole))
				}
				for range 6 {
					i := rng.IntN(len(text))
					pieces := scan(dialect.Options{Tools: dialecttest.Tools()}, text[:i], text[i:])
					if d := cmp.Diff(dialecttest.Say(whole), dialecttest.Say(pieces)); d != "" {
						t.Fatalf("%s\ncut at %d: whole (-) cut (+):\n%s", text, i, d)
					}
				}
				tiny := scan(dialect.Options{Tools: dialecttest.Tools()}, strings.Split(text, "")...)
				if d := cmp.Diff(dialecttest.Say(whole), dialecttest.Say(tiny)); d != "" {
					t.Fatalf("%s\nrune by rune (+):\n%s", text, d)
				}
				for i := range len(text) {
					for _, it := range scan(dialect.Options{Tools: dialecttest.Tools()}, text[:i]) {
						if it.Kind == dialect.CallFound && !isPart(want, it.Call) {
							t.Fatalf("%q gives %v", text[:i], it.Call.Args)
						}
					}
				}
			}
		})
	}
}

func wanted(args []member) map[string]string {
	out := map[string]string{}
	for _, a := range args {
		out[a.key] = a.text
		if a.list != nil {
			out[a.key] = strings.Join(a.list, "|")
		}
	}
	return out
}

// argsFound are the arguments of the one call of the items, with lists joined.
func argsFound(items []dialect.Item) map[string]string {
	out := map[string]string{}
	for _, it := range items {
		if it.Kind == dialect.CallFound {
			maps.Copy(out, argsOf(it.Call))
		}
	}
	return out
}

// argsOf are the arguments of a call, with lists joined.
func argsOf(c *dialect.Call) map[string]string {
	out := map[string]string{}
	for i := range c.Args {
		out[c.Args[i].Key] = c.Args[i].Text
		if c.Args[i].Kind == dialect.JSON {
			out[c.Args[i].Key] = joinedList([]byte(c.Args[i].Text))
		}
	}
	for k, v := range jsonx.Members([]byte(c.JSON)) {
		out[k.String()] = joinedList(v)
	}
	return out
}

// joinedList is a JSON text as it is said, a list of them joined.
func joinedList(v []byte) string {
	switch jsonx.KindOf(v) {
	case jsonx.Array:
		var items []string
		for e := range jsonx.Elements(v) {
			items = append(items, joinedList(e))
		}
		return strings.Join(items, "|")
	case jsonx.Text:
		text, _ := jsonx.String(v)
		return text
	}
	return string(v)
}

// isPart reports whether a call that was read from the beginning of a text says nothing but what the whole says.
func isPart(want map[string]string, c *dialect.Call) bool {
	for key, got := range argsOf(c) {
		if w, ok := want[key]; !ok || w != got && !strings.HasPrefix(w, got+"|") {
			return false
		}
	}
	return true
}

// generatedCalls is how many calls of each layout are tried.
func generatedCalls() int {
	if !longtest.IsEnabled() {
		return 30
	}
	return 300
}
