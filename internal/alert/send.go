package alert

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Limits of a delivery.
const (
	attemptTime = 20 * time.Second // timeout of one attempt
	firstWait   = time.Second
	longestWait = time.Minute
	longestAsk  = 5 * time.Minute // maximum of a Retry-After header
	giveUpAfter = time.Hour       // maximum age of an event for a retry
	readAnswer  = 4096            // maximum bytes read from a response, so that the connection can be reused
)

// An outcome is the result of one attempt to send a message.
type outcome int

const (
	delivered outcome = iota
	again             // a retry may succeed
	refused           // a retry cannot succeed
	gone              // the receiver wants no more messages: status 410
)

// deliver sends a message with retries until the receiver accepts or rejects it, the event is older than giveUpAfter,
// or ctx ends. done is false only if ctx ended.
func (a *Alerts) deliver(ctx context.Context, m *message) (done bool) {
	body := m.event.body()
	wait := firstWait
	for {
		came, asked, err := a.attempt(ctx, m.id, body)
		if ctx.Err() != nil && came != delivered {
			return false
		}
		late := a.cfg.Now().Sub(m.event.Timestamp) >= giveUpAfter
		switch {
		case came == delivered:
			a.note(m, "sent", nil)
			return true
		case came == gone:
			n := a.queue.close()
			a.note(m, "failed", fmt.Errorf("%w: nothing is sent until callwright restarts, %d messages are dropped", err, n))
			return true
		case came == refused || late:
			a.note(m, "failed", err)
			return true
		}
		a.cfg.Logger.Warn("an alert was not delivered and will be sent again", "type", m.event.Type, "id", m.id, "error", err)
		a.cfg.Fault.Note(err)
		if !sleep(ctx, max(asked, addJitter(wait))) {
			return false
		}
		wait = min(2*wait, longestWait)
	}
}

// addJitter returns a random duration from three quarters to five quarters of d, so that gateways do not retry at the
// same time.
func addJitter(d time.Duration) time.Duration {
	return d*3/4 + rand.N(d/2) //nolint:gosec // not for secrets
}

// sleep waits for d and returns true, or returns false when ctx ends.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// attempt sends a message once. asked is the delay of a Retry-After header, 0 for none. The error contains no URL,
// which may contain a token, and no secret.
func (a *Alerts) attempt(ctx context.Context, id string, body []byte) (came outcome, asked time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, attemptTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.cfg.URL, bytes.NewReader(body))
	if err != nil {
		return refused, 0, errors.New("the address in alerts.url is invalid")
	}
	now := a.cfg.Now().Unix()
	h := req.Header
	h.Set("Content-Type", "application/json")
	h.Set("User-Agent", "callwright")
	h.Set("Webhook-Id", id)
	h.Set("Webhook-Timestamp", strconv.FormatInt(now, 10))
	if !a.cfg.Secret.IsZero() {
		h.Set("Webhook-Signature", a.cfg.Secret.sign(id, now, body))
	}
	resp, err := a.client.Do(req)
	if err != nil {
		return again, 0, withoutURL(err)
	}
	_, _ = io.CopyN(io.Discard, resp.Body, readAnswer)
	_ = resp.Body.Close()
	return outcomeOf(resp)
}

// withoutURL returns the cause of a failed request without the request's URL, which may contain a token. The cause may
// contain the host name.
func withoutURL(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}

// outcomeOf returns the outcome of an attempt by the status of its response, and the delay of a Retry-After header. For
// the statuses see
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#delivery-success-and-failure.
func outcomeOf(resp *http.Response) (came outcome, asked time.Duration, err error) {
	s := resp.StatusCode
	err = fmt.Errorf("the receiver answered %d %s", s, http.StatusText(s))
	switch {
	case s >= 200 && s < 300:
		return delivered, 0, nil
	case s == http.StatusGone:
		return gone, 0, err
	case s >= 500, s == http.StatusTooManyRequests, s == http.StatusRequestTimeout:
		if seconds, bad := strconv.Atoi(resp.Header.Get("Retry-After")); bad == nil && seconds > 0 {
			asked = min(time.Duration(min(seconds, int(longestAsk/time.Second)))*time.Second, longestAsk)
		}
		return again, asked, err
	}
	return refused, 0, err
}
