package kit

import (
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// An Outliner is embedded in the visitors of the codecs that summarize a history. It collects a Summary of each message
// and checks the JSON types of members. After the first error it ignores further elements, while the walk continues.
type Outliner struct {
	Op      string               // operation for errors
	Outline []callwright.Summary // one for each message so far
	Spans   []Span               // byte range of each message
	Turn    callwright.Summary   // the current message
	Err     *callwright.Error    // the first error
	N       int                  // index of the current message, -1 for instructions outside the list of messages

	list    string                       // name of the member with the list of messages
	free    int                          // elements of Outline reserved for instructions outside the list
	Calls   []callwright.CallRef         // tool calls of all messages
	Results []string                     // call ids of the tool results of all messages
	mark    struct{ calls, results int } // lengths of Calls and Results before the current message
	parts   int                          // number of messages, parts, tool calls and tool results
	scratch []byte
	texts   strings.Builder // chunk of memory that short strings share, to save allocations
	kept    int             // bytes of all chunks
}

// perMessage is the estimated size of a message in bytes, by which NewOutliner allocates.
const perMessage = 1024

// fewMessages is the estimated number of messages up to which NewOutliner allocates no memory for calls. Such a body is
// probably the first request of an agent: many tools and no calls.
const fewMessages = 32

// NewOutliner returns an Outliner for body, whose messages are in the member list. The first free elements of the
// Outline stay zero, as a place for instructions outside the list. op is the operation for errors.
func NewOutliner(op, list string, body []byte, free int) Outliner {
	o := Outliner{Op: op, list: list, free: free}
	guess := 4 + len(body)/perMessage
	if guess > fewMessages {
		o.Calls, o.Results = make([]callwright.CallRef, 0, guess/4), make([]string, 0, guess/4)
	} else {
		guess = free + 4
	}
	o.Outline, o.Spans = make([]callwright.Summary, free, guess), make([]Span, free, guess)
	return o
}

// Path returns the JSON pointer to the current message, followed by below: "/messages/3/role" for "/role".
func (o *Outliner) Path(below string) string { return Pointer(o.list, o.N, below) }

// Fault records an error at the JSON pointer path, unless one was recorded before.
func (o *Outliner) Fault(path, message string) {
	if o.Err == nil {
		o.Err = Invalid(o.Op, path, message)
	}
}

// Fail records an error about a value of the wrong JSON type, unless an error was recorded before. want is the expected
// type in words, such as "a string".
func (o *Outliner) Fail(path, want string, got []byte) {
	if o.Err == nil {
		o.Err = Invalid(o.Op, path, "expected "+want+", got "+KindOf(got))
	}
}

// FailAt records an error about a value of the wrong JSON type, unless an error was recorded before. below is the JSON
// pointer to the value, relative to the current message.
func (o *Outliner) FailAt(below, want string, got []byte) {
	if o.Err == nil {
		o.Fail(o.Path(below), want, got)
	}
}

// Role sets the role of the current message from the JSON string v. It records an error for a name that roles does not
// have. names lists the valid names for the error message.
func (o *Outliner) Role(v []byte, roles Roles, names string) {
	name := jsonx.TextBytes(v)
	if o.Turn.Role = roles.Of(name); o.Turn.Role != "" || o.Err != nil {
		return
	}
	if name == nil {
		o.FailAt("/role", names, v)
	}
	o.Fault(o.Path("/role"), "expected "+names+", got "+strconv.Quote(callwright.Excerpt(string(name))))
}

// Roles lists the role names of an API, such as "model", with the callwright.Role of each.
type Roles []struct {
	Name string
	Role callwright.Role
}

// Of returns the callwright.Role for the role name of an API, "" for an unknown name.
func (r Roles) Of(name []byte) callwright.Role {
	for i := range r {
		if string(name) == r[i].Name {
			return r[i].Role
		}
	}
	return ""
}

// SkipElement counts a message, part, call or result. It reports whether the visitor must ignore this element, because
// of an earlier error or because it exceeds MaxParts. path returns the JSON pointer to the element for the error.
func (o *Outliner) SkipElement(path func() string) bool {
	if o.parts++; o.Err == nil && o.parts > MaxParts {
		o.Fault(path(), "expected at most "+strconv.Itoa(MaxParts)+" messages and parts in a request, got more")
	}
	return o.Err != nil
}

// Begin starts the summary of a new message.
func (o *Outliner) Begin() {
	o.Turn = callwright.Summary{}
	o.mark.calls, o.mark.results = len(o.Calls), len(o.Results)
}

// TurnCalls returns the tool calls of the current message, nil if there are none.
func (o *Outliner) TurnCalls() []callwright.CallRef { return tail(o.Calls, o.mark.calls) }

// TurnResults returns the call ids of the tool results of the current message, nil if there are none.
func (o *Outliner) TurnResults() []string { return tail(o.Results, o.mark.results) }

func tail[T any](list []T, from int) []T {
	if from == len(list) {
		return nil
	}
	return slices.Clip(list[from:])
}

// DropCalls removes the tool calls of the current message from the summary.
func (o *Outliner) DropCalls() { o.Calls = o.Calls[:o.mark.calls] }

// DropResults removes the tool results of the current message from the summary.
func (o *Outliner) DropResults() { o.Results = o.Results[:o.mark.results] }

// End appends the summary of the current message to Outline, and its byte range to Spans.
func (o *Outliner) End(at Span) {
	o.Turn.Calls, o.Turn.Results = o.TurnCalls(), o.TurnResults()
	o.Outline, o.Spans = append(o.Outline, o.Turn), append(o.Spans, at)
}

// Text sets Turn.Text, or Turn.Blank if the text is blank, for a text v of the current message. It ignores a value that
// is not a JSON string.
func (o *Outliner) Text(v []byte) {
	switch {
	case !jsonx.IsText(v):
	case jsonx.IsBlank(v):
		o.Turn.Blank = true
	default:
		o.Turn.Text = true
	}
}

// textChunk is the size in bytes of a chunk of memory that short strings share.
const textChunk = 2 << 10

// Keep returns a copy of the JSON string v, unescaped. Short strings share chunks of memory.
func (o *Outliner) Keep(v []byte) string {
	p := jsonx.TextBytes(v)
	if len(p) > textChunk/4 {
		o.kept += len(p)
		return string(p)
	}
	if o.texts.Cap()-o.texts.Len() < len(p) {
		o.texts = strings.Builder{}
		o.texts.Grow(textChunk)
		o.kept += textChunk
	}
	start := o.texts.Len()
	o.texts.Write(p)
	return o.texts.String()[start:]
}

// IsSound reports whether v, the arguments of a tool call, is a JSON object, or a string that contains one.
func (o *Outliner) IsSound(v []byte) bool {
	if !jsonx.IsText(v) {
		return jsonx.IsObject(v)
	}
	o.scratch = jsonx.Unquote(o.scratch[:0], v)
	return jsonx.KindOf(o.scratch) == jsonx.Object && jsonx.Valid(o.scratch) == nil
}

// IsTextOrNull reports whether v is a string, null, or absent.
func IsTextOrNull(v []byte) bool { return jsonx.IsText(v) || jsonx.IsNull(v) }
