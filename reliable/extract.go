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

// ExtractOptions configure [Extract]. The zero value is ready for use.
type ExtractOptions struct {
	Policy callwright.Policy // "" is PolicyHeal
	Rules  map[string]bool   // enables or disables rules by exact ID, overriding the policy
	// declared tool names by the names that were sent to the model, see [Shaped]; nil if they are equal
	Names  map[string]string
	Choice callwright.Choice // tool choice of the request; calls that it does not allow are removed with a note

	Model   callwright.ModelID // model of the response; decides between ambiguous text formats
	Dialect string             // text format that the prompt described; decides between ambiguous text formats
	Marks   *dialect.Marks     // additional text formats of the caller, see [dialect.NewMarks]
	// texts that the model may quote, such as recent tool results; calls in such quotes are ignored
	Quoted []string
	// ReasoningPrimed reports that the prompt ended with the opening marker of the reasoning, so that the text begins
	// inside the reasoning.
	ReasoningPrimed bool

	Schemas *schema.Cache              // cache of compiled schemas; nil means no cache
	MintID  func(prefix string) string // returns the ID for a call that has none; nil means prefix and a time-ordered UUID
}

// An Extraction is the content of a response: visible text, reasoning, valid calls and invalid calls.
type Extraction struct {
	Content   string
	Reasoning string
	Calls     []callwright.Call
	Invalid   []callwright.InvalidCall
	Dialect   string // text format of the first call, "" if calls are native
	Notes     []callwright.Note
	Finish    callwright.Finish
	// NeedsMoreWork is the value of needs_more_work in an enveloped response, nil if there is none.
	NeedsMoreWork *bool
	// Ask reports that the response is not acceptable: a Client would send a self-correction request.
	Ask bool
}

// Extract finds and validates the calls of a response, native or written as text. The result does not depend on how
// the text is split into events. Errors are *Error and concern the tools, never the response.
func Extract(events []callwright.Event, tools []callwright.Tool, o ExtractOptions) (*Extraction, error) {
	x, err := NewExtractor(tools, o)
	if err != nil {
		return nil, err
	}
	return x.Extract(events), nil
}

// An Extractor extracts the calls of many responses to the same tools. It is safe for concurrent use.
type Extractor struct {
	tools *judge.Toolset
	o     ExtractOptions
}

// NewExtractor returns an Extractor for the tools, whose schemas it compiles. Errors are *Error.
func NewExtractor(tools []callwright.Tool, o ExtractOptions) (*Extractor, error) {
	s, err := judge.NewToolset(tools, schemasOr(o.Schemas))
	if err != nil {
		return nil, asError(err)
	}
	s.Search = nil // the caller handles calls of the search tool
	o.MintID = mintOr(o.MintID)
	return &Extractor{tools: s.WithNaming(judge.NewNaming(o.Names)), o: o}, nil
}

// Extract finds and validates the calls of one response.
func (x *Extractor) Extract(events []callwright.Event) *Extraction {
	return x.ExtractBatches([]callwright.Batch{{Events: slices.Clone(events), More: true}})
}

// ExtractBatches works like Extract for a response in batches. It processes each batch without knowledge of later
// batches.
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

// said has the parts of a response other than its calls.
type said struct {
	text, reasoning strings.Builder
	finish          callwright.Finish
}

// add appends the text, reasoning and finish reason of a batch. It returns true, so that reading continues.
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

// setup returns the reader settings for a complete response.
func (x *Extractor) setup(s *said, l *judge.Ledger) inbound.Setup {
	o := &x.o
	return inbound.Setup{
		Toolset: x.tools, Ledger: l, Mint: o.MintID, Model: o.Model, Mode: caps.Native, Choice: o.Choice,
		Passthrough: judge.ChangesNothing(l.Policy), HoldCalls: true, TextOff: len(x.tools.ByName) == 0 && !o.ReasoningPrimed,
		Out: s.add, Attempt: extraction{x, l},
	}
}

// An extraction is the extraction of one response. It implements inbound.Attempt.
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

// IDTaken returns false, because the conversation is unknown.
func (extraction) IDTaken(string) bool { return false }

// IsStopped returns false, because the response is complete.
func (extraction) IsStopped() bool { return false }
