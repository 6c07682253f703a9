package auth_test

import (
	"context"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/provider/auth"
)

// A token with a control character is an error that does not show it, and the next request fetches another one.
func TestBrokenToken(t *testing.T) {
	for _, broken := range []string{"secret\r\nX-Injected: yes", "secret\n", "sec\x00ret", "sec\x7fret"} {
		fetched := 0
		a := auth.NewToken(auth.TokenConfig{Source: "the metadata server", Header: auth.Bearer, Fetch: func(context.Context) (auth.ExpiringCredential[string], error) {
			if fetched++; fetched == 1 {
				return auth.ExpiringCredential[string]{Value: broken}, nil
			}
			return auth.ExpiringCredential[string]{Value: "good"}, nil
		}})
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://a.test", nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Authorize(t.Context(), req, nil); callwright.KindOf(err) != callwright.KindAuth || !strings.HasPrefix(err.Error(), "the metadata server returned a token") || strings.Contains(err.Error(), "sec") {
			t.Errorf("%q: got %v", broken, err)
		}
		if err := a.Authorize(t.Context(), req, nil); err != nil || req.Header.Get("Authorization") != "Bearer good" {
			t.Errorf("%q: got %v, %v", broken, err, req.Header)
		}
		_ = a.Close()
	}
}

// A life beyond the range of a Duration is a year.
func TestSeconds(t *testing.T) {
	for n, want := range map[int64]time.Duration{3600: time.Hour, math.MaxInt64: 365 * 24 * time.Hour, -5: -5 * time.Second} {
		if got := auth.Seconds(n); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
}
