package conformance_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/callwright/callwright/internal/conformance"
)

// A limiter answers each third request with a status.
type limiter struct {
	*server
	status int
	asked  atomic.Int64
}

func (l *limiter) RoundTrip(r *http.Request) (*http.Response, error) {
	if l.asked.Add(1)%3 != 0 {
		return l.server.RoundTrip(r)
	}
	_, body := refusal(l.api)
	return &http.Response{StatusCode: l.status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

// A server that limits requests fails no check by that, and passes none.
func TestLimits(t *testing.T) {
	for _, api := range conformance.APIs() {
		for _, status := range []int{http.StatusTooManyRequests, http.StatusRequestTimeout, http.StatusForbidden} {
			limited := 0
			card := check(t, api, &breakage{}, func(o *conformance.Options) {
				o.Transport = &limiter{server: newServer(api, &breakage{}), status: status}
			})
			for _, c := range card.Checks {
				if c.Name == "error_key" { // 403 is its answer
					continue
				}
				about := strings.Contains(c.Why, "limits requests")
				if c.Result == conformance.Failed || c.Result == conformance.Passed && strings.HasPrefix(c.Why, "refused") && !strings.Contains(c.Why, "refused with 40") && c.Name != "dotted_name" {
					t.Errorf("%s, %d: %s %s: %s", api, status, c.Name, c.Result, c.Why)
				}
				if about && c.Result == conformance.NotTested {
					limited++
				}
			}
			if limited < 3 {
				t.Errorf("%s, %d: %d checks say that requests were limited", api, status, limited)
			}
		}
	}
}

// A lister is a server whose list of models wants the key in one field, at one path.
type lister struct {
	path, field string
	err         error
	asked       atomic.Int64
	list        string
}

func (l *lister) RoundTrip(r *http.Request) (*http.Response, error) {
	l.asked.Add(1)
	w := httptest.NewRecorder()
	w.Header().Set("Content-Type", "application/json")
	switch {
	case l.err != nil:
		return nil, l.err
	case r.Method == http.MethodPost:
		_, _ = io.WriteString(w, `{"choices":[]}`)
	case r.URL.Path != l.path:
		w.WriteHeader(http.StatusNotFound)
	case l.field != "" && !strings.HasSuffix(r.Header.Get(l.field), "secret"):
		w.WriteHeader(http.StatusUnauthorized)
	default:
		_, _ = io.WriteString(w, l.list)
	}
	return w.Result(), nil
}

// Find reads the list of models with the key in the form that the server wants, and says why there is none.
func TestFind(t *testing.T) {
	const one = `{"data":[{"id":"one"}]}`
	for _, c := range []struct {
		name   string
		server *lister
		o      conformance.Options
		why    string // in the error; "" for none
	}{
		{"bearer", &lister{path: "/v1/models", field: "Authorization", list: one}, conformance.Options{}, ""},
		{"X-Api-Key", &lister{path: "/v1/models", field: "X-Api-Key", list: one}, conformance.Options{}, ""},
		{"X-Goog-Api-Key", &lister{path: "/v1beta/models", field: "X-Goog-Api-Key", list: `{"models":[{"name":"models/one"}]}`}, conformance.Options{}, ""},
		{"a field of its own", &lister{path: "/v1/models", field: "Api-Key", list: one}, conformance.Options{KeyHeader: "Api-Key"}, ""},
		{"another key", &lister{path: "/v1/models", field: "Api-Key", list: one}, conformance.Options{}, "http://lab/v1/models: the status is 401"},
		{"no models", &lister{path: "/v1/models", list: `{}`}, conformance.Options{}, "http://lab/v1/models: the list names no model"},
		{"no JSON", &lister{path: "/v1/models", list: `<html>`}, conformance.Options{}, "http://lab/v1/models: the list is not JSON"},
		{"no connection", &lister{err: errors.New("connection refused")}, conformance.Options{}, "connection refused"},
	} {
		c.o.URL, c.o.Key, c.o.Transport = "http://lab", "secret", c.server
		found, err := conformance.Find(t.Context(), c.o)
		if (err == nil) != (c.why == "") || err != nil && !strings.Contains(err.Error(), c.why) || err == nil && !slices.Equal(found.Models, []string{"one"}) {
			t.Errorf("%s: got %v, %v", c.name, found.Models, err)
		}
		if n := int(c.server.asked.Load()); n > conformance.FindRequests() {
			t.Errorf("%s: %d requests, expected at most %d", c.name, n, conformance.FindRequests())
		}
	}
}

// A counter counts requests, and those with a key in a field.
type counter struct {
	*server
	asked, keyed, bearer atomic.Int64
}

func (c *counter) RoundTrip(r *http.Request) (*http.Response, error) {
	c.asked.Add(1)
	if r.Header.Get("Api-Key") == "k" {
		c.keyed.Add(1)
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer k")
	} else if r.Header.Get("Authorization") != "" {
		c.bearer.Add(1)
	}
	return c.server.RoundTrip(r)
}

// The card counts the requests that were made, those to addresses that did not answer included, and the bound holds.
func TestRequests(t *testing.T) {
	for _, api := range conformance.APIs() {
		c := &counter{server: newServer(api, &breakage{})}
		o := conformance.Options{API: api, URL: "http://lab/elsewhere", Model: "native", Key: "k", Tries: 1, Areas: []string{"usage", "finish"}, Transport: c}
		if api == ollama || api == anthropic { // which are looked for at the root first
			o.URL = "http://lab"
		}
		card, err := conformance.Run(t.Context(), o)
		if err != nil {
			t.Errorf("%s: %v", api, err)
			continue
		}
		if n := int(c.asked.Load()); n != card.Requests || n > conformance.MaxRequests(o) {
			t.Errorf("%s: %d requests, the card says %d of %d", api, n, card.Requests, conformance.MaxRequests(o))
		}
	}
}

// A key in a field of its own is sent in that field alone, and not where a request without a key is tested.
func TestKeyHeader(t *testing.T) {
	c := &counter{server: newServer(chat, &breakage{})}
	card := check(t, chat, &breakage{}, func(o *conformance.Options) { o.KeyHeader, o.Transport = "Api-Key", c })
	if c.bearer.Load() > 0 || c.keyed.Load() != c.asked.Load()-1 || len(failures(card)) > 0 {
		t.Errorf("%d requests, %d with the key, %d with a bearer: %v", c.asked.Load(), c.keyed.Load(), c.bearer.Load(), failures(card))
	}
	for _, one := range card.Checks {
		if one.Name == "error_key" && one.Result != conformance.Passed {
			t.Errorf("%s: %s", one.Result, one.Why)
		}
	}
}
