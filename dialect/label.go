package dialect

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// labels are lines, or beginnings of lines, that announce a call and say nothing else. They leave the text with it.
var labels = []string{
	"**Tool Call:**", "**Tool Calls:**", "**Tool call:**", "Tool Call:", "Tool call:", "**Function Call:**", "Function Call:", "Function call:", "tool_call:",
	"functools", "-> tool/function_call", "[Calling tool:", "[Tool call:", "[Calling:", "[Called:", "[used:",
}

// An actionLayout names the tool on one line and gives its arguments, as JSON, on the next.
type actionLayout struct{ name, input string }

var layouts = []actionLayout{
	{"Action:", "Action Input:"}, {"TOOL_NAME:", "ARGUMENTS:"}, {"Tool:", "Arguments:"}, {"Tool:", "Input:"}, {"Tool Name:", "Arguments:"},
	{"Function:", "Arguments:"}, {"tool:", "arguments:"}, {"tool_name:", "arguments:"},
}

// recipients are beginnings of lines that are left of a harmony header whose tokens were lost.
var recipients = []string{"-> tool/", "to=functions.", "commentary to=functions.", "assistantcommentary to=functions.", "assistant to=functions.", "analysis to=functions."}

// function is what stands before the name, and before a fence of arguments, when the tokens around them were lost.
const functionWord = "function "

// A call in brackets: [Calling tool: name with arguments: {..}].
const (
	callingTool   = "[Calling tool: "
	withArguments = " with arguments:"
)

// calledWith is the name in a line that announces a call with its arguments.
func calledWith(line string) (name string, ok bool) {
	name, ok = strings.CutPrefix(line, callingTool)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(name, withArguments)
}

// functionAbove is the declared tool that is named on the line before i, and where that line begins.
func (b *buffer) functionAbove(i int, names *Names) (name string, at int) {
	at = b.lineStart(b.blank(i))
	if at < 0 {
		return "", i
	}
	name, ok := strings.CutPrefix(strings.TrimSpace(b.t[at:i]), functionWord)
	if !ok {
		return "", i
	}
	if _, declared := names.plain(name); !declared {
		return "", i
	}
	return name, at
}

// maxGap bounds what stands between a recipient and the arguments.
const maxGap = 64

// labelStart is where a label begins that ends at i and stands on a line of its own, or is not yet whole; else i.
func (s *Scanner) labelStart(i int, names *Names) int {
	if at := s.markerBefore(i); at < i {
		return at
	}
	at := s.lineStart(i)
	if at < 0 || at == i {
		return i
	}
	line := strings.TrimLeft(s.t[at:i], " ")
	if line != "" && !labelBegins[line[0]] {
		return i
	}
	if rest, ok := strings.CutPrefix(line, functionWord); ok && names.begins(rest) || strings.HasPrefix(functionWord, line) {
		return at
	}
	up := s.lineStart(s.blank(at))
	for _, l := range layouts {
		if strings.HasPrefix(l.input, line) && up >= 0 && named(s.t[up:at], l.name) != "" {
			return up
		}
		if strings.HasPrefix(line, l.name) || strings.HasPrefix(l.name, line) {
			return at
		}
	}
	if strings.HasPrefix(line, callingTool) {
		return at
	}
	for _, l := range labels {
		if strings.HasPrefix(l, line) {
			return at
		}
	}
	for _, r := range recipients {
		if strings.HasPrefix(r, line) || strings.HasPrefix(line, r) {
			return at
		}
	}
	return i
}

// labelBefore is where the whole label begins that ends at i and stands on a line of its own; i when there is none.
func (s *Scanner) labelBefore(i int) int {
	if i > s.from && s.t[i-1] == '>' {
		if at := s.markerBefore(i); strings.HasSuffix(s.t[at:i], "|>") {
			return at
		}
	}
	if i == s.from || !labelEnds[s.t[i-1]] {
		return i
	}
	if at := s.lineStart(i); at >= 0 {
		line := strings.TrimLeft(s.t[at:i], " ")
		for _, l := range labels {
			if line == l {
				return at
			}
		}
	}
	return i
}

// labelBegins are the first bytes of what announces a call.
var labelBegins = func() (begins [256]bool) {
	for _, l := range slices.Concat(labels, recipients, []string{functionWord, callingTool}) {
		begins[l[0]] = true
	}
	for _, l := range layouts {
		begins[l.name[0]], begins[l.input[0]] = true, true
	}
	return begins
}()

// labelEnds are the last bytes of labels.
var labelEnds = func() (ends [256]bool) {
	for _, l := range labels {
		ends[l[len(l)-1]] = true
	}
	return ends
}()

// named is the name in a line such as "Action: name".
func named(line, label string) string {
	name, ok := strings.CutPrefix(line, label)
	if !ok {
		return ""
	}
	return strings.TrimSpace(name)
}

// recipientStart is where the rest of a harmony header begins whose first tokens the prompt had: to=name at the very
// beginning of the answer, up to i; -1 when there is none.
func (b *buffer) recipientStart(i int) int {
	if b.base != 0 || b.from != 0 || i > chars.MaxName {
		return -1
	}
	at := i
	for at > b.from && b.t[at-1] != '\n' {
		at--
	}
	if at != 0 {
		return -1
	}
	head := strings.TrimLeft(b.t[at:i], " ")
	if strings.HasPrefix(head, "to=") && !strings.ContainsAny(head[3:], "={}()\"'") || head != "" && strings.HasPrefix("to=", head) {
		return at
	}
	return -1
}

// maxMarker bounds a marker of a format that nobody knows.
const maxMarker = 40

// markerBefore is where a marker begins that ends at i, whole or not: a special token of a format that nobody knows, such as
// <|calls|>. It is i when there is none.
func (s *Scanner) markerBefore(i int) int {
	if s.base+i-s.angle > maxMarker {
		return i
	}
	at := strings.LastIndexByte(s.t[max(s.from, i-maxMarker):i], '<')
	if at < 0 {
		return i
	}
	at += max(s.from, i-maxMarker)
	word, opened := strings.CutPrefix(s.t[at:i], "<|")
	if !opened {
		return i
	}
	word = strings.TrimSuffix(strings.TrimSuffix(word, ">"), "|")
	for _, c := range []byte(word) {
		if !chars.IsLower(c) && c != '_' && !chars.IsUpper(c) {
			return i
		}
	}
	if s.marks.isToken(word) {
		return i
	}
	return at
}
