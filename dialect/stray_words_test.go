package dialect_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/dialect"
)

// strayTexts are texts with an opening mark in place of %o, and its closing mark in place of %c, in which no call is.
var strayTexts = []string{
	"Answer:%o42", "%oYes", "%oYes.", "%o Well", "Sure%oly thing", "The mark %o opens one.", "Calls are within %o%c tags.", "Calls are within %o%c XML tags, and so on.",
	"Write it between %o and %c, please.", "%o\nThat is all.", "Done. %o",
}

// A mark without a call keeps no word of the answer: in every format, whole and in pieces.
func TestStrayMarksKeepNoWord(t *testing.T) {
	for _, f := range dialect.Formats() {
		for _, m := range f.Marks {
			if m.Role > dialect.Section {
				continue
			}
			for _, s := range strayTexts {
				if m.Close == "" && strings.Contains(s, "%c") {
					continue
				}
				text := strings.NewReplacer("%o", m.Open, "%c", m.Close).Replace(s)
				words := strings.Fields(strings.NewReplacer("%o", " ", "%c", " ").Replace(s))
				for _, n := range []int{len(text), 1} {
					got, _, calls := scanned(scan(dialect.Options{Tools: tools}, every(n, text)...))
					rest := got
					for _, w := range words {
						at := strings.Index(rest, w)
						if at < 0 || calls > 0 {
							t.Errorf("%s, pieces of %d: %d calls, %q is read as %q", f.Name, n, calls, text, got)
							break
						}
						rest = rest[at+len(w):]
					}
				}
			}
		}
	}
}

// A mark that is only named does not keep the call behind it from being made: in every format, whole and in pieces.
func TestCallBehindNamedMark(t *testing.T) {
	for _, f := range dialect.Formats() {
		if !f.Renders() || !isMarked(f) || f.Name == "harmony" {
			continue
		}
		call := sample(f)
		first := call[:strings.IndexAny(call, ">]")+1]
		if strings.HasPrefix(call, "]<]") {
			first = call[:strings.IndexByte(call, '>')+1]
		}
		for _, lead := range []string{"The marker " + first + " opens a call.", "A call begins with " + first + " and then the name.", "Use the tag " + first + ".", "I mean " + first + " here."} {
			text := lead + "\n\n" + call
			for _, n := range []int{len(text), 1} {
				got, _, calls := scanned(scan(dialect.Options{Tools: tools}, every(n, text)...))
				if calls != 1 || strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(lead), " ") {
					t.Errorf("%s, pieces of %d: %d calls, text %q in %q", f.Name, n, calls, got, text)
				}
			}
		}
	}
}
