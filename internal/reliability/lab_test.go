package reliability_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/simulate"
)

// A lab is a registry of reliable clients that knows nothing yet, before a simulated server.
type lab struct {
	*config.Registry
	sent atomic.Int64 // requests that the server got
}

// newLab returns a lab under a policy. provider is an entry of the configuration's providers, to which base_url, key and policy are added.
func newLab(srv *simulate.Server, provider, settings, policy string) (*lab, error) {
	text := fmt.Sprintf("providers: {%s: {%s, api_key: x, policy: %q}}", provider, settings, policy)
	c, err := config.Parse([]byte(text), func(string) (string, bool) { return "", false })
	if err != nil {
		return nil, err
	}
	l := &lab{}
	inside := simulate.NewTransport(srv)
	l.Registry, err = config.NewRegistry(c, config.WithEnv(func(string) (string, bool) { return "", false }),
		config.WithTransport(func(string, callwright.WireName, http.RoundTripper) http.RoundTripper {
			return roundTrip(func(r *http.Request) (*http.Response, error) {
				l.sent.Add(1)
				if err := countIDs(r); err != nil {
					return nil, err
				}
				return inside.RoundTrip(r)
			})
		}))
	return l, err
}

// ownID is an id that is made for a call without one.
var ownID = regexp.MustCompile(`call_[0-9a-f]{32}`)

// countIDs puts numbers in the places of ids that are made anew for each run: what the simulator draws goes by the bytes of a request.
func countIDs(r *http.Request) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	numbers := map[string]string{}
	body = ownID.ReplaceAllFunc(body, func(id []byte) []byte {
		n, ok := numbers[string(id)]
		if !ok {
			n = fmt.Sprintf("call_%032d", len(numbers))
			numbers[string(id)] = n
		}
		return []byte(n)
	})
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return nil
}

// roundTrip is a function as a transport.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// baseOf is the address of the simulated server as the official SDK of a wire takes it. No request leaves the process.
func baseOf(wire string) string {
	const base = "http://simulator.invalid"
	if wire == simulate.OpenAI || wire == simulate.Responses {
		return base + "/v1"
	}
	return base
}

// settingsOf are the settings of the provider of a model on a wire. Only a provider that is unknown needs to be told its wire.
func settingsOf(provider, wire string) string {
	settings := "base_url: " + baseOf(wire)
	if provider == unknownProvider {
		settings += ", wire: " + wire
	}
	return settings + ", timeouts: {between_bytes: 100ms}"
}

// unknownProvider is one of which nothing is known but its wire.
const unknownProvider = "lab"

// ask sends a request, whole or streamed.
func ask(ctx context.Context, m callwright.Model, req *callwright.Request, stream bool) (*callwright.Response, error) {
	if stream {
		return callwright.Collect(m.Stream(ctx, req))
	}
	return m.Generate(ctx, req)
}

// flat is a text in which white space counts no more than between words.
func flat(text string) string { return strings.Join(strings.Fields(text), " ") }
