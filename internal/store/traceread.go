package store

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"slices"
	"strconv"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/trace"
)

// Entries returns the entries of a request. See [trace.LogReader]. While NATS is unavailable, it finds only requests
// that are entirely in memory.
func (t *TraceLog) Entries(ctx context.Context, id string) (out []trace.Entry, err error) {
	pieces, err := t.pieces(ctx, id)
	for i := 0; err == nil && i < len(pieces); i++ {
		out, err = appendEntries(out, pieces[i].lines)
	}
	return out, err
}

// pieces returns the pieces of a request in order. It returns the errors of Entries.
func (t *TraceLog) pieces(ctx context.Context, id string) ([]piece, error) {
	if err := ctx.Err(); err != nil {
		return nil, canceledError(opTrace, err)
	}
	began, pieces, here := t.piecesInMemory(id)
	var kept []piece
	var err error
	if !here || t.s.nc.IsConnected() {
		kept, err = t.readPieces(ctx, id, &began)
	}
	if err != nil && !(here && callwright.KindOf(err) == callwright.KindUnavailable) {
		return nil, err
	}
	kept = withRemembered(kept, pieces)
	if len(kept) == 0 || kept[0].n != 1 || t.limits.IsExpired(began, t.s.conf.Now()) {
		return nil, callwright.Errorf(opTrace, callwright.KindNotFound, "", "there is no trace of a request with the id %q",
			callwright.Excerpt(id))
	}
	return kept, nil
}

// withRemembered returns kept, the pieces from NATS, followed by those pieces of here, from memory, that kept lacks.
func withRemembered(kept, here []piece) []piece {
	for _, p := range here {
		// unpieced lines may have become a piece before NATS was read
		same := func(k piece) bool { return k.id == p.id || p.id == "" && k.n == p.n }
		if !slices.ContainsFunc(kept, same) {
			kept = append(kept, p)
		}
	}
	return kept
}

// piecesInMemory returns the start of a request and its pieces in memory. here reports whether they are all of its
// pieces.
func (t *TraceLog) piecesInMemory(id string) (began time.Time, out []piece, here bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.open[id]
	if r == nil {
		return began, nil, false
	}
	for _, p := range r.pieces {
		out = append(out, *p)
	}
	if len(r.lines) > 0 {
		out = append(out, piece{n: r.count + 1, lines: bytes.Clone(r.lines)})
	}
	return r.began, out, len(out) > 0 && out[0].n == 1
}

// readPieces reads the pieces of a request from NATS, in order and without duplicates. It stores the start of the
// request in began.
func (t *TraceLog) readPieces(ctx context.Context, id string, began *time.Time) (out []piece, err error) {
	for from := uint64(1); ; {
		m, err := t.traces.next(ctx, opTrace, answerTime, from, t.owner, token(id))
		if errors.Is(err, errNothing) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		if at, err := strconv.ParseInt(m.head.Get(headAt), 10, 64); err == nil && len(out) == 0 {
			*began = time.Unix(0, at)
		}
		if n := int(m.count()); n == len(out)+1 { // otherwise it was written twice
			out = append(out, piece{id: m.head.Get(headID), n: n, lines: m.data})
		}
		from = m.seq + 1
	}
}

// appendEntries decodes lines and appends the entries to out.
func appendEntries(out []trace.Entry, lines []byte) ([]trace.Entry, error) {
	for line := range bytes.Lines(lines) {
		e, err := trace.ParseLine(line)
		if err != nil {
			return nil, &callwright.Error{Op: opTrace, Kind: callwright.KindInternal, Message: "an entry is damaged", Err: err}
		}
		out = append(out, e)
	}
	return out, nil
}

// All yields all stored entries of the owner. The entries of one request are in order. It stops after yielding an
// error.
func (t *TraceLog) All(ctx context.Context) iter.Seq2[trace.Entry, error] {
	return func(yield func(trace.Entry, error) bool) {
		pieces := scan{st: t.traces, op: opTrace, first: t.owner, next: 1}
		defer pieces.end()
		twice := map[string]bool{}
		for more := true; more; more = pieces.left > 0 {
			list, err := pieces.fetch(ctx, fewLarge)
			var entries []trace.Entry
			for _, m := range list {
				if id := m.head.Get(headID); err == nil && !twice[id] {
					twice[id] = true
					entries, err = appendEntries(entries, m.data)
				}
			}
			for _, e := range entries {
				if !yield(e, nil) {
					return
				}
			}
			if err != nil {
				yield(trace.Entry{}, err)
				return
			}
		}
	}
}
