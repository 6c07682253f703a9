package kit

import (
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// An Outliner is the common part of the visitors that read the shape of a history and check the types of its members.
// After the first error further elements are ignored, and the walk continues.
type Outliner struct {
	Op      string
	Outline []callwright.Summary
	Spans   []Span // of the messages
	Turn    callwright.Summary
	Err     *callwright.Error
	N       int // the message at hand, -1 for instructions that stand apart

	list    string               // the member with the messages
	free    int                  // turns that are kept free at the beginning
	Calls   []callwright.CallRef // those of all turns, in one piece
	Results []string
	mark    struct{ calls, results int } // where those of the turn begin
	parts   int                          // messages, their parts, calls and results
	scratch []byte
	texts   strings.Builder // grows by chunks: many short strings, few allocations
	kept    int             // bytes of all chunks
}

// perMessage is how many bytes of a request a message takes, as a guess.
const perMessage = 1024

// fewMessages is the guess up to which a body is taken for the first of an agent: tools for the most part, and no
// calls.
const fewMessages = 32

// NewOutliner makes an Outliner for a body with messages in the member list. The first turns are kept free.
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

// Path is the place of the message at hand, or below it.
func (o *Outliner) Path(below string) string { return Pointer(o.list, o.N, below) }

// Fault keeps the first error.
func (o *Outliner) Fault(path, message string) {
	if o.Err == nil {
		o.Err = Invalid(o.Op, path, message)
	}
}

// Fail keeps the first error, about a value of another kind than was expected.
func (o *Outliner) Fail(path, want string, got []byte) {
	if o.Err == nil {
		o.Err = Invalid(o.Op, path, "expected "+want+", got "+KindOf(got))
	}
}

// FailAt is Fail for a value below the message at hand.
func (o *Outliner) FailAt(below, want string, got []byte) {
	if o.Err == nil {
		o.Fail(o.Path(below), want, got)
	}
}

// Role reads the role of the turn. names is for the error.
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

// Roles are the roles that messages of an API have, by their names.
type Roles []struct {
	Name string
	Role callwright.Role
}

// Of is the role of a name, "" for a name of none.
func (r Roles) Of(name []byte) callwright.Role {
	for i := range r {
		if string(name) == r[i].Name {
			return r[i].Role
		}
	}
	return ""
}

// IsPast reports whether a further element is of no interest: something was wrong before, or it is one too many.
func (o *Outliner) IsPast(path func() string) bool {
	if o.parts++; o.Err == nil && o.parts > MaxParts {
		o.Fault(path(), "expected at most "+strconv.Itoa(MaxParts)+" messages and parts in a request, got more")
	}
	return o.Err != nil
}

// Begin begins a turn.
func (o *Outliner) Begin() {
	o.Turn = callwright.Summary{}
	o.mark.calls, o.mark.results = len(o.Calls), len(o.Results)
}

// TurnCalls are the calls of the turn, nil without any.
func (o *Outliner) TurnCalls() []callwright.CallRef { return tail(o.Calls, o.mark.calls) }

// TurnResults are the results of the turn, nil without any.
func (o *Outliner) TurnResults() []string { return tail(o.Results, o.mark.results) }

func tail[T any](list []T, from int) []T {
	if from == len(list) {
		return nil
	}
	return slices.Clip(list[from:])
}

// DropCalls drops the calls of the turn.
func (o *Outliner) DropCalls() { o.Calls = o.Calls[:o.mark.calls] }

// DropResults drops the results of the turn.
func (o *Outliner) DropResults() { o.Results = o.Results[:o.mark.results] }

// End adds the turn, which stands at a place.
func (o *Outliner) End(at Span) {
	o.Turn.Calls, o.Turn.Results = o.TurnCalls(), o.TurnResults()
	o.Outline, o.Spans = append(o.Outline, o.Turn), append(o.Spans, at)
}

// Text enters a text into the turn.
func (o *Outliner) Text(v []byte) {
	switch {
	case !jsonx.IsText(v):
	case jsonx.IsBlank(v):
		o.Turn.Blank = true
	default:
		o.Turn.Text = true
	}
}

// textChunk is how many bytes of short texts have one piece of memory.
const textChunk = 2 << 10

// Keep copies a short text into memory that many share.
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

// IsSound reports whether arguments are one JSON object, as text or as it is.
func (o *Outliner) IsSound(v []byte) bool {
	if !jsonx.IsText(v) {
		return jsonx.IsObject(v)
	}
	o.scratch = jsonx.Unquote(o.scratch[:0], v)
	return jsonx.KindOf(o.scratch) == jsonx.Object && jsonx.Valid(o.scratch) == nil
}

// IsTextOrNull reports whether a value is a text, null, or missing.
func IsTextOrNull(v []byte) bool { return jsonx.IsText(v) || jsonx.IsNull(v) }
