package provider_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/provider"
)

// byPath is a transport that answers by the end of a path.
type byPath map[string]*reply

func (b byPath) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		_, _ = io.Copy(io.Discard, r.Body)
	}
	for end, answer := range b {
		if strings.HasSuffix(r.URL.Path, end) {
			return answer.response(r), nil
		}
	}
	return (&reply{status: 404}).response(r), nil
}

// TestCooldownEnds: an answer of the model ends the time in which it is skipped, and an answer to anything else does not.
func TestCooldownEnds(t *testing.T) {
	chat := &reply{status: 403, body: `{"error":{"message":"no"}}`}
	p, err := provider.New(provider.Config{Name: "lab", BaseURL: "http://lab.test/v1", MaxRetries: new(int), Discovery: provider.DiscoverOff,
		Transport: byPath{"/chat/completions": chat, "/models": {body: `{"data":[{"id":"m"}]}`}}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	m, withFallback := p.Model("m"), companion.With(ask(), func(c *companion.Companion) { c.HasFallback = true })
	skipped := func(req *callwright.Request) bool {
		_, err := m.Generate(t.Context(), req)
		return err != nil && strings.Contains(err.Error(), "skipped: ")
	}
	if skipped(withFallback) || !skipped(withFallback) {
		t.Error("a model that denies permission is not skipped")
	}
	if list, err := p.Models(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("listed %v, %v", list, err)
	}
	if !skipped(withFallback) {
		t.Error("the list of models ends the cooldown")
	}
	*chat = good
	if skipped(ask()) || skipped(withFallback) {
		t.Error("an answer does not end the cooldown")
	}
}
