// Package opening determines whether the text of a response begins inside reasoning that the prompt template opened.
//
// Servers without a reasoning parser return such text unchanged: it has the closing marker of the reasoning but not
// the opening marker. The fact reasoning_start describes this. A configured, probed or learned fact is certain. A
// shipped or discovered fact does not say whether the server parses reasoning, or whether the template opens it for
// every request. Text is then buffered until a marker or the end of the response shows how it began.
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

// Key is the key of the fact about the start of the model's text, see PredictStart.
const Key = "reasoning_start"

// The values of the fact: the text begins inside reasoning, it does not, or both occur.
const (
	Primed = "primed"
	Marked = "marked"
	Mixed  = "mixed"
)

// A Start describes how the text of a response begins.
type Start uint8

// Values of Start.
const (
	AsText      Start = iota // with visible text
	Unsure                   // unknown
	InReasoning              // inside reasoning
)

// PredictStart returns how the text of the response to req is expected to begin, from the model's facts.
func PredictStart(c *caps.Caps, req *callwright.Request) Start {
	source := c.Sources[Key]
	apart := c.Reasoning != "" && source <= caps.Shipped // the provider sends reasoning separately
	switch {
	case c.ReasoningStart == "" || c.ReasoningStart == Marked || apart || IsOff(req):
		return AsText
	case c.ReasoningStart == Primed && source > caps.Discovered:
		return InReasoning
	}
	return Unsure
}

// switches are the request members that disable reasoning in prompt templates, besides those of the APIs.
var switches = []string{"enable_thinking", "thinking"}

// IsOff reports whether the request disables reasoning.
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

// Quotes reports whether a message other than the model's contains a closing marker of reasoning, which the response
// may repeat.
func Quotes(req *callwright.Request) bool {
	for role, text := range quoted.Texts(req) {
		if _, n := firstEnd(text); n > 0 && role != callwright.RoleAssistant {
			return true
		}
	}
	return false
}

// DeriveLesson returns the new value of the fact after a response. began reports whether its text began inside
// reasoning. known has the known facts. "" means no new value.
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

// words has a part of every closing marker of reasoning.
var words = []string{"think", "THINK", "thought", "reasoning", "inner_", "end_message", "channel|>"}

// OfWhole returns how a complete text begins: inside reasoning if it has a closing marker without an opening marker
// and more text follows.
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

// Thoughts is reasoning that was separated from text.
type Thoughts struct {
	strings.Builder
	Primed caps.Truth // whether the text began inside reasoning that the prompt opened
}

// A Hold buffers text until it is known whether the text begins inside reasoning.
type Hold struct {
	Pieces []Piece

	scan  *dialect.Scanner
	items []dialect.Item
	calls bool
}

// A Piece is buffered text and the slot of its event.
type Piece struct {
	Slot int
	Text string
}

// Add buffers text. It returns Unsure until a marker decides: a closing marker of reasoning without an opening marker
// means InReasoning, an opening marker means AsText. options returns the scanner options.
func (h *Hold) Add(slot int, text string, options func() dialect.Options) Start {
	if h.scan == nil {
		h.scan = dialect.NewScanner(options())
	}
	h.Pieces = append(h.Pieces, Piece{slot, text})
	h.items = h.scan.Feed(text, h.items[:0])
	return h.read()
}

// read returns the start of the text according to the scanner's items, Unsure if they do not determine it.
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

// End returns how the text began, at its end. cut reports that it was truncated, so that the reasoning may be
// incomplete. A text with a call did not begin inside reasoning.
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

// IsBlank reports whether only white space is buffered.
func (h *Hold) IsBlank() bool {
	for _, p := range h.Pieces {
		if strings.TrimSpace(p.Text) != "" {
			return false
		}
	}
	return true
}
