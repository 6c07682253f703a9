package gateway_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/reliable"
)

// oneClient is the only model of a gateway.
type oneClient struct{ client *reliable.Client }

func (m oneClient) Resolve(string) (*reliable.Client, error)  { return m.client, nil }
func (m oneClient) List(context.Context) []callwright.ModelID { return nil }

// answers is a transport that answers in turn, the last answer again and again: 200, a status with a Retry-After, or 0 for no connection.
type answers struct {
	script map[string][]string // by model
	asked  map[string]int
}

func (a *answers) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	var req struct{ Model string }
	if err := json.Unmarshal(body, &req); err != nil {
		return nil, err
	}
	list := a.script[req.Model]
	var status, after int
	_, _ = fmt.Sscan(list[min(a.asked[req.Model], len(list)-1)], &status, &after)
	a.asked[req.Model]++
	text := `{"error":{"message":"no"}}`
	switch status {
	case 0:
		return nil, errors.New("connection refused")
	case http.StatusOK:
		text = `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}]}`
	}
	resp := &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(text)), ContentLength: -1, Request: r}
	if after > 0 {
		resp.Header.Set("Retry-After", fmt.Sprint(after))
	}
	return resp, nil
}

// TestNotices: each thing that delays or diverts a request has a log line of its own when it begins; a request that needs none has none.
func TestNotices(t *testing.T) {
	const ok = "200"
	many := func(n int, answer string) []string { return append(slices.Repeat([]string{answer}, n), ok) }
	for name, c := range map[string]struct {
		a, b     []string // what the model and its fallback answer; no fallback where b is nil
		requests int
		after    time.Duration // between requests
		want     []string      // of all requests
	}{
		"nothing": {[]string{ok}, []string{ok}, 3, 0, nil},
		"a retry": {[]string{"503 1", ok}, nil, 1, 0, []string{"INFO retry lab/a overloaded '503 overloaded' 1"}},
		"a fallback, and skips": {[]string{"429 60", ok}, []string{ok}, 2, 20 * time.Second, []string{
			"WARN fallback lab/a->lab/b rate_limited 'no'",
			"INFO skip lab/a rate_limited 'limited' 40", "WARN fallback lab/a->lab/b rate_limited 'skipped: limited, 40 s left'"}},
		"a wait":          {[]string{"429 60", ok}, nil, 2, 55 * time.Second, []string{"INFO wait lab/a rate_limited 'limited' 5"}},
		"too long a wait": {[]string{"429 60", ok}, nil, 2, time.Second, []string{"INFO skip lab/a rate_limited 'limited' 59"}},
		"a refused key": {[]string{"401"}, []string{ok}, 2, time.Second, []string{
			"WARN fallback lab/a->lab/b authentication 'provider lab requires a key (status 401), but none is set: set it'",
			"INFO skip lab/a authentication 'refused the key' 59", "WARN fallback lab/a->lab/b authentication 'skipped: refused the key, 59 s left'"}},
		"a wrong request": {[]string{"400"}, []string{ok}, 1, 0, nil},
		"the breaker, and its end": {many(20, "500"), nil, 22, 2 * time.Second, []string{
			"WARN breaker open lab/a unavailable '500 provider_error' 30", "INFO breaker closed lab/a"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				retries := 1
				if c.requests > 20 {
					retries = 0
				}
				up := &answers{map[string][]string{"a": c.a, "b": c.b}, map[string]int{}}
				p, err := provider.New(provider.Config{Name: "lab", BaseURL: "http://lab.test/v1", Transport: up, MaxRetries: &retries, Discovery: provider.DiscoverOff})
				if err != nil {
					t.Fatal(err)
				}
				defer p.Close()
				var opts []reliable.Option
				if c.b != nil {
					opts = append(opts, reliable.WithFallback(p.Model("b")))
				}
				var log bytes.Buffer
				s := gateway.New(gateway.Config{Models: oneClient{reliable.New(p.Model("a"), opts...)}, Logger: slog.New(slog.NewJSONHandler(&log, nil))})
				reports := map[string]bool{}
				for i := range c.requests {
					if i == 21 {
						time.Sleep(31 * time.Second)
					}
					r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/chat/completions", strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"Hi"}]}`))
					r.Host = "localhost"
					w := httptest.NewRecorder()
					s.ServeHTTP(w, r)
					time.Sleep(c.after)
				}
				var got []string
				for line := range bytes.Lines(log.Bytes()) {
					var l struct {
						Level, Msg, Report, Model, Next, Kind, Reason string
						Seconds                                       float64
					}
					if err := json.Unmarshal(line, &l); err != nil {
						t.Fatal(err)
					}
					if l.Msg == "request" {
						reports[l.Report] = true
						continue
					}
					text := l.Level + " " + l.Msg + " " + l.Model
					if l.Next != "" {
						text += "->" + l.Next
					}
					if l.Kind != "" {
						text += fmt.Sprintf(" %s '%s'", l.Kind, l.Reason)
					}
					if l.Seconds > 0 {
						text += fmt.Sprintf(" %.0f", l.Seconds)
					}
					got = append(got, text)
					if !strings.HasPrefix(l.Report, "rep_") || reports[l.Report] {
						t.Errorf("%s: the report %q is none, or its request has ended", text, l.Report)
					}
					reports[l.Report] = false
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("got\n%s\nexpected\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
				}
				if slices.Contains(slices.Collect(maps.Values(reports)), false) {
					t.Errorf("a line names no request: %v", reports)
				}
			})
		})
	}
}
