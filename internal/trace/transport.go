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

// A Transport is an http.RoundTripper that replays the provider responses of a trace, byte for byte and without delays,
// so that current codecs decode them. A request gets the first unused response that was recorded for the same body,
// otherwise the next unused response. After the last one it fails with [callwright.KindNotFound]. If no response was
// recorded for the body, it fails with [callwright.KindUnavailable]. It is safe for concurrent use, but the order of
// concurrent requests with unrecorded bodies is undefined.
type Transport struct {
	mu    sync.Mutex
	turns []turn
}

// A turn is one recorded HTTP exchange with a provider. received is nil if no response was recorded.
type turn struct {
	sent     []byte
	received *Received
}

// isSkip reports whether nothing was sent because the model was skipped.
func (u turn) isSkip() bool { return u.received != nil && u.received.Skipped > 0 }

// of reports whether the turn may be an exchange with the named provider, or with any provider if the name is "". A
// turn without a response may be one with any provider.
func (u turn) of(provider string) bool {
	return !u.isSkip() && (provider == "" || u.received == nil || u.received.Provider == provider)
}

var _ http.RoundTripper = (*Transport)(nil)

// NewTransport returns a Transport of the sent and received entries of a trace. It ignores other entries. It returns an
// error if one of these is invalid or redacted.
func NewTransport(entries []Entry) (*Transport, error) {
	t := &Transport{}
	sent := map[string]int{} // by id, index of the turn of the last sent body
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
		default: // a retry of the same body
			t.turns = append(t.turns, turn{t.turns[at].sent, r})
		}
	}
	return t, nil
}

// RoundTrip returns the recorded response to a request to any provider.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) { return t.answer(req, "") }

// Of returns a RoundTripper that uses only the responses of one provider.
func (t *Transport) Of(provider string) http.RoundTripper { return ofProvider{t, provider} }

type ofProvider struct {
	*Transport
	provider string
}

func (o ofProvider) RoundTrip(req *http.Request) (*http.Response, error) {
	return o.answer(req, o.provider)
}

// TakeSkip consumes the next turn if it records that a model of the provider was skipped. It returns the kind of the
// failure that caused the skip and its duration, or 0 if the next turn is not a skip.
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

// Remaining returns the number of unused turns.
func (t *Transport) Remaining() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.turns)
}

// answer returns the response to a request to a provider, "" for any.
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
		return nil, callwright.Errorf(opPlay, callwright.KindNotFound, "", "the trace has no more answers")
	case u.received == nil:
		return nil, callwright.Errorf(opPlay, callwright.KindUnavailable, "", "the trace has no answer to this request")
	}
	return u.received.Response(req)
}

// take consumes and returns the first turn with the provider ("" for any) that sent body, otherwise the first turn with
// the provider. ok is false if there is none.
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
