package provider

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
)

// A counting is how an API is asked for a number of tokens.
type counting struct {
	wire callwright.WireName
	// path is the address below the base; {model} in it is the model's name.
	path string
	// model is where the body names the model, after prefix. It is written only where it stands.
	model  []string
	prefix string
}

// countings has the wires whose official providers count. Others that speak the wire may not: that shows when they are
// asked.
var countings = []counting{
	{wire: callwright.WireAnthropic, path: "/v1/messages/count_tokens", model: []string{"model"}},
	{wire: callwright.WireResponses, path: "/responses/input_tokens", model: []string{"model"}},
	{wire: callwright.WireGemini, path: "/v1beta/models/{model}:countTokens",
		model: []string{"generateContentRequest", "model"}, prefix: "models/"},
}

var _ callwright.Counter = (*Remote)(nil)

const opCount = "provider.count"

// CountTokens has the provider count, where it speaks the wire and can. It is asked once, without further tries. A
// model for which there turns out to be no such address is not asked for again; a body with opaque state of another
// wire is not sent.
func (r *Remote) CountTokens(ctx context.Context, asked callwright.WireName, body []byte) ([]byte, error) {
	at := slices.IndexFunc(countings, func(c counting) bool { return c.wire == asked && asked == r.p.Wire() })
	if at < 0 || r.cannotCount.Load() || r.p.row.Answers.Whole != "" {
		return nil, r.seal(&callwright.Error{
			Op: opCount, Kind: callwright.KindUnsupported, Feature: feature.CountTokens, Message: "the provider does not count tokens",
		})
	}
	if wire.Carries(body) {
		return nil, r.seal(&callwright.Error{
			Op: opCount, Kind: callwright.KindUnsupported, Feature: feature.CountTokens,
			Message: "the provider cannot count what other providers answered",
		})
	}
	c := &countings[at]
	to := r.p.join(strings.ReplaceAll(c.path, "{model}", url.PathEscape(r.name)), "")
	answer, err := r.count(ctx, to, c.body(body, r.name))
	if err == nil {
		return answer, nil
	}
	if err.Status == http.StatusNotFound || err.Status == http.StatusMethodNotAllowed || err.Status == http.StatusNotImplemented {
		r.cannotCount.Store(true)
		err.Kind, err.Feature = callwright.KindUnsupported, feature.CountTokens
	}
	during(opCount, err)
	return nil, r.seal(err)
}

func (r *Remote) count(ctx context.Context, to *url.URL, body []byte) ([]byte, *callwright.Error) {
	proto := r.p.prototype(to, "application/json")
	a, err := r.sendAny(ctx, proto, newEncoded(body, nil))
	if err != nil {
		return nil, err
	}
	defer a.close()
	answer, failed := r.p.read(a, maxErrorRead)
	switch {
	case failed != nil:
		return nil, r.p.transportError(ctx, a.watch, failed, true)
	case jsonx.Valid(answer) != nil || jsonx.KindOf(answer) != jsonx.Object:
		return nil, &callwright.Error{Kind: callwright.KindBadAnswer, Message: "expected a count as a JSON object", Body: answer}
	}
	return answer, nil
}

// body returns the client's with the model's own name.
func (c *counting) body(body []byte, name string) []byte {
	if _, ok := jsonx.Lookup(body, c.model...); !ok {
		return body
	}
	value := json.RawMessage(jsonx.AppendQuote(nil, c.prefix+name))
	return wire.ApplyEdits(body, []callwright.Edit{{Path: c.model, Value: value}})
}
