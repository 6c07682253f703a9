package trace

import (
	"context"
	"encoding/json"
	"iter"
	"sync"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// opPlay is the operation of errors in playing.
const opPlay = "trace.play"

// A Player is a model that gives the answers of a trace, one after the other, whole or streamed as it is asked, without
// waiting. Each request has to be the recorded one, by its [Fingerprint]: another fails with [callwright.KindConflict],
// says in Path where it differs (/conversation/messages/2 is in the third message) and takes no answer. Behind the last
// answer a request fails with [callwright.KindNotFound]. A recorded error is given as it was, but for its cause, which
// is a text. An answer that was not read to its end is streamed as far as it was recorded, and then fails with
// [callwright.KindTruncated].
//
// It has the ID and the Caps that the recorded model had. It is safe for concurrent use; requests that are made at the
// same time take their turns in no certain order.
type Player struct {
	plays []play

	mu   sync.Mutex
	next int
}

// A play is a recorded request and its answer or error.
type play struct {
	model   identity
	request Entry
	outcome *Entry          // nil: the trace ends before
	raw     *callwright.Raw // of a whole answer, where it was recorded apart
}

var (
	_ callwright.Model      = (*Player)(nil)
	_ callwright.Describer  = (*Player)(nil)
	_ callwright.Identifier = (*Player)(nil)
)

// NewPlayer makes a player of the entries of a trace. Entries of other kinds than models, requests, answers and errors
// are left aside. It fails where one of these cannot be read or is redacted.
func NewPlayer(entries []Entry) (*Player, error) {
	p := &Player{}
	open := map[string]int{} // by id, the request that has no outcome
	models := map[callwright.ModelID]identity{}
	for i := range entries {
		e := &entries[i]
		var err error
		switch e.Kind {
		case KindModel:
			var model identity
			err = json.Unmarshal(e.Data, &model)
			models[e.Model] = model
		case KindRequest:
			_, err = e.Request()
			open[e.ID] = len(p.plays)
			p.plays = append(p.plays, play{model: models[e.Model], request: *e})
		case KindReceived:
			if at, ok := open[e.ID]; ok && !e.Redacted {
				var got *Received
				if got, err = e.ProviderAnswer(); err == nil && got.Skipped == 0 {
					p.plays[at].raw = &callwright.Raw{Wire: got.Wire, Bytes: got.Body}
				}
			}
		case KindAnswer, KindError:
			_, err = e.Response()
			if at, ok := open[e.ID]; ok {
				p.plays[at].outcome = e
				delete(open, e.ID)
			}
		default:
			continue
		}
		if e.Redacted {
			return nil, callwright.Errorf(opPlay, callwright.KindInvalid, "", "entry %d is redacted", e.Seq)
		}
		if err != nil {
			return nil, &callwright.Error{Op: opPlay, Kind: callwright.KindInvalid, Message: "entry " + seqOf(e), Err: err}
		}
	}
	return p, nil
}

// ID is the name of the model whose answer is next.
func (p *Player) ID() callwright.ModelID { return p.identity().ID }

// Caps returns the capabilities that the model of the next answer stated. Facts that this version does not know are
// left out.
func (p *Player) Caps(context.Context) caps.Caps { return caps.Caps{}.WithFacts(p.identity().facts()) }

// Remaining is the number of requests that have not been asked again.
func (p *Player) Remaining() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.plays) - p.next
}

// identity is that of the next request, or of the last where there is none.
func (p *Player) identity() identity {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.plays) == 0 {
		return identity{}
	}
	return p.plays[min(p.next, len(p.plays)-1)].model
}

// Generate gives the next answer whole.
func (p *Player) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	next, err := p.take(ctx, req)
	if err != nil {
		return nil, err
	}
	e, raw := next.outcome, next.raw
	if e.Failure != nil {
		return nil, failureOf(e.Failure).err()
	}
	if e.Partial {
		return nil, notRead(e)
	}
	resp, err := e.Response()
	switch {
	case err != nil:
		return nil, err
	case e.Streamed:
		resp.Raw = nil // no bytes of a whole answer
	case e.RawReceived:
		resp.Raw = raw
	}
	return resp, nil
}

// Stream gives the next answer piece by piece: each part of it at once.
func (p *Player) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return callwright.FlattenBatches(p.Batches(ctx, req))
}

// Batches is Stream in batches, with the notes that were recorded.
func (p *Player) Batches(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Batch, error] {
	return func(yield func(callwright.Batch, error) bool) {
		next, err := p.take(ctx, req)
		if err != nil {
			yield(callwright.Batch{}, err)
			return
		}
		e := next.outcome
		batches, err := batchesOf(e)
		for _, b := range batches {
			if !yield(b, nil) {
				return
			}
		}
		switch {
		case err != nil:
			yield(callwright.Batch{}, err)
		case e.Failure != nil:
			yield(callwright.Batch{}, failureOf(e.Failure).err())
		case e.Partial:
			yield(callwright.Batch{}, notRead(e))
		}
	}
}

// take is the next request, which req has to be and which has an outcome.
func (p *Player) take(ctx context.Context, req *callwright.Request) (*play, error) {
	if err := ctx.Err(); err != nil {
		return nil, &callwright.Error{Op: opPlay, Kind: callwright.KindCanceled, Err: err}
	}
	asked, err := decisive(req)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next == len(p.plays) {
		return nil, callwright.Errorf(opPlay, callwright.KindNotFound, "", "the trace has %d requests, and all were played", len(p.plays))
	}
	next := &p.plays[p.next]
	if err := next.check(asked); err != nil {
		return nil, err
	}
	if next.outcome == nil {
		return nil, callwright.Errorf(opPlay, callwright.KindTruncated, "",
			"the trace ends before the answer to the request of entry %d", next.request.Seq)
	}
	p.next++
	return next, nil
}

// check fails where the request is not the recorded one.
func (p *play) check(asked []byte) error {
	if fingerprintOf(asked) == p.request.Fingerprint {
		return nil
	}
	req, err := p.request.Request()
	if err != nil {
		return err
	}
	recorded, err := decisive(req)
	if err != nil {
		return err
	}
	list := Differences(recorded, asked, 1)
	if len(list) == 0 {
		return callwright.Errorf(opPlay, callwright.KindConflict, "",
			"the request is not that of entry %d: its fingerprint differs", p.request.Seq)
	}
	want, got := excerpts(list[0].Was, list[0].Now)
	return callwright.Errorf(opPlay, callwright.KindConflict, list[0].Path,
		"the request is not that of entry %d: expected %s, got %s", p.request.Seq, want, got)
}

func notRead(e *Entry) *callwright.Error {
	return callwright.Errorf(opPlay, callwright.KindTruncated, "",
		"the answer of entry %d was not read to its end when it was recorded", e.Seq)
}
