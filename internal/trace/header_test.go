package trace_test

import (
	"bytes"
	"context"
	"iter"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/trace"
	"pgregory.net/rapid"
)

// askedFields are those of a request's header that are recorded.
var askedFields = []string{"Content-Type", "User-Agent", "X-Request-Id", "X-Client-Request-Id", "Anthropic-Version", "Anthropic-Beta"}

// silent is a model that asks a provider through a transport, and says nothing.
type silent struct{ through http.RoundTripper }

func (s silent) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://lab.test/v1", http.NoBody)
	if err != nil {
		return nil, err
	}
	r.Header = companion.Of(req).Header.Clone()
	resp, err := s.through.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	return &callwright.Response{}, resp.Body.Close()
}

func (s silent) Stream(context.Context, *callwright.Request) iter.Seq2[callwright.Event, error] {
	return nil
}

// Of any header, a client's and one to a provider, the fields of the list are recorded and no others, and in these no value of a field that
// holds a credential.
func TestHeaders(t *testing.T) {
	names := append([]string{"Authorization", "Cookie", "X-Api-Key", "X-Goog-Api-Key", "X-Auth-Token", "Proxy-Authorization", "X-Unknown", "Set-Cookie", "Host"}, askedFields...)
	rapid.Check(t, func(rt *rapid.T) {
		h := http.Header{}
		const secret = "sk-0123456789-secret"
		for _, name := range rapid.SliceOfDistinct(rapid.SampledFrom(names), rapid.ID).Draw(rt, "fields") {
			value := "plain of " + strings.ToLower(name)
			switch {
			case !slices.Contains(askedFields, name):
				value = secret + strings.ToLower(name)
			case rapid.Bool().Draw(rt, "repeats"):
				value += " " + secret + "authorization"
			}
			h.Set(name, value)
		}
		if h.Get("Authorization") == "" {
			h.Set("Authorization", secret+"authorization")
		}
		var file bytes.Buffer
		w := trace.NewWriter(&file)
		m := trace.Record(silent{w.Transport(answers(200, strings.NewReader("")), trace.Endpoint{Provider: "lab"})}, w)
		if _, err := m.Generate(t.Context(), &callwright.Request{Attached: &companion.Companion{Header: h}}); err != nil {
			rt.Fatal(err)
		}
		if strings.Contains(file.String(), "sk-0123456789") {
			rt.Fatalf("a credential is recorded: %s", file.String())
		}
		entries, err := trace.ReadAll(&file)
		if err != nil {
			rt.Fatal(err)
		}
		for i := range entries {
			var got map[string]string
			switch e := &entries[i]; e.Kind {
			case trace.KindRequest:
				got = e.Header
			case trace.KindReceived:
				r, err := e.ProviderAnswer()
				if err != nil {
					rt.Fatal(err)
				}
				got = r.Sent
			default:
				continue
			}
			for name, values := range h {
				value, ok := got[name]
				if ok != slices.Contains(askedFields, name) || ok && !strings.HasPrefix(values[0], strings.TrimSuffix(value, " [redacted]")) {
					rt.Errorf("%s: recorded as %q, %t", name, value, ok)
				}
			}
		}
	})
}
