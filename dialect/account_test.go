package dialect_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/longtest"
)

// An account says what became of every byte of an answer.
type account struct {
	text  string
	taken []bool // by calls, rejected calls and notes
	calls []bool // by calls and rejected calls
	think bool   // something was thought
	said  string // visible text and reasoning
}

// newAccount enters the findings of a text.
func newAccount(text string, items []dialect.Item) *account {
	a := &account{text: text, taken: make([]bool, len(text)), calls: make([]bool, len(text))}
	for _, it := range items {
		switch it.Kind {
		case dialect.Text, dialect.Reasoning:
			a.said += it.Text
			a.think = a.think || it.Kind == dialect.Reasoning
		case dialect.CallFound, dialect.CallRejected:
			if !staysText(it) {
				a.take(it.Call.Offset, it.Call.Raw, true)
			}
		case dialect.Noted:
			a.think = a.think || it.Note.Rule == "mark.reasoning"
			a.take(it.Note.Offset, it.Note.Was, false)
		}
	}
	return a
}

// staysText reports whether a rejected call was written without marks: then it is reported, and stays text.
func staysText(it dialect.Item) bool {
	return it.Kind == dialect.CallRejected && slices.Contains([]string{"bare_json", "pythonic", "markdown_fence", "envelope"}, it.Call.Format)
}

// take enters a raw text that a finding gives.
func (a *account) take(offset int, raw string, call bool) {
	if !strings.HasPrefix(a.text[min(max(offset, 0), len(a.text)):], raw) {
		return // its text was unescaped or clipped: what it stands for is found missing
	}
	for i := range len(raw) {
		a.taken[offset+i] = true
		a.calls[offset+i] = a.calls[offset+i] || call
	}
}

// check says which text is neither said nor taken, and which text was made up.
func (a *account) check() error {
	said := a.said
	for i := 0; i < len(a.text); {
		c := a.text[i]
		n := a.markAt(i)
		mark := n > 0 && (a.besideCall(i, n) || a.think && slices.Contains(thinkMarks, a.text[i:i+n]))
		switch {
		case a.taken[i]:
			i++
		case mark && !strings.HasPrefix(strings.TrimLeft(said, " \n"), a.text[i:i+n]):
			i += n
		case said != "" && said[0] == c:
			said, i = said[1:], i+1
		case isBlank(c):
			i++
		case strings.IndexByte(",;)}]", c) >= 0 && a.besideCall(i, 1):
			i++
		case said != "" && said[0] == '\n':
			said = said[1:]
		default:
			return fmt.Errorf("%q is lost at %d", clipped(a.text[i:]), i)
		}
	}
	if strings.TrimSpace(said) != "" {
		return fmt.Errorf("%q is made up", clipped(said))
	}
	return nil
}

func clipped(t string) string { return t[:min(len(t), 40)] }

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// markAt is the length of the mark of any format at text[i:], or 0.
func (a *account) markAt(i int) int {
	best := 0
	for _, m := range tableMarks {
		if strings.HasPrefix(a.text[i:], m) && len(m) > best {
			best = len(m)
		}
	}
	return best
}

// besideCall reports whether nothing but marks and white space stands between a mark and a call or a rejected one: then
// the note of the call names it.
func (a *account) besideCall(i, n int) bool {
	before := i - 1
	for before >= 0 && !a.calls[before] {
		c := a.text[before]
		if isBlank(c) || strings.IndexByte(",;)}]", c) >= 0 {
			before--
			continue
		}
		at := a.markEndingAt(before + 1)
		if at < 0 {
			break
		}
		before = at - 1
	}
	if before >= 0 && a.calls[before] {
		return true
	}
	for after := i + n; after < len(a.text); {
		if a.calls[after] {
			return true
		}
		n := a.markAt(after)
		switch {
		case n > 0:
			after += n
		case isBlank(a.text[after]):
			after++
		default:
			return false
		}
	}
	return false
}

// markEndingAt is where the mark begins that ends at end, or -1.
func (a *account) markEndingAt(end int) int {
	at := -1
	for _, m := range tableMarks {
		if strings.HasSuffix(a.text[:end], m) && (at < 0 || end-len(m) < at) {
			at = end - len(m)
		}
	}
	return at
}

// thinkMarks are the marks around reasoning.
var thinkMarks = func() []string {
	var out []string
	for _, f := range dialect.Formats() {
		for _, m := range f.Marks {
			if m.Role == dialect.Think {
				out = append(out, m.Open, m.Close)
			}
		}
	}
	return out
}()

// tableMarks are the marks of all formats, once each, and those that are read with a capital, too.
var tableMarks = func() []string {
	out := []string{"</Function>", "</Parameter>"}
	for _, f := range dialect.Formats() {
		for _, m := range f.Marks {
			for _, text := range []string{m.Open, m.Close} {
				if text != "" && !slices.Contains(out, text) {
					out = append(out, text)
				}
			}
		}
	}
	return out
}()

// surroundings are texts around a mark @ that leads nowhere.
var surroundings = []string{
	"@", "One word.\n@\nAnother word.", "One word.\n@", "@\nAnother word.", "Say @ there, one more.", "It is done @ now", "Well @", "Well. @", "One word.\n@ Another word.",
	"One word.\n@@\nAnother word.", "One word.\n@\n@\nAnother word.", "<tool_call>{\"name\": \"ping\", \"arguments\": {}}</tool_call>\n@\nAnother word.",
	"One word.\n@import os\nprint(1)", "One word.\n@bash ls -la", "@{\"a\": 1}", "One word.\n@[1, 2]\nAnother word.", "@\n\nAnother word.\n\nA third word.",
}

// Every byte of an answer is visible text, reasoning, a call, the raw text of an invalid one, or markup that a note names,
// whatever mark stands wherever it leads nowhere.
func TestEveryByteIsAccountedFor(t *testing.T) {
	for _, mark := range tableMarks {
		for _, around := range surroundings {
			accounted(t, strings.ReplaceAll(around, "@", mark))
		}
	}
}

// accounted checks one text, whole and in pieces.
func accounted(t *testing.T, text string) {
	t.Helper()
	items := scan(dialect.Options{Tools: tools}, text)
	if err := newAccount(text, items).check(); err != nil {
		t.Errorf("%q: %v: %q", text, err, joined(items))
	}
	samePieces(t, text, items)
}

// samePieces checks that a text gives the same findings in pieces.
func samePieces(t *testing.T, text string, items []dialect.Item) {
	t.Helper()
	want := joined(items)
	for _, size := range []int{1, 3, 4} {
		if d := cmp.Diff(want, joined(scan(dialect.Options{Tools: tools}, every(size, text)...))); d != "" {
			t.Errorf("%q in pieces of %d:\n%s", text, size, d)
		}
	}
}

// bodies are what stands between a mark @ and the mark & that closes it, where no call is.
var bodies = []string{
	"@bash ls&", "@&", "@\n&\nMore.", "One word.\n@ls -la&\nMore.", "@{\"a\": 1}&", "@[]&", "@{}&", "@<b>x</b>&", "Say @ls& there, one more.", "@ping& and more", "@note\n&",
	"@{\"name\": \"ping\", \"arguments\": {}} middle & behind", "@ before {\"name\": \"ping\", \"arguments\": {}}& behind", "@{\"name\": \"ping\", \"arguments\": {}}",
	"@<invoke name=\"note\">free text</invoke><invoke name=\"ping\"></invoke>& behind", "@<function=note>free text</function>&", "@{\"name\": \"note\", \"arguments\": {\"text\": &",
	"<think>Well @x& so.</think>Yes.", "@[ping(), note(text=5)]& behind",
}

// The same for marks with something between them.
func TestEveryByteOfABodyIsAccountedFor(t *testing.T) {
	for _, f := range dialect.Formats() {
		for _, m := range f.Marks {
			for _, body := range bodies {
				accounted(t, strings.NewReplacer("@", m.Open, "&", m.Close).Replace(body))
			}
		}
	}
}

// No word is lost or given twice when a mark stands inside a call of any format, after it, or before its end.
func TestEveryWordAmongCallsIsAccountedFor(t *testing.T) {
	for _, f := range dialect.Formats() {
		if !f.Renders() {
			continue
		}
		call := f.RenderCalls([]dialect.RenderedCall{{Name: "note", Arguments: []byte(`{"text": "a word"}`)}})
		for k, mark := range tableMarks {
			if !longtest.IsEnabled() && k%8 != 0 {
				continue
			}
			for i, at := range []int{len(call) / 3, strings.Index(call, "word"), len(call)} {
				text := call[:at] + mark + " once " + call[at:] + " last"
				items := scan(dialect.Options{Tools: tools}, text)
				checkWords(t, text, items)
				if (k+i)%23 == 0 {
					samePieces(t, text, items)
				}
			}
		}
	}
}

// checkWords checks that each word stands in one finding.
func checkWords(t *testing.T, text string, items []dialect.Item) {
	t.Helper()
	for _, word := range []string{"word", "once", "last"} {
		n := 0
		for _, it := range items {
			n += strings.Count(it.Text, word) + strings.Count(it.Note.Was, word)
			if it.Call != nil && !staysText(it) {
				n += strings.Count(it.Call.Raw, word)
			}
		}
		if n != strings.Count(text, word) {
			t.Errorf("%q: %q stands in %d findings: %q", text, word, n, joined(items))
		}
	}
}
