// Package label recognizes labels: lines and line endings that only announce a call, such as "Tool Call:". They are
// removed together with the call.
package label

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	tri "github.com/callwright/callwright/dialect/internal/tristate"
)

// labels are texts that precede a call, on its line or the line above.
var labels = []string{
	"**Tool Call:**", "**Tool Calls:**", "**Tool call:**", "Tool Call:", "Tool call:", "**Function Call:**", "Function Call:",
	"Function call:", "tool_call:", "Action:",
	Word, "-> tool/function_call", "[Calling tool:", "[Tool call:", "[Calling:", "[Called:", "[used:", "call:",
}

// Word is a label that directly precedes a list of calls and may follow other words.
const Word = "functools"

// A Layout is a two-part notation of a call: the text Name precedes the tool name at the beginning of a line, and the
// text Input precedes the JSON arguments, on the next line or at the end of the same line. If Input is "", the
// arguments follow the name.
type Layout struct{ Name, Input, Format string }

// layouts are the layouts without a format, in any case. Their arguments are on the next line.
var layouts = []Layout{
	{"Action:", "Action Input:", ""}, {"Action:", "Input:", ""}, {"Tool_Name:", "Arguments:", ""}, {"Tool:", "Arguments:", ""},
	{"Tool:", "Input:", ""},
	{"Tool Name:", "Arguments:", ""}, {"Function:", "Arguments:", ""}, {bracketed, "Arguments:", ""},
}

// bracketed begins a line with the name and ID in brackets: [Tool call: name (ID: call_1)].
const bracketed = "[Tool call:"

// recipients are the remains of message headers that lost their tokens.
var recipients = []string{"-> tool/", "to=functions.", "commentary to=functions.", "assistantcommentary to=functions.",
	"assistant to=functions.", "analysis to=functions."}

// The parts of an incomplete harmony header that directly follows text: junk, roles and channels, and the recipient.
const (
	gluedTo = " to=functions."
	junk    = "+#"
)

var gluedWords = []string{"assistant", "commentary", "analysis"}

// strays are words that remain of a token and are alone on a line before leaked markup.
var strays = []string{"court", "count", "call"}

// Function is the word before the name in a call that lost its tokens.
const Function = "function "

// tagHeads are texts before the name in a tag that lost its opening bracket.
var tagHeads = [...]string{"function=", `invoke name="`, `function name="`}

// CutTagHead removes the beginning of a tag without its bracket, such as "function=", from the end of text.
func CutTagHead(text string) string {
	for _, h := range tagHeads {
		if rest, ok := strings.CutSuffix(text, h); ok {
			return rest
		}
	}
	return text
}

// The parts of a call in brackets: [Calling tool: name with arguments: {..}].
const (
	callingTool   = "[Calling tool: "
	withArguments = " with arguments:"
)

// addressed begins a line with the tool name and call ID: @name(call_1): {..}.
const addressed = "@"

// MaxGap is the maximum size of the text between a recipient and the arguments in bytes.
const MaxGap = 64

// Is reports whether line is a label.
func Is(line string) bool { return slices.Contains(labels, line) }

// EndsWith reports whether a label ends with c.
func EndsWith(c byte) bool { return ends[c] }

// IsStray reports whether line is a word that remains of a token.
func IsStray(line string) bool { return slices.Contains(strays, line) }

// MayBegin reports whether line has the first byte of a line that announces a call. own are the caller's layouts.
func MayBegin(line string, own []Layout) bool {
	return line == "" || begins[line[0]] ||
		slices.ContainsFunc(own, func(l Layout) bool { return l.Name[0] == line[0] || l.Input != "" && l.Input[0] == line[0] })
}

// Begins reports whether line is or may become a line that announces a call. own are the caller's layouts.
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

// BeginsInput reports whether line may become the Input line of a layout. above is the line with the tool name.
func BeginsInput(above, line string, own []Layout) bool {
	begins := func(l Layout) bool {
		return l.Input != "" && hasPrefix(l.Input, line) && nameIn(above, l.Name) != ""
	}
	return slices.ContainsFunc(own, begins) || slices.ContainsFunc(layouts, begins)
}

// GivesInput reports whether text begins with the Input line of a layout. above is the line with the tool name.
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

// Tool returns the tool that line, or the line above, names, if the arguments follow. format is that of the caller's
// layout, if any. tool is "" if none is named.
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

// nameIn returns the name in a line such as "Action: name", where label is "Action:".
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

// hasPrefix is a case-insensitive strings.HasPrefix.
func hasPrefix(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// Recipient returns the tool in an incomplete message header, "" if there is none. isHarmony reports that it is a
// harmony header.
func Recipient(line string) (tool string, isHarmony bool) {
	for _, r := range recipients {
		if rest, ok := strings.CutPrefix(line, r); ok {
			return recipientIn(rest), strings.HasSuffix(r, "to=functions.")
		}
	}
	return "", false
}

// MayBeRecipient reports whether text can be the beginning of a Harmony recipient, such as "t" or "to=functions.get".
func MayBeRecipient(text string) bool {
	rest, ok := strings.CutPrefix(text, "to=")
	return ok && !strings.ContainsAny(rest, "={}()\"'") || text != "" && strings.HasPrefix("to=", text)
}

// Marker returns the name in a complete or incomplete special token <|name|>. ok is false if text is not one.
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

// recipientIn returns the name at the beginning of text, "" if text is too long or has newlines or tokens.
func recipientIn(text string) string {
	end := chars.WordEnd(text, 0)
	if len(text)-end > MaxGap || strings.ContainsAny(text, "\n<") {
		return ""
	}
	return text[:end]
}

// FindGluedHeader finds a message header without tokens that ends text and directly follows other text. It returns its
// start and the tool, "" if the header may be incomplete. before is the byte before text. ok is false if there is
// none.
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

// runBefore returns the start of the bytes that may be junk, roles and channels. They precede the recipient, or end
// text if the recipient is missing or incomplete.
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

// runStart returns the start of the lower-case letters and junk bytes that end at i.
func runStart(text string, i int) int {
	for i > 0 && (chars.IsLower(text[i-1]) || text[i-1] == junk[0] || text[i-1] == junk[1]) {
		i--
	}
	return i
}

// header parses junk, roles or channels, and the recipient tool. tool is "" if the header may be incomplete. ok is
// false if text is no header.
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

// isGlue has the bytes that end a word or sentence and are normally followed by a space.
var isGlue = func() (is [256]bool) {
	for c := range is {
		is[c] = c == '.' || c == ':' || c > ' ' && !chars.IsNameByte(byte(c))
	}
	return is
}()

// begins has the first bytes of texts that announce a call.
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

// ends has the last bytes of labels.
var ends = func() (ends [256]bool) {
	for _, l := range labels {
		ends[l[len(l)-1]] = true
	}
	return ends
}()
