package kit_test

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

func TestErrorText(t *testing.T) {
	cause := errors.New("connection refused")
	for _, c := range []struct {
		err          callwright.Error
		text, placed string
	}{
		{callwright.Error{Kind: callwright.KindTimeout}, "timeout", "timeout"},
		{callwright.Error{Message: "no answer"}, "no answer", "no answer"},
		{callwright.Error{Err: cause}, "connection refused", "connection refused"},
		{callwright.Error{Message: "no answer", Err: cause, Path: "/a"}, "no answer: connection refused", "/a: no answer: connection refused"},
	} {
		if got := kit.ErrorText(&c.err); got != c.text {
			t.Errorf("got %q, want %q", got, c.text)
		}
		if got := kit.PlacedErrorText(&c.err); got != c.placed {
			t.Errorf("got %q, want %q", got, c.placed)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	const day = 24 * time.Hour
	for _, c := range []struct {
		name   string
		header map[string]string
		wait   time.Duration
		ok     bool
	}{
		{"nothing", nil, 0, false},
		{"seconds", map[string]string{"Retry-After": "7"}, 7 * time.Second, true},
		{"a part of a second", map[string]string{"Retry-After": "0.25"}, 250 * time.Millisecond, true},
		{"milliseconds first", map[string]string{"Retry-After": "7", "Retry-After-Ms": "40"}, 40 * time.Millisecond, true},
		{"at once", map[string]string{"Retry-After": "0"}, 0, true},
		{"the past", map[string]string{"Retry-After": "-3"}, 0, true},
		{"a moment by the provider's date",
			map[string]string{"Retry-After": "Wed, 04 Feb 2026 10:00:09 GMT", "Date": "Wed, 04 Feb 2026 10:00:00 GMT"}, 9 * time.Second, true},
		{"longer than a day", map[string]string{"Retry-After": "1e300"}, day, true},
		{"for ever", map[string]string{"Retry-After-Ms": "Inf"}, day, true},
		{"no number", map[string]string{"Retry-After": "NaN", "Retry-After-Ms": "NaN"}, 0, false},
		{"words", map[string]string{"Retry-After": "soon"}, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := http.Header{}
			for k, v := range c.header {
				h.Set(k, v)
			}
			if wait, ok := kit.RetryAfter(h); wait != c.wait || ok != c.ok {
				t.Errorf("expected %s, %t, got %s, %t", c.wait, c.ok, wait, ok)
			}
		})
	}
}

func TestErrorBodyIsABoundedCopy(t *testing.T) {
	long := make([]byte, 100<<10)
	kept := kit.ErrorBody(long)
	if long[0] = 'x'; len(kept) != 64<<10 || kept[0] == 'x' {
		t.Errorf("kept %d bytes, the first %q", len(kept), kept[0])
	}
}
