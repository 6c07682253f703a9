package trace

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/callwright/callwright"
)

// A Transport is an http.RoundTripper that gives the answers of a trace, byte for byte and without waiting, so that
// they are read again by the codecs of today. A request gets the first answer that was recorded for its body and not
// given yet, else the next one in the order of the trace. Behind the last it fails with [callwright.KindNotFound], and
// where a body was sent to which no answer was recorded, with [callwright.KindUnavailable]. It is safe for concurrent
// use; requests with other bodies than the recorded ones that are made at the same time take their turns in no certain
// order.
type Transport struct {
	mu    sync.Mutex
	turns []turn
}

// A turn is a body that was sent and an answer to it, nil where none was recorded.
type turn struct {
	sent     []byte
	received *Received
}

// isSkip reports whether nothing was sent, because the model was skipped.
func (u turn) isSkip() bool { return u.received != nil && u.received.Skipped > 0 }

// of reports whether the turn may be an exchange with a provider, "" for any.
func (u turn) of(provider string) bool {
	return !u.isSkip() && (provider == "" || u.received == nil || u.received.Provider == provider)
}

var _ http.RoundTripper = (*Transport)(nil)

// NewTransport makes a Transport of the sent and received entries of a trace. Others are ignored. It fails where one of
// these cannot be read or is redacted.
func NewTransport(entries []Entry) (*Transport, error) {
	t := &Transport{}
	sent := map[string]int{} // by id, the turn of the body that was sent last
	for i := range entries {
		e := &entries[i]
		switch {
		case e.Kind != KindSent && e.Kind != KindReceived:
			continue
		case e.Redacted:
			return nil, callwright.Errorf(opPlay, callwright.KindInvalid, "", "entry %d is redacted", e.Seq)
		case e.Kind == KindSent:
			sent[e.ID] = len(t.turns)
			t.turns = append(t.turns, turn{sent: e.Data})
			continue
		}
		r, err := e.ProviderAnswer()
		if err != nil {
			return nil, err
		}
		at, ok := sent[e.ID]
		switch {
		case !ok || r.Skipped > 0:
			t.turns = append(t.turns, turn{received: r})
		case t.turns[at].received == nil:
			t.turns[at].received = r
		default: // it was tried again
			t.turns = append(t.turns, turn{t.turns[at].sent, r})
		}
	}
	return t, nil
}

// RoundTrip gives the answer to a request, of whatever provider.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) { return t.answer(req, "") }

// Of gives the answers of one provider alone.
func (t *Transport) Of(provider string) http.RoundTripper { return ofProvider{t, provider} }

type ofProvider struct {
	*Transport
	provider string
}

func (o ofProvider) RoundTrip(req *http.Request) (*http.Response, error) {
	return o.answer(req, o.provider)
}

// TakeSkip takes the next turn where a model of the provider was skipped in it: for a failure of that kind, and for how
// long. The length is 0 where the next turn is another one.
func (t *Transport) TakeSkip(provider string) (kind callwright.Kind, length time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.turns) == 0 || !t.turns[0].isSkip() || t.turns[0].received.Provider != provider {
		return "", 0
	}
	r := t.turns[0].received
	t.turns = t.turns[1:]
	return r.Kind, r.Skipped
}

// Remaining is the number of answers that were not given.
func (t *Transport) Remaining() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.turns)
}

// answer gives an answer of a provider, "" for any.
func (t *Transport) answer(req *http.Request, provider string) (*http.Response, error) {
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	var body []byte
	if req.Body != nil {
		var err error
		body, err = io.ReadAll(req.Body)
		_ = req.Body.Close()
		if err != nil {
			return nil, err
		}
	}
	u, ok := t.take(body, provider)
	switch {
	case !ok:
		return nil, callwright.Errorf(opPlay, callwright.KindNotFound, "", "the trace has no further answer")
	case u.received == nil:
		return nil, callwright.Errorf(opPlay, callwright.KindUnavailable, "", "no answer to this was recorded")
	}
	return u.received.Response(req)
}

// take takes the turn of a body.
func (t *Transport) take(body []byte, provider string) (u turn, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := slices.IndexFunc(t.turns, func(u turn) bool { return u.of(provider) && bytes.Equal(u.sent, body) })
	if at < 0 {
		at = slices.IndexFunc(t.turns, func(u turn) bool { return u.of(provider) })
	}
	if at < 0 {
		return turn{}, false
	}
	u = t.turns[at]
	t.turns = slices.Delete(t.turns, at, at+1)
	return u, true
}
