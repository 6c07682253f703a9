package directive

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// A Client asks a model for turns. It has no effects: directives are data, and the app acts on them. It is safe for
// concurrent use.
type Client struct {
	model callwright.Model
	reg   *Registry
	o     options
	// worded says that the model puts forms of answers into words, without tools and with them, as a reliable client
	// does for a provider that has none. It holds such an answer until it has ended: asked in words from the beginning,
	// its text comes at once.
	worded [2]atomic.Bool
}

// New returns a client of a model, which should be a reliable client where tools are used. Invalid arguments are the
// error of each turn.
func New(m callwright.Model, reg *Registry, opts ...Option) *Client {
	c := &Client{model: m, reg: reg}
	for _, set := range opts {
		set(&c.o)
	}
	if c.o.now == nil {
		c.o.now = time.Now
	}
	if c.o.capsStore == nil {
		c.o.capsStore = caps.NewMemory(c.o.now)
	}
	return c
}

// Generate asks for one turn. The request may have tools; it must not ask for a form of the answer. Errors are those of
// the model, and *callwright.Error with KindInvalid for a request that cannot be asked.
func (c *Client) Generate(ctx context.Context, req *callwright.Request) (*Turn, error) {
	return c.turn(ctx, req, false, func(Event) bool { return true })
}

// Stream is Generate that gives the text as it comes, and each directive when it is complete and valid. The last event
// is EventTurn, or an error. Stopping the loop frees everything.
func (c *Client) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		stopped := false
		turn, err := c.turn(ctx, req, true, func(ev Event) bool {
			stopped = stopped || !yield(ev, nil)
			return !stopped
		})
		switch {
		case stopped:
		case err != nil:
			yield(Event{}, err)
		default:
			yield(Event{Kind: EventTurn, Turn: turn}, nil)
		}
	}
}

// turn asks the model by each candidate of the fallback chain until one is answered. give is false when nobody takes
// events any more.
func (c *Client) turn(ctx context.Context, req *callwright.Request, streamed bool, give func(Event) bool) (*Turn, error) {
	p, err := c.plan(ctx, req)
	if err != nil {
		return nil, err
	}
	for {
		mode := p.left[0]
		next, err := c.shape(req, mode)
		if err != nil {
			return nil, err
		}
		a := &attempt{reader: NewReader(c.reg, c.o.limits), give: give}
		err = a.ask(ctx, c.model, next, streamed)
		switch {
		case a.stopped:
			return nil, nil
		case err != nil && a.begun:
			return nil, err
		case err != nil && p.fallBack(ctx, err):
			continue
		case err != nil:
			return nil, err
		}
		p.saveLearnedFacts(ctx, a.resp)
		t := a.reader.Turn()
		t.Mode, t.Response, t.Calls = mode, a.resp, a.resp.Calls()
		t.Notes = slices.Concat(p.notes, t.Notes)
		if c.o.correct {
			c.correct(ctx, next, t, give)
		}
		return t, nil
	}
}

// shape is a request for the document.
func (c *Client) shape(req *callwright.Request, mode Mode) (*callwright.Request, error) {
	history, err := req.History()
	if err != nil {
		return nil, err
	}
	next := *req
	said := c.reg.full
	switch mode {
	case ModeSchema:
		said = c.reg.brief
		next.Params.Format = &callwright.AnswerFormat{Name: "answer", Schema: c.reg.document, Loose: true}
	case ModeObject:
		next.Params.Format = &callwright.AnswerFormat{Name: "answer", Loose: true}
	}
	next.Messages = addInstructions(history, said)
	return &next, nil
}

// addInstructions is a conversation with further instructions, after those that it begins with.
func addInstructions(history []callwright.Message, said string) []callwright.Message {
	first := callwright.Message{Role: callwright.RoleSystem}
	if len(history) > 0 && history[0].Role == callwright.RoleSystem {
		first, history = history[0], history[1:]
		said = "\n\n" + said
	}
	first.Parts = append(slices.Clip(first.Parts), callwright.Text{Text: said})
	return append([]callwright.Message{first}, history...)
}

// An attempt is one request to the model, and its answer on the way.
type attempt struct {
	reader  *Reader
	give    func(Event) bool
	resp    *callwright.Response
	begun   bool // events were given
	stopped bool // nobody takes events any more
}

// ask asks the model and reads its answer.
func (a *attempt) ask(ctx context.Context, m callwright.Model, req *callwright.Request, streamed bool) error {
	resp, err := (*callwright.Response)(nil), error(nil)
	if streamed {
		resp, err = a.stream(ctx, m, req)
	} else if resp, err = m.Generate(ctx, req); err == nil {
		err = a.read(resp)
	}
	if e, ok := errors.AsType[*callwright.Error](err); ok && !a.begun && e.Recovered != "" {
		resp, err = a.recover(e)
	}
	if err != nil || a.stopped {
		return err
	}
	a.resp = resp
	a.hand(a.reader.Close(resp.Finish))
	return nil
}

// read reads a whole answer.
func (a *attempt) read(resp *callwright.Response) error {
	if resp == nil {
		return callwright.Errorf("directive", callwright.KindBadAnswer, "", "the model gave neither an answer nor an error")
	}
	a.hand(a.reader.Feed(resp.Text()))
	return nil
}

// stream asks for a streamed answer.
func (a *attempt) stream(ctx context.Context, m callwright.Model, req *callwright.Request) (*callwright.Response, error) {
	var whole callwright.Collector
	ended := false
	for ev, err := range m.Stream(ctx, req) {
		if err != nil {
			return nil, err
		}
		whole.Add(ev)
		switch ev := ev.(type) {
		case callwright.TextDelta:
			if !a.hand(a.reader.Feed(ev.Text)) {
				return nil, nil
			}
		case callwright.End:
			ended = true
		}
	}
	if !ended {
		return nil, callwright.Errorf("directive", callwright.KindTruncated, "", "the answer has no end")
	}
	return whole.Response(), nil
}

// recover reads the text of the model that stands in a refusal, where there is a document in it.
func (a *attempt) recover(e *callwright.Error) (*callwright.Response, error) {
	fresh := NewReader(a.reader.reg, a.reader.limits)
	events := fresh.Feed(e.Recovered)
	if fresh.text.Documents() == 0 {
		return nil, e
	}
	fresh.note(callwright.Note{Rule: "recovered.text", Stage: callwright.StageNormalise, Was: e.Recovered, Why: e.Message}.Classify())
	a.reader = fresh
	a.hand(events)
	return &callwright.Response{Parts: []callwright.Part{callwright.Text{Text: e.Recovered}}, Finish: e.Finish}, nil
}

// hand gives events on, and reports whether more are wanted.
func (a *attempt) hand(events []Event) bool {
	for _, ev := range events {
		a.begun = true
		if !a.give(ev) {
			a.stopped = true
			return false
		}
	}
	return true
}
