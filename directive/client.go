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

// A Client requests turns from a model. A turn is text for the user and directives for the app. The Client does not
// execute directives. It is safe for concurrent use.
type Client struct {
	model callwright.Model
	reg   *Registry
	o     options
	// worded records, without tools [0] and with tools [1], that the model is a reliable client that describes response
	// formats in the prompt, because its provider has none. Such a client buffers the response. ModePrompt is then used
	// instead, so that text is streamed.
	worded [2]atomic.Bool
}

// New returns a Client for a model. The model should be a client of package reliable if requests have tools. An
// invalid argument makes every request fail with KindInvalid.
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

// Generate requests one turn. The request may have tools but must not set a response format. Errors are those of the
// model, or a *callwright.Error of KindInvalid for an invalid request.
func (c *Client) Generate(ctx context.Context, req *callwright.Request) (*Turn, error) {
	return c.turn(ctx, req, false, func(Event) bool { return true })
}

// Stream requests one turn and yields text as it arrives, and each directive when it is complete and valid. The last
// value is an event EventTurn or an error. Leaving the loop cancels the request.
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

// turn requests a turn in each mode of the fallback chain until one succeeds. give receives the events. It returns
// false if the caller needs no more events.
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

// shape returns the request for the document in the given mode.
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

// addInstructions returns the conversation with the text said appended to its first system message, or in a new system
// message.
func addInstructions(history []callwright.Message, said string) []callwright.Message {
	first := callwright.Message{Role: callwright.RoleSystem}
	if len(history) > 0 && history[0].Role == callwright.RoleSystem {
		first, history = history[0], history[1:]
		said = "\n\n" + said
	}
	first.Parts = append(slices.Clip(first.Parts), callwright.Text{Text: said})
	return append([]callwright.Message{first}, history...)
}

// An attempt is one request to the model and the reading of its response.
type attempt struct {
	reader  *Reader
	give    func(Event) bool
	resp    *callwright.Response
	begun   bool // an event was delivered
	stopped bool // the caller needs no more events
}

// ask sends the request and reads the response.
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

// read reads a complete response.
func (a *attempt) read(resp *callwright.Response) error {
	if resp == nil {
		return callwright.Errorf("directive", callwright.KindBadAnswer, "", "the model returned neither an answer nor an error")
	}
	a.hand(a.reader.Feed(resp.Text()))
	return nil
}

// stream sends the request with Stream and reads the response.
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
		return nil, callwright.Errorf("directive", callwright.KindTruncated, "", "the answer ended without an end event")
	}
	return whole.Response(), nil
}

// recover reads the model output quoted in the provider's error e as the response, if it contains a document.
// Otherwise it returns e.
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

// hand delivers events. It returns false if the caller needs no more.
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
