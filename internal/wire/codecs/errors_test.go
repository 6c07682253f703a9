package codecs_test

import (
	"errors"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// TestErrorsSayTheirCause: whatever API a client speaks, it reads the same of an error.
func TestErrorsSayTheirCause(t *testing.T) {
	failed := &callwright.Error{Kind: callwright.KindUnavailable, Message: "no answer", Err: errors.New("connection refused")}
	for _, c := range codecs.All() {
		_, _, body := c.EncodeError(failed)
		said, ok := jsonx.Lookup(body, "error", "message")
		if !ok {
			said, _ = jsonx.Lookup(body, "error")
		}
		if got := jsonx.TextOf(said); got != "no answer: connection refused" {
			t.Errorf("%s: got %q in %s", c.Name(), got, body)
		}
	}
}

// TestErrorsSayTheirPlace: in a member of their own where the API has one, else before the message.
func TestErrorsSayTheirPlace(t *testing.T) {
	failed := &callwright.Error{Kind: callwright.KindInvalid, Path: "/tools/0", Message: "expected a tool, got 3"}
	for _, c := range codecs.All() {
		_, _, body := c.EncodeError(failed)
		place, ok := jsonx.Lookup(body, "error", "param")
		if !ok {
			if place, ok = jsonx.Lookup(body, "error", "message"); !ok {
				place, _ = jsonx.Lookup(body, "error")
			}
		}
		if got := jsonx.TextOf(place); got != "/tools/0" && got != "/tools/0: expected a tool, got 3" {
			t.Errorf("%s: got %q in %s", c.Name(), got, body)
		}
	}
}
