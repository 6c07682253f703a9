package trace

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"sync"

	"github.com/callwright/callwright"
)

// A Transport is an http.RoundTripper that gives the answers of a trace, byte for byte and without waiting, so that they are read again by
// the codecs of today. A request gets the first answer that was recorded for its body and not given yet, else the next one in the order of
// the trace. Behind the last it fails with [callwright.KindNotFound]. It is safe for concurrent use; requests with other bodies than the
// recorded ones that are made at the same time take their turns in no certain order.
type Transport struct {
	mu    sync.Mutex
	turns []turn
}

// A turn is a body that was sent and an answer to it.
type turn struct {
	sent     []byte
	received *Received
}

var _ http.RoundTripper = (*Transport)(nil)

// NewTransport makes a Transport of the entries of a trace that say what was sent and received. Others are left aside. It fails where one
// of these cannot be read or is redacted.
func NewTransport(entries []Entry) (*Transport, error) {
	t := &Transport{}
	sent := map[string][]byte{} // by id
	for i := range entries {
		e := &entries[i]
		switch {
		case e.Kind != KindSent && e.Kind != KindReceived:
			continue
		case e.Redacted:
			return nil, callwright.Errorf(opPlay, callwright.KindInvalid, "", "entry %d is redacted", e.Seq)
		case e.Kind == KindSent:
			sent[e.ID] = e.Data
			continue
		}
		r, err := e.Received()
		if err != nil {
			return nil, err
		}
		t.turns = append(t.turns, turn{sent[e.ID], r})
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
	r := t.take(body, provider)
	if r == nil {
		return nil, callwright.Errorf(opPlay, callwright.KindNotFound, "", "the trace has no further answer")
	}
	return r.Response(req)
}

// take is the answer to a body, nil where there is none.
func (t *Transport) take(body []byte, provider string) *Received {
	t.mu.Lock()
	defer t.mu.Unlock()
	of := func(u turn) bool { return provider == "" || u.received.Provider == provider }
	at := slices.IndexFunc(t.turns, func(u turn) bool { return of(u) && bytes.Equal(u.sent, body) })
	if at < 0 {
		at = slices.IndexFunc(t.turns, of)
	}
	if at < 0 {
		return nil
	}
	r := t.turns[at].received
	t.turns = slices.Delete(t.turns, at, at+1)
	return r
}
