// Package label tells lines, and ends of lines, that announce a call and say nothing else. They leave the text with it.
package label

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	tri "github.com/callwright/callwright/dialect/internal/tristate"
)

// labels stand before a call, on its line or above it.
var labels = []string{
	"**Tool Call:**", "**Tool Calls:**", "**Tool call:**", "Tool Call:", "Tool call:", "**Function Call:**", "Function Call:",
	"Function call:", "tool_call:", "Action:",
	Word, "-> tool/function_call", "[Calling tool:", "[Tool call:", "[Calling:", "[Called:", "[used:", "call:",
}

// Word is the label that may end a line of other words: a list of calls is glued to it.
const Word = "functools"

// A Layout names the tool of a call behind a text with which a line begins, and gives its arguments, as JSON, after
// another text: on the next line, or at the end of the same one. Without Input they follow the name.
type Layout struct{ Name, Input, Format string }

// layouts are those of no format in particular, in any case. Their arguments stand on the next line.
var layouts = []Layout{
	{"Action:", "Action Input:", ""}, {"Action:", "Input:", ""}, {"Tool_Name:", "Arguments:", ""}, {"Tool:", "Arguments:", ""},
	{"Tool:", "Input:", ""},
	{"Tool Name:", "Arguments:", ""}, {"Function:", "Arguments:", ""}, {bracketed, "Arguments:", ""},
}

// bracketed begins the first line of a layout whose name, and an id after it, stand in brackets: [Tool call: name (ID:
// call_1)].
const bracketed = "[Tool call:"

// recipients are beginnings of lines that are left of a header whose tokens were lost.
var recipients = []string{"-> tool/", "to=functions.", "commentary to=functions.", "assistantcommentary to=functions.",
	"assistant to=functions.", "analysis to=functions."}

// The rest of a harmony header that stands before a text without a space: junk, speakers and channels, and the
// recipient.
const (
	gluedTo = " to=functions."
	junk    = "+#"
)

var gluedWords = []string{"assistant", "commentary", "analysis"}

// strays are words that stand alone on a line before leaked markup: the rest of the token that opens it.
var strays = []string{"court", "count", "call"}

// Function is the word before the name, and before a fence of arguments, when the tokens around them were lost.
const Function = "function "

// tagHeads are the texts before the name in a tag that lost its first bracket.
var tagHeads = [...]string{"function=", `invoke name="`, `function name="`}

// CutTagHead returns a text without the head of a tag that lost its first bracket, where the text ends in one.
func CutTagHead(text string) string {
	for _, h := range tagHeads {
		if rest, ok := strings.CutSuffix(text, h); ok {
			return rest
		}
	}
	return text
}

// A call in brackets: [Calling tool: name with arguments: {..}].
const (
	callingTool   = "[Calling tool: "
	withArguments = " with arguments:"
)

// addressed begins a line that names a tool, and the id of the call: @name(call_1): {..}.
const addressed = "@"

// MaxGap bounds the text between a recipient and the arguments.
const MaxGap = 64

// Is reports whether a line is a label.
func Is(line string) bool { return slices.Contains(labels, line) }

// EndsWith reports whether a label ends with c.
func EndsWith(c byte) bool { return ends[c] }

// IsStray reports whether a line is a word that is left of a token.
func IsStray(line string) bool { return slices.Contains(strays, line) }

// MayBegin reports whether a line that announces a call may begin as a line does, in layouts of a caller's own too.
func MayBegin(line string, own []Layout) bool {
	return line == "" || begins[line[0]] ||
		slices.ContainsFunc(own, func(l Layout) bool { return l.Name[0] == line[0] || l.Input != "" && l.Input[0] == line[0] })
}

// Begins reports whether a line may be, or may become, one that announces a call.
func Begins(line string, own []Layout) bool {
	if strings.HasPrefix(Function, line) || strings.HasPrefix(line, callingTool) || mayFrame(line) {
		return true
	}
	for _, h := range tagHeads {
		if strings.HasPrefix(h, line) || strings.HasPrefix(line, h) {
			return true
		}
	}
	names := func(l Layout) bool { return hasPrefix(line, l.Name) || hasPrefix(l.Name, line) }
	if slices.ContainsFunc(layouts, names) || slices.ContainsFunc(own, names) || strings.HasPrefix(line, addressed) {
		return true
	}
	for _, r := range recipients {
		if strings.HasPrefix(r, line) || strings.HasPrefix(line, r) {
			return true
		}
	}
	isWhole := func(l string) bool { return strings.HasPrefix(l, line) }
	return slices.ContainsFunc(labels, isWhole) || slices.ContainsFunc(strays, isWhole)
}

// BeginsInput reports whether a line may become the second one of a layout, below the one that names the tool.
func BeginsInput(above, line string, own []Layout) bool {
	begins := func(l Layout) bool {
		return l.Input != "" && hasPrefix(l.Input, line) && nameIn(above, l.Name) != ""
	}
	return slices.ContainsFunc(own, begins) || slices.ContainsFunc(layouts, begins)
}

// GivesInput reports whether the text below a line that names a tool begins with the second line of a layout.
func GivesInput(above, text string, ended bool) tri.State {
	line, _, whole := strings.Cut(text, "\n")
	if n := strings.IndexByte(line, ':'); n >= 0 {
		line, whole = line[:n+1], true
	}
	line = strings.TrimSpace(line)
	switch {
	case !whole && !ended && (line == "" || BeginsInput(above, line, nil)):
		return tri.Maybe
	case line == "":
		return tri.No
	}
	return tri.YesIf(BeginsInput(above, line, nil))
}

// Tool is the tool that is named in a line, or in the one above it, whose arguments follow, and the format of the
// caller's own layout that says so; the tool is empty when none is.
func Tool(above, line string, own []Layout) (tool, format string) {
	for _, l := range own {
		if rest, ok := strings.CutSuffix(line, l.Input); ok && above == "" {
			if name := nameIn(rest, l.Name); name != "" {
				return name, l.Format
			}
		}
	}
	for _, list := range [...][]Layout{own, layouts} {
		for _, l := range list {
			if name := nameIn(above, l.Name); name != "" && strings.EqualFold(line, l.Input) {
				return name, l.Format
			}
		}
	}
	if rest, ok := strings.CutPrefix(line, callingTool); ok {
		if name, ok := strings.CutSuffix(rest, withArguments); ok {
			return name, ""
		}
	}
	if rest, ok := strings.CutPrefix(line, addressed); ok && strings.HasSuffix(rest, "):") {
		name, _, _ := strings.Cut(rest, "(")
		return name, ""
	}
	return "", ""
}

// nameIn is the name in a line such as "Action: name".
func nameIn(line, label string) string {
	if !hasPrefix(line, label) {
		return ""
	}
	name := strings.TrimSpace(line[len(label):])
	if label == bracketed {
		inside, closed := strings.CutSuffix(name, "]")
		name, _, _ = strings.Cut(inside, " ")
		if !closed {
			return ""
		}
	}
	return name
}

// hasPrefix is strings.HasPrefix in any case.
func hasPrefix(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// Recipient is the tool to which a line is addressed, whose arguments follow, and whether a harmony header is left that
// says so; the tool is empty when there is none.
func Recipient(line string) (tool string, isHarmony bool) {
	for _, r := range recipients {
		if rest, ok := strings.CutPrefix(line, r); ok {
			return recipientIn(rest), strings.HasSuffix(r, "to=functions.")
		}
	}
	return "", false
}

// MayBeRecipient reports whether a text is the rest of a header whose first tokens the prompt had, to=name, or the
// beginning of one.
func MayBeRecipient(text string) bool {
	rest, ok := strings.CutPrefix(text, "to=")
	return ok && !strings.ContainsAny(rest, "={}()\"'") || text != "" && strings.HasPrefix("to=", text)
}

// Marker is the name in a special token, whole or not, that is of no format in particular.
func Marker(text string) (word string, ok bool) {
	if word, ok = strings.CutPrefix(text, "<|"); !ok {
		return "", false
	}
	word = strings.TrimSuffix(strings.TrimSuffix(word, ">"), "|")
	for _, c := range []byte(word) {
		if !chars.IsLower(c) && c != '_' && !chars.IsUpper(c) {
			return "", false
		}
	}
	return word, true
}

// recipientIn is the name at the beginning of a text that is one line, not much longer, and without tokens.
func recipientIn(text string) string {
	end := chars.WordEnd(text, 0)
	if len(text)-end > MaxGap || strings.ContainsAny(text, "\n<") {
		return ""
	}
	return text[:end]
}

// FindGluedHeader is where a header without its tokens begins that is glued to the text before it and ends a text, and
// the tool it is addressed to; the tool is empty when the text may yet end in such a header. before is the byte before
// the text. ok is false when there is none.
func FindGluedHeader(before byte, text string) (at int, tool string, ok bool) {
	at = runBefore(text)
	if at > 0 {
		before = text[at-1]
	}
	for ; at < len(text); at++ {
		c := text[at]
		if (c == 'a' || c == 'c') && isGlue[before] || (c == '+' || c == '#') && before != '+' && before != '#' {
			if tool, ok = header(text[at:]); ok {
				return at, tool, true
			}
		}
		before = c
	}
	return len(text), "", false
}

// runBefore is where the run of bytes begins that may be junk, speakers and channels before the recipient in a text, or
// before its end where the recipient is not yet whole. No header begins before that.
func runBefore(text string) int {
	if strings.IndexByte(text, '=') >= 0 {
		if at := strings.Index(text, " to="); at >= 0 {
			return runStart(text, at)
		}
	}
	at := runStart(text, len(text))
	if at > 0 && text[at-1] == gluedTo[0] && strings.HasPrefix(gluedTo, text[at-1:]) {
		at = runStart(text, at-1)
	}
	return at
}

// runStart is where the run of such bytes begins that ends at i.
func runStart(text string, i int) int {
	for i > 0 && (chars.IsLower(text[i-1]) || text[i-1] == junk[0] || text[i-1] == junk[1]) {
		i--
	}
	return i
}

// header reads junk, or the names of speakers and channels, or both, and the tool that they are addressed to. The tool
// is empty when the text may yet become such a header.
func header(text string) (tool string, ok bool) {
	rest := strings.TrimLeft(text, junk)
	if n := len(text) - len(rest); rest != "" && n > 0 && n <= len(junk) {
		return "", false
	}
	isWord := func(w string) bool { return strings.HasPrefix(rest, w) }
	for i := slices.IndexFunc(gluedWords, isWord); i >= 0; i = slices.IndexFunc(gluedWords, isWord) {
		rest = rest[len(gluedWords[i]):]
	}
	if to, found := strings.CutPrefix(rest, gluedTo); found {
		tool = recipientIn(to)
		return tool, tool != "" || to == ""
	}
	mayBecome := func(w string) bool { return strings.HasPrefix(w, rest) }
	return "", mayBecome(gluedTo) || slices.ContainsFunc(gluedWords, mayBecome)
}

// isGlue are bytes that end a word or a sentence, after which no word begins without a space.
var isGlue = func() (is [256]bool) {
	for c := range is {
		is[c] = c == '.' || c == ':' || c > ' ' && !chars.IsNameByte(byte(c))
	}
	return is
}()

// begins are the first bytes of texts that announce a call.
var begins = func() (begins [256]bool) {
	for _, l := range slices.Concat(labels, recipients, strays, []string{Function, callingTool, addressed}) {
		begins[l[0]] = true
	}
	for _, h := range tagHeads {
		begins[h[0]] = true
	}
	for c := byte('0'); c <= '9'; c++ {
		begins[c] = true
	}
	for _, l := range layouts {
		for _, text := range [...]string{l.Name, l.Input} {
			begins[text[0]], begins[text[0]|' '] = true, true
		}
	}
	return begins
}()

// ends are the last bytes of labels.
var ends = func() (ends [256]bool) {
	for _, l := range labels {
		ends[l[len(l)-1]] = true
	}
	return ends
}()
