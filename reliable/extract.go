package reliable

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/reliable/internal/inbound"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/schema"
)

// ExtractOptions change how [Extract] works. The zero value is ready for use.
type ExtractOptions struct {
	Policy callwright.Policy // "" is PolicyHeal
	Rules  map[string]bool   // rules switched by their exact ids, whatever the policy says
	Names  map[string]string // tool names as the model was sent them to the declared ones, see [Shaped]; nil where they are the same
	Choice callwright.Choice // which calls the request allowed: others are left out, with a note

	Model   callwright.ModelID // the model that wrote the answer; it settles ties between dialects
	Dialect string             // the dialect that the prompt asked for; it settles ties too
	Marks   *dialect.Marks     // textual formats of the caller's own beside the known ones, see [dialect.NewMarks]
	Quoted  []string           // texts that the model may only be quoting, such as recent tool results
	// ReasoningPrimed says that the prompt had already opened the reasoning block.
	ReasoningPrimed bool

	Schemas *schema.Cache              // compiled schemas; nil: the schemas are compiled anew
	MintID  func(prefix string) string // makes ids of calls that have none; nil: a time-ordered UUID after the prefix
}

// An Extraction is the content of an answer: visible text, reasoning, the calls that may be run and those that may not.
type Extraction struct {
	Content   string
	Reasoning string
	Calls     []callwright.Call
	Invalid   []callwright.InvalidCall
	Dialect   string // the format in which the first call was written, "" for native ones
	Notes     []callwright.Note
	Finish    callwright.Finish
	// NeedsMoreWork is the value of needs_more_work in an enveloped answer, nil where the answer has none.
	NeedsMoreWork *bool
	// Ask says that the answer is not accepted: a Client would ask for a self-correction.
	Ask bool
}

// Extract finds and validates the calls of an answer, in any form. The result does not depend on the places where the
// text is split. Errors are *Error and concern the tools, never the answer.
func Extract(events []callwright.Event, tools []callwright.Tool, o ExtractOptions) (*Extraction, error) {
	x, err := NewExtractor(tools, o)
	if err != nil {
		return nil, err
	}
	return x.Extract(events), nil
}

// An Extractor is Extract for many answers to the same tools. It is safe for concurrent use.
type Extractor struct {
	tools *judge.Toolset
	o     ExtractOptions
}

// NewExtractor compiles the tools once. Errors are *Error.
func NewExtractor(tools []callwright.Tool, o ExtractOptions) (*Extractor, error) {
	s, err := judge.NewToolset(tools, schemasOr(o.Schemas))
	if err != nil {
		return nil, asError(err)
	}
	s.Search = nil // its calls are the caller's to answer
	o.MintID = mintOr(o.MintID)
	return &Extractor{tools: s.WithNaming(judge.NewNaming(o.Names)), o: o}, nil
}

// Extract finds and validates the calls of one answer.
func (x *Extractor) Extract(events []callwright.Event) *Extraction {
	return x.ExtractBatches([]callwright.Batch{{Events: slices.Clone(events), More: true}})
}

// ExtractBatches is Extract for an answer in batches. It reads each batch without knowledge of the next.
func (x *Extractor) ExtractBatches(batches []callwright.Batch) *Extraction {
	var rest said
	l := judge.NewLedger(x.o.Policy, x.o.Rules)
	a := inbound.New(x.setup(&rest, l))
	a.Preview(batches)
	for _, b := range batches {
		a.Take(b)
	}
	if a.Outcome.End == nil {
		a.Take(callwright.Batch{Events: []callwright.Event{callwright.End{Finish: callwright.FinishStop}}, More: true})
	}
	a.Finalize()
	a.ReleaseEnd()
	return &Extraction{
		Content: rest.text.String(), Reasoning: rest.reasoning.String(), Calls: a.Outcome.Good, Invalid: a.Outcome.Invalid,
		Notes:   a.Setup.Ledger.Notes,
		Dialect: a.Outcome.Dialect, Finish: rest.finish, NeedsMoreWork: a.Outcome.MoreWork, Ask: a.Outcome.Correctable() ||
			a.Outcome.ScratchpadOnly,
	}
}

// said holds the parts of an answer beside its calls.
type said struct {
	text, reasoning strings.Builder
	finish          callwright.Finish
}

// add takes the next events of the answer.
func (s *said) add(b callwright.Batch) bool {
	for _, ev := range b.Events {
		switch ev := ev.(type) {
		case callwright.TextDelta:
			s.text.WriteString(ev.Text)
		case callwright.ReasoningDelta:
			s.reasoning.WriteString(ev.Text)
		case callwright.End:
			s.finish = ev.Finish
		}
	}
	return true
}

// setup returns the Setup for an answer that is read whole.
func (x *Extractor) setup(s *said, l *judge.Ledger) inbound.Setup {
	o := &x.o
	return inbound.Setup{
		Toolset: x.tools, Ledger: l, Mint: o.MintID, Model: o.Model, Mode: caps.Native, Choice: o.Choice,
		Passthrough: judge.ChangesNothing(l.Policy), HoldCalls: true, TextOff: len(x.tools.ByName) == 0 && !o.ReasoningPrimed,
		Out: s.add, Attempt: extraction{x, l},
	}
}

// An extraction reads one answer. It implements inbound.Attempt.
type extraction struct {
	*Extractor
	ledger *judge.Ledger
}

func (x extraction) ScanOptions() dialect.Options {
	o := &x.o
	d := inbound.ScanOptions(x.tools, nil, x.ledger, o.Model)
	d.Hint, d.Marks, d.Quoted, d.ReasoningPrimed = o.Dialect, o.Marks, o.Quoted, o.ReasoningPrimed
	return d
}

// IDTaken reports false: the conversation before the answer is unknown.
func (extraction) IDTaken(string) bool { return false }

// IsStopped reports false: the answer is there.
func (extraction) IsStopped() bool { return false }
