// Package opening tells whether the text of an answer begins in reasoning that the template of the prompt has opened.
//
// Servers whose parser of reasoning is off hand on such a text as it is: it has the end of the reasoning, and not its
// beginning. The fact reasoning_start says whether a model's answers are so. One that somebody has set, probed or
// learned is relied on. One that is only shipped or discovered does not say whether the server parses the reasoning,
// nor whether the template opens it for each request: the text is held until its end of the reasoning, or the end of
// the answer, has told it.
package opening

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/quoted"
)

// Key is the key of the fact.
const Key = "reasoning_start"

// The values of the fact: answers begin in reasoning, they do not, or some do and some do not.
const (
	Primed = "primed"
	Marked = "marked"
	Mixed  = "mixed"
)

// A Start says how the text of an answer begins.
type Start uint8

// The starts.
const (
	AsText      Start = iota // as visible text
	Unsure                   // perhaps in reasoning
	InReasoning              // in reasoning
)

// PredictStart returns how the text of the answer to a request begins, by the known facts of the model.
func PredictStart(c *caps.Caps, req *callwright.Request) Start {
	source := c.Sources[Key]
	apart := c.Reasoning != "" && source <= caps.Shipped // the provider is known to send reasoning apart
	switch {
	case c.ReasoningStart == "" || c.ReasoningStart == Marked || apart || IsOff(req):
		return AsText
	case c.ReasoningStart == Primed && source > caps.Discovered:
		return InReasoning
	}
	return Unsure
}

// switches are the members, besides those of an API, by which requests switch the reasoning off in the template of the
// prompt, of servers that have one.
var switches = []string{"enable_thinking", "thinking"}

// IsOff reports whether a request switches reasoning off.
func IsOff(req *callwright.Request) bool {
	if p := &req.Params.Thinking; p.Off || p.Effort == "none" {
		return true
	}
	body := companion.Of(req).Bytes()
	in, ok := jsonx.Find(body, "chat_template_kwargs")
	if !ok {
		in = body
	}
	for _, name := range switches {
		if v, _ := jsonx.Find(in, name); string(v) == "false" {
			return true
		}
	}
	return false
}

// Quotes reports whether a client's messages hold a mark that ends reasoning: an answer may repeat it.
func Quotes(req *callwright.Request) bool {
	for role, text := range quoted.Texts(req) {
		if _, n := firstEnd(text); n > 0 && role != callwright.RoleAssistant {
			return true
		}
	}
	return false
}

// DeriveLesson returns the lesson of an answer: whether it began in reasoning that the prompt had opened. known holds
// the known facts of the model. "" is no new lesson.
func DeriveLesson(began caps.Truth, known *caps.Caps) (value string) {
	source := known.Sources[Key]
	switch was := known.ReasoningStart; {
	case source > caps.Learned, began == caps.Unknown, was == Mixed:
		return ""
	case began == caps.Yes && was == Marked, began == caps.No && was == Primed && source == caps.Learned:
		return Mixed
	case began == caps.Yes:
		return Primed
	case was == Primed:
		return Marked
	}
	return ""
}

// words are in every mark that ends reasoning.
var words = []string{"think", "THINK", "thought", "reasoning", "inner_", "end_message", "channel|>"}

// OfWhole returns how a whole text begins of which nothing is known: in reasoning, where it has the end of one that
// nothing opened, and says more after it.
func OfWhole(text string, options func() dialect.Options) Start {
	if !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) }) {
		return AsText
	}
	ended := false
	for _, it := range dialect.ScanAll(options(), text) {
		switch {
		case it.Kind == dialect.Noted:
			ended = ended || it.Note.Rule == dialect.Unopened
		case ended && (it.Kind != dialect.Text || strings.TrimSpace(it.Text) != ""):
			return InReasoning
		}
	}
	return AsText
}

// Thoughts are the reasoning that was split off a text.
type Thoughts struct {
	strings.Builder
	Primed caps.Truth // the text began in reasoning that the prompt had opened; Unknown where it does not tell
}

// A Hold keeps the pieces of a text until it is known whether they begin in reasoning.
type Hold struct {
	Pieces []Piece

	scan  *dialect.Scanner
	items []dialect.Item
	calls bool
}

// A Piece is a piece of text, and the slot in which it waits.
type Piece struct {
	Slot int
	Text string
}

// Add keeps the next piece. It returns Unsure while nobody knows: a mark that ends reasoning without a beginning says
// that the text began in reasoning, one that begins it that it did not. options say how the text is searched.
func (h *Hold) Add(slot int, text string, options func() dialect.Options) Start {
	if h.scan == nil {
		h.scan = dialect.NewScanner(options())
	}
	h.Pieces = append(h.Pieces, Piece{slot, text})
	h.items = h.scan.Feed(text, h.items[:0])
	return h.read()
}

// read examines the items of the scanner.
func (h *Hold) read() Start {
	for _, it := range h.items {
		switch it.Kind {
		case dialect.CallFound, dialect.CallRejected:
			h.calls = true
		case dialect.Reasoning:
			return AsText
		case dialect.Noted:
			if it.Note.Rule == dialect.Unopened {
				return InReasoning
			}
		}
	}
	return Unsure
}

// End returns how the text began, now that it has ended: cut says that it was broken off. Where that is so reasoning
// may have had no time to end. Calls follow the reasoning: a text with one began after it.
func (h *Hold) End(cut bool) Start {
	if h.scan == nil {
		return AsText
	}
	h.items = h.scan.Close(h.items[:0])
	if start := h.read(); start != Unsure {
		return start
	}
	if cut && !h.calls {
		return InReasoning
	}
	return AsText
}

// IsBlank reports whether nothing but white space is kept.
func (h *Hold) IsBlank() bool {
	for _, p := range h.Pieces {
		if strings.TrimSpace(p.Text) != "" {
			return false
		}
	}
	return true
}
