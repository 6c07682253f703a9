package trace

import (
	"context"
	"encoding/json"
	"iter"
	"sync"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// opPlay is the Op of errors when playing a trace.
const opPlay = "trace.play"

// A Player is a model that replays the answers of a trace in order, streamed or not as requested, without delays. Each
// request must equal the recorded one by its [Fingerprint]. Otherwise it fails with [callwright.KindConflict], Path has
// the location of the difference (/conversation/messages/2 is in the third message), and the answer is not consumed.
// After the last answer, a request fails with [callwright.KindNotFound]. A recorded error is returned with its cause as
// plain text. A partly recorded answer is streamed as far as it was recorded, followed by an error of
// [callwright.KindTruncated].
//
// A Player has the ID and the Caps of the recorded model. It is safe for concurrent use, but the order of concurrent
// requests is undefined.
type Player struct {
	plays []play

	mu   sync.Mutex
	next int
}

// A play is a recorded request with its answer or error.
type play struct {
	model   identity
	request Entry
	outcome *Entry          // nil if the trace ends before it
	raw     *callwright.Raw // bytes of a whole answer that were recorded separately
}

var (
	_ callwright.Model      = (*Player)(nil)
	_ callwright.Describer  = (*Player)(nil)
	_ callwright.Identifier = (*Player)(nil)
)

// NewPlayer returns a Player of the entries of a trace. It uses only entries about models, requests, answers and
// errors. It returns an error if one of these is invalid or redacted.
func NewPlayer(entries []Entry) (*Player, error) {
	p := &Player{}
	open := map[string]int{} // by id, index of the request without an outcome
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

// ID returns the ID of the recorded model of the next answer.
func (p *Player) ID() callwright.ModelID { return p.identity().ID }

// Caps returns the recorded capabilities of the model of the next answer, without facts unknown to this version.
func (p *Player) Caps(context.Context) caps.Caps { return caps.Caps{}.WithFacts(p.identity().facts()) }

// Remaining returns the number of answers that were not replayed.
func (p *Player) Remaining() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.plays) - p.next
}

// identity returns the identity of the model of the next request, or of the last one if there is no next.
func (p *Player) identity() identity {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.plays) == 0 {
		return identity{}
	}
	return p.plays[min(p.next, len(p.plays)-1)].model
}

// Generate returns the next answer.
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
		resp.Raw = nil // the bytes of a stream are not those of a whole answer
	case e.RawReceived:
		resp.Raw = raw
	}
	return resp, nil
}

// Stream streams the next answer. Each part of the answer comes without a delay.
func (p *Player) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return callwright.FlattenBatches(p.Batches(ctx, req))
}

// Batches is like Stream but yields batches of events, with the recorded notes.
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

// take consumes and returns the next request. It returns an error if req differs from it or no outcome was recorded.
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

// check returns an error if a request, encoded by decisive, is not the recorded one.
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
			"the request differs from that of entry %d: it has another fingerprint", p.request.Seq)
	}
	want, got := excerpts(list[0].Was, list[0].Now)
	return callwright.Errorf(opPlay, callwright.KindConflict, list[0].Path,
		"the request differs from that of entry %d: expected %s, got %s", p.request.Seq, want, got)
}

func notRead(e *Entry) *callwright.Error {
	return callwright.Errorf(opPlay, callwright.KindTruncated, "",
		"the answer of entry %d was not read to its end when it was recorded", e.Seq)
}
