package companion_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
)

// body is a Body of one message and one tool, which have its name.
type body string

func (b body) Wire() callwright.WireName { return callwright.WireName(b) }
func (b body) Bytes() []byte             { return []byte(b) }
func (b body) Summaries() []callwright.Summary {
	return []callwright.Summary{{Role: callwright.Role(b)}}
}
func (b body) Tools() ([]callwright.Tool, error) { return []callwright.Tool{{Name: string(b)}}, nil }
func (b body) Messages() ([]callwright.Message, error) {
	return []callwright.Message{callwright.UserText(string(b))}, nil
}

// show prints the fields of the companion of a request, and the history, tools and summaries of the request.
func show(req *callwright.Request) string {
	c := companion.Of(req)
	var out strings.Builder
	known, sent := "", ""
	if c.Known != nil {
		known = fmt.Sprint(c.Known.MaxTools)
	}
	if c.OnSend != nil {
		said := []byte("?")
		c.OnSend(said)
		sent = string(said)
	}
	fmt.Fprintf(&out, "%v %q %v %q %q %q %q %q %q", c.Body, c.Edits, known, c.ReportID, c.Owner, c.Earlier, sent, c.Withheld, req.Model)
	messages, _ := req.History()
	tools, _ := req.DeclaredTools()
	fmt.Fprintf(&out, " %v %v %v %q %q", messages, tools, req.Summaries(), c.Wire(), c.Bytes())
	return out.String()
}

// changes are those that are made of a companion, with a word that differs each time.
var changes = map[string]func(c *companion.Companion, word string){
	"body":    func(c *companion.Companion, word string) { c.Body = body(word) },
	"earlier": func(c *companion.Companion, word string) { c.Earlier = word },
	"no body": func(c *companion.Companion, _ string) { c.Body = nil },
	"edits":   func(c *companion.Companion, word string) { c.Edits = []callwright.Edit{{Path: []string{word}}} },
	"more edits": func(c *companion.Companion, word string) {
		c.Edits = append(c.Edits, callwright.Edit{Path: []string{word}})
	},
	"room": func(c *companion.Companion, _ string) {
		c.Edits, c.Withheld = slices.Grow(c.Edits, 8), slices.Grow(c.Withheld, 8)
	},
	"known":    func(c *companion.Companion, word string) { c.Known = &caps.Caps{MaxTools: len(word)} },
	"report":   func(c *companion.Companion, word string) { c.ReportID = word },
	"owner":    func(c *companion.Companion, word string) { c.Owner = word },
	"send":     func(c *companion.Companion, word string) { c.OnSend = func(b []byte) { b[0] = word[0] } },
	"withheld": func(c *companion.Companion, word string) { c.Withheld = []string{word} },
	"more":     func(c *companion.Companion, word string) { c.Withheld = append(c.Withheld, word) },
	"all anew": func(c *companion.Companion, word string) { *c = companion.Companion{Owner: word} },
	"nothing":  func(*companion.Companion, string) {},
}

// makers make a request of a request, with a changed companion.
var makers = map[string]func(req *callwright.Request, change func(*companion.Companion)) *callwright.Request{
	"Change": func(req *callwright.Request, change func(*companion.Companion)) *callwright.Request {
		next := *req
		companion.Change(&next, change)
		return &next
	},
	"With": companion.With,
	"Make": func(req *callwright.Request, change func(*companion.Companion)) *callwright.Request {
		return new(companion.Variant).Make(req, change)
	},
	"a copy of Of": func(req *callwright.Request, change func(*companion.Companion)) *callwright.Request {
		next, c := *req, companion.Of(req)
		change(&c)
		next.Attached = &c
		return &next
	},
}

// Whatever variants are made of a request, and of those, it and all others stay as they are; the variant has the change and all that
// the original had.
func TestVariantsAreIndependent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reqs := []*callwright.Request{{Model: "none"}, companion.NewRequest(body("came"))}
		var shown []string
		for _, r := range reqs {
			shown = append(shown, show(r))
		}
		for n := range rapid.IntRange(1, 20).Draw(t, "variants") {
			from := rapid.IntRange(0, len(reqs)-1).Draw(t, "from")
			change := changes[rapid.SampledFrom(sorted(changes)).Draw(t, "change")]
			maker := rapid.SampledFrom(sorted(makers)).Draw(t, "maker")
			word := fmt.Sprintf("%c%d", 'a'+n, n)

			expected := companion.Of(reqs[from])
			expected.Edits, expected.Withheld = slices.Clone(expected.Edits), slices.Clone(expected.Withheld)
			change(&expected, word)
			next := makers[maker](reqs[from], func(c *companion.Companion) { change(c, word) })
			if want := show(&callwright.Request{Model: reqs[from].Model, Attached: &expected}); show(next) != want {
				t.Fatalf("%s of request %d is %s, expected %s", maker, from, show(next), want)
			}
			reqs, shown = append(reqs, next), append(shown, show(next))
			for i, r := range reqs {
				if now := show(r); now != shown[i] {
					t.Fatalf("request %d was %s and is %s after %s of request %d", i, shown[i], now, maker, from)
				}
			}
		}
	})
}

func sorted[V any](m map[string]V) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// A request that came takes one allocation with its companion, and so does a variant.
func TestAllocations(t *testing.T) {
	req, kept := companion.NewRequest(body("came")), new(callwright.Request)
	var b companion.Body = body("came")
	for name, build := range map[string]func(){
		"NewRequest": func() { kept = companion.NewRequest(b) },
		"With":       func() { kept = companion.With(req, func(c *companion.Companion) { c.Owner = "owner" }) },
		"Change":     func() { companion.Change(kept, func(c *companion.Companion) { c.Owner = "owner" }) },
	} {
		if n := testing.AllocsPerRun(100, build); n > 1 {
			t.Errorf("%s makes %v allocations, expected 1", name, n)
		}
	}
}
