// Package casefile reads and writes cases. A case is the minimal record of a request that callwright replay can replay,
// stored as a readable file.
package casefile

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/finding"
	"github.com/callwright/callwright/internal/conversation"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// A Case is one request with the responses of its providers, and the finding that its replay has.
type Case struct {
	Says string // text in front of the sections of the file

	Head    Head
	Finding finding.Finding
	Side    string // the side that broke it, "" if not certain

	Settings     []byte          // YAML: the configuration of the model, without credentials
	Known        json.RawMessage // known facts, the data of a [trace.KindModel] entry; nil for none
	Body         []byte          // the request body over Head.Wire; nil if there was none
	Conversation json.RawMessage // the request as encoded by package conversation; nil if Body suffices
	Turns        []Turn
	// Ended is the recorded response, for a request whose provider responses were not recorded; nil if there are Turns.
	Ended json.RawMessage
}

// A Head contains the recorded data of a request that is not in its body.
type Head struct {
	ID     string               `json:"id"`
	Model  callwright.ModelID   `json:"model"`
	Wire   callwright.WireName  `json:"wire,omitempty"`
	Stream bool                 `json:"stream,omitempty"`
	Key    string               `json:"key,omitempty"`   // name of the client's key, which rules can match
	Group  string               `json:"group,omitempty"` // name of the key's group
	Time   time.Time            `json:"time"`
	Asked  []callwright.ModelID `json:"asked,omitempty"`  // the models that received the request, each once
	Client bool                 `json:"client,omitempty"` // the model is a reliable client, which writes a report itself
	Told   []callwright.Note    `json:"told,omitempty"`   // notes about text that the gateway added for the model
	// Raw is the wire of the raw bytes in Ended, for a response that was not streamed.
	Raw callwright.WireName `json:"raw,omitempty"`
}

// A Turn is a request to a provider and its response.
type Turn struct {
	Sent     json.RawMessage // the request body; nil if nothing was sent
	Received *trace.Received // nil if there was no response
}

// FromEntries returns the case of the last request in the trace entries. Finding is the recorded one; Settings and Side
// are empty. It fails if there is no request, if the request has no end, and with ErrContent if contents were not
// recorded.
func FromEntries(entries []trace.Entry) (*Case, error) {
	c := &Case{}
	var asked, end *trace.Entry
	for i := range entries {
		e := &entries[i]
		if e.Redacted {
			return nil, ErrContent
		}
		switch e.Kind {
		case trace.KindModel:
			c.Known = e.Data
		case trace.KindRequest:
			asked, end, c.Turns = e, nil, nil
		case trace.KindSent:
			c.Turns = append(c.Turns, Turn{Sent: e.Data})
		case trace.KindReceived:
			r, err := e.ProviderAnswer()
			if err != nil {
				return nil, err
			}
			c.receive(r)
		case trace.KindAnswer, trace.KindError:
			end = e
		}
	}
	switch {
	case asked == nil:
		return nil, errors.New("the trace entries have no request")
	case end == nil:
		return nil, errors.New("the request had not ended when the trace was written")
	}
	return c, c.fill(asked, end, entries)
}

// ErrContent is the error for a trace that was recorded without contents.
var ErrContent = errors.New("the trace was recorded without contents, and cannot be replayed: " +
	"record contents with callwright serve --trace traces/ --trace-content on, or with trace.content: true in the configuration, and repeat the request")

// receive adds a provider's response. If one body was sent several times, only the last response counts, as in a
// replay.
func (c *Case) receive(r *trace.Received) {
	n := len(c.Turns)
	switch {
	case n > 0 && r.Skipped == 0 && (c.Turns[n-1].Received == nil || c.Turns[n-1].Received.Skipped == 0):
		c.Turns[n-1].Received = r
	default:
		c.Turns = append(c.Turns, Turn{Received: r})
	}
}

// fill adds the request, its end and its settings to the case.
func (c *Case) fill(asked, end *trace.Entry, entries []trace.Entry) error {
	req, err := asked.Request()
	if err != nil {
		return err
	}
	c.Head = Head{ID: asked.ID, Model: asked.Model, Wire: asked.Wire, Stream: end.Streamed, Time: asked.Time, Key: asked.Key, Group: asked.Group}
	if req.Params.Stream != end.Streamed {
		c.Head.Stream = req.Params.Stream || end.Streamed
	}
	c.Finding = finding.Of(entries)
	rep, resp := finding.Report(end)
	if rep != nil {
		c.Head.Client = rep.ID != ""
		for i := range rep.Attempts {
			if m := rep.Attempts[i].Model; !slices.Contains(c.Head.Asked, m) {
				c.Head.Asked = append(c.Head.Asked, m)
			}
		}
		for _, n := range rep.Notes {
			if n.Rule == "plan.told" {
				c.Head.Told = append(c.Head.Told, n)
			}
		}
	}
	if asked.Body != nil {
		c.Body = asked.Body
	}
	if c.Body == nil || c.Head.Told != nil {
		c.Conversation = asked.Data
	}
	if resp != nil && !c.hasBytes() && end.Kind == trace.KindAnswer {
		c.Ended = end.Data
		if resp.Raw != nil {
			c.Head.Raw = resp.Raw.Wire
		}
	}
	return nil
}

// hasBytes reports whether the providers' responses were recorded, or no provider was called.
func (c *Case) hasBytes() bool {
	return len(c.Turns) == 0 || slices.ContainsFunc(c.Turns, func(t Turn) bool { return t.Received != nil })
}

// Entries returns the case as trace entries that package replay accepts.
func (c *Case) Entries() ([]trace.Entry, error) {
	data, err := c.conversation()
	if err != nil {
		return nil, err
	}
	var out []trace.Entry
	add := func(e trace.Entry) {
		e.Seq, e.Time, e.ID = uint64(len(out)+1), c.Head.Time, c.Head.ID
		out = append(out, e)
	}
	if c.Known != nil {
		add(trace.Entry{Kind: trace.KindModel, Model: c.Head.Model, Data: c.Known})
		out[0].ID = ""
	}
	add(trace.Entry{Kind: trace.KindRequest, Model: c.Head.Model, Wire: c.Head.Wire, Key: c.Head.Key, Group: c.Head.Group, Data: data, Body: c.Body})
	for _, t := range c.Turns {
		if t.Sent != nil {
			add(trace.Entry{Kind: trace.KindSent, Data: t.Sent})
		}
		if t.Received != nil {
			add(trace.Entry{Kind: trace.KindReceived, Data: t.Received.Data()})
		}
	}
	add(c.end())
	return out, nil
}

// end returns the last entry of the request: the recorded response Ended or, without one, an error whose report lists
// the called models.
func (c *Case) end() trace.Entry {
	if c.Ended != nil {
		return trace.Entry{Kind: trace.KindAnswer, Streamed: c.Head.Stream, Wire: c.Head.Raw, Data: c.Ended}
	}
	rep := &callwright.Report{Model: c.Head.Model, Notes: c.Head.Told}
	if c.Head.Client {
		rep.ID = c.Head.ID
	}
	for _, m := range c.Head.Asked {
		rep.Attempts = append(rep.Attempts, callwright.Attempt{Model: m})
	}
	return trace.Entry{Kind: trace.KindError, Streamed: c.Head.Stream,
		Failure: &callwright.Error{Kind: callwright.KindInternal, Message: "of a case", Report: rep}}
}

// conversation returns the request as encoded by package conversation.
func (c *Case) conversation() (json.RawMessage, error) {
	if c.Conversation != nil {
		return c.Conversation, nil
	}
	codec, ok := codecs.Of(c.Head.Wire)
	if !ok {
		return nil, fmt.Errorf("the request has the unknown API %q", c.Head.Wire)
	}
	req, err := codec.DecodeRequest(c.Body)
	if err != nil {
		return nil, err
	}
	req.Model, req.Params.Stream = c.Head.Model, c.Head.Stream
	return conversation.MarshalRequest(req)
}

// Clone returns a copy whose Turns can be changed.
func (c *Case) Clone() *Case {
	out := *c
	out.Turns = slices.Clone(c.Turns)
	for i := range out.Turns {
		if r := out.Turns[i].Received; r != nil {
			copied := *r
			out.Turns[i].Received = &copied
		}
	}
	return &out
}
