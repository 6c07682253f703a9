package gateway_test

import (
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

// A path that is found as it is leads where one leads that has to be looked at first.
func TestFixedPaths(t *testing.T) {
	srv := simulated(t)
	for _, path := range []string{
		chat, messages, "/v1/messages/count_tokens", "/v1/responses", "/v1/responses/compact", "/v1/responses/input_tokens", "/api/chat", "/api/generate", "/api/show", "/api/tags",
		"/v1/models", "/v1/embeddings", "/v1/files", "/callwright/explain", "/callwright/usage", "/healthz", "/nowhere", "/",
	} {
		fixed, other := post(t, srv.URL+path, `{}`), post(t, srv.URL+"/"+path, `{}`)
		fixed.body, _, _ = strings.Cut(fixed.body, `,"request_id"`)
		if fixed.status != other.status || !strings.HasPrefix(other.body, fixed.body) || fixed.header.Get("Allow") != other.header.Get("Allow") {
			t.Errorf("%s: got %d %s, want %d %s", path, fixed.status, fixed.body, other.status, other.body)
		}
	}
	if got := post(t, srv.URL+"/v1/chat%2Fcompletions", `{}`); got.status != http.StatusNotFound {
		t.Errorf("one part of a path with a slash in it: got %d %s", got.status, got.body)
	}
}

// Handlers of a program come before those of an API for what they say more of: a method, or a host.
func TestHandlersBeforeRoutes(t *testing.T) {
	own := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "own") })
	for _, pattern := range []string{"POST " + chat, "POST\tlocalhost" + chat, "localhost" + chat} {
		srv := serve(t, gateway.Config{Models: models(t, simulate.New(simulate.Weather())), Handlers: map[string]http.Handler{pattern: own}})
		if got := post(t, strings.Replace(srv.URL, "127.0.0.1", "localhost", 1)+chat, `{}`); got.body != "own" {
			t.Errorf("%s: got %d %s", pattern, got.status, got.body)
		}
		if got := post(t, srv.URL+messages, `{}`); got.status != http.StatusBadRequest {
			t.Errorf("%s: got %d %s at another path", pattern, got.status, got.body)
		}
	}
}

// An idRecorder has nothing, and keeps the id that it was asked for last.
type idRecorder struct {
	directory
	id string
}

func (d *idRecorder) Resolve(name string) (*reliable.Client, error) {
	d.id = name
	return nil, &callwright.Error{Kind: callwright.KindNotFound}
}

type reportRecorder struct {
	archive.Reports
	*idRecorder
}

func (d reportRecorder) Find(_ context.Context, key archive.Key) (*archive.Report, error) {
	_, err := d.Resolve(key.ID)
	return nil, err
}

type answerRecorder struct {
	archive.Answers
	*idRecorder
}

func (d answerRecorder) Find(_ context.Context, key archive.Key) ([]byte, error) {
	_, err := d.Resolve(key.ID)
	return nil, err
}

// A handler has the part of a path that http.ServeMux has as the value of the pattern, however the path is escaped.
func TestPathID(t *testing.T) {
	asked := &idRecorder{}
	s := gateway.New(gateway.Config{Models: asked, Reports: reportRecorder{idRecorder: asked}, Answers: answerRecorder{idRecorder: asked}})
	pieces := []string{"a", "/", "%2F", ".", "..", "%2E", ":", "%C3%A9", "%25", "%7B", "+", "%20", "~"}
	random := rand.New(rand.NewPCG(1, 2))
	for _, pattern := range []string{"/v1/models/{id...}", "/v1beta/models/{id...}", "/v1/responses/{id}", "/callwright/reports/{id}"} {
		want, found := "", 0
		mux := http.NewServeMux()
		mux.HandleFunc(pattern, func(_ http.ResponseWriter, r *http.Request) { want = r.PathValue("id") })
		mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {})
		for range 2000 {
			var id strings.Builder
			for range 1 + random.IntN(6) {
				id.WriteString(pieces[random.IntN(len(pieces))])
			}
			path, _, _ := strings.Cut(pattern, "{")
			r := httptest.NewRequest(http.MethodGet, path+id.String(), nil)
			if r.Host = "localhost"; strings.Contains(r.URL.Path, "//") {
				continue // the gateway drops a slash
			}
			want, asked.id = "", ""
			mux.ServeHTTP(httptest.NewRecorder(), r.Clone(t.Context()))
			s.ServeHTTP(httptest.NewRecorder(), r)
			if asked.id != want {
				t.Errorf("%s%s: got %q, want %q", path, &id, asked.id, want)
			}
			if want != "" {
				found++
			}
		}
		if found < 500 {
			t.Errorf("%s: %d of the paths have a value", pattern, found)
		}
	}
}

// A handler of a program has the values of its pattern. A redirect of the mux is observed, and refused to other hosts than this machine.
func TestMuxAnswers(t *testing.T) {
	own := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Pattern+" "+r.PathValue("name"))
	})
	w := newWitness("a")
	s := gateway.New(gateway.Config{Models: directory{}, Observers: []gateway.Observer{w}, Handlers: map[string]http.Handler{"GET /ui/{name}/": own},
		KeyedHandlers: map[string]http.Handler{"GET /keyed/{name}": own}})
	for _, tc := range []struct {
		host, path string
		status     int
		body       string
	}{
		{"localhost", "/ui/a%2Fb/c", 200, "GET /ui/{name}/ a/b"},
		{"localhost", "/keyed/x", 200, "GET /keyed/{name} x"},
		{"localhost", "/ui/a", http.StatusTemporaryRedirect, ""},
		{"localhost", "/ui/../keyed/x", http.StatusTemporaryRedirect, ""},
		{"evil.example", "/ui/a", http.StatusForbidden, ""},
	} {
		r, got := httptest.NewRequest(http.MethodGet, tc.path, nil), httptest.NewRecorder()
		r.Host = tc.host
		s.ServeHTTP(got, r)
		if got.Code != tc.status || tc.body != "" && got.Body.String() != tc.body {
			t.Errorf("%s%s: got %d %q, want %d %q", tc.host, tc.path, got.Code, got.Body, tc.status, tc.body)
		}
		if o, _ := w.told(); o.Status != tc.status || o.Path != r.URL.Path {
			t.Errorf("%s%s: observed %d %s", tc.host, tc.path, o.Status, o.Path)
		}
	}
}
