package gateway_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/signature"
)

// A steps writer writes down what a handler does with it, in order.
type steps struct {
	header http.Header
	done   []string
}

func (s *steps) Header() http.Header { return s.header }

func (s *steps) WriteHeader(status int) {
	head := &bytes.Buffer{}
	_ = s.header.Write(head)
	s.done = append(s.done, fmt.Sprintf("head %d %s", status, head))
}

func (s *steps) Write(b []byte) (int, error) {
	s.done = append(s.done, "write "+string(b))
	return len(b), nil
}

func (s *steps) Flush() { s.done = append(s.done, "flush") }

// newIDs has the same text in place of ids that are new each time.
func newIDs(list []string) []string {
	var out []string
	for _, s := range list {
		out = append(out, minted.ReplaceAllString(s, "$1"))
	}
	return out
}

// steps asks the server and gives what it did to answer.
func (c *cell) steps() *steps {
	r := httptest.NewRequest(http.MethodPost, c.door(), bytes.NewReader(c.request()))
	r.Host = "localhost"
	r.Header.Set("Content-Type", "application/json")
	w := &steps{header: http.Header{}}
	func() {
		defer func() {
			if p := recover(); p != nil {
				w.done = append(w.done, fmt.Sprint("aborted: ", p))
			}
		}()
		c.server.ServeHTTP(w, r)
	}()
	return w
}

// minted are ids that are new each time.
var minted = regexp.MustCompile(`([a-z]{2,8})[-_][0-9a-zA-Z]{20,}`)

// tracedServer is a gateway whose requests are recorded.
func (c *cell) tracedServer(t *testing.T, w *trace.Writer) *gateway.Server {
	retries := 0
	name := "far-" + string(c.far.Name())
	p, err := provider.New(provider.Config{Name: name, Wire: c.far.Name(), BaseURL: "http://far.test" + doors[c.far.Name()].base, MaxRetries: &retries,
		Transport: w.Transport(c.stage, trace.Endpoint{Provider: name, Wire: c.far.Name(), DecodeError: c.far.DecodeError})})
	if err != nil {
		t.Fatal(err)
	}
	models := kept{c.model(): reliable.New(p.Model(c.farModel()), reliable.WithSignatures(signature.NewMemory(nil, signature.Limits{})))}
	return gateway.New(gateway.Config{Reuse: gateway.Reuse{Bodies: true}, Models: models, Record: func(m callwright.Model) callwright.Model { return trace.Record(m, w) }})
}

// tracing is a gateway before an upstream whose requests are recorded.
func tracing(t *testing.T, upstream http.Handler, w *trace.Writer) running {
	t.Helper()
	far := httptest.NewServer(upstream)
	t.Cleanup(far.Close)
	d := directory{}
	for _, codec := range codecs.All() {
		d[string(codec.Name())] = providerAround(t, codec.Name(), far.URL, func(spoken callwright.WireName, next http.RoundTripper) http.RoundTripper {
			return w.Transport(next, trace.Endpoint{Provider: string(spoken), Wire: spoken})
		})
	}
	return serve(t, gateway.Config{Models: d, Record: func(m callwright.Model) callwright.Model { return trace.Record(m, w) }})
}
