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

// A counting describes an API's endpoint that counts tokens.
type counting struct {
	wire callwright.WireName
	// path is relative to the base address. {model} in it is replaced by the model's name.
	path string
	// model is the path of the model's name in the body, and prefix precedes the name there. The name is replaced only if
	// the body contains it.
	model  []string
	prefix string
}

// countings are the endpoints of APIs whose official providers count tokens. Other providers of these APIs may lack the
// endpoint, which only a request shows.
var countings = []counting{
	{wire: callwright.WireAnthropic, path: "/v1/messages/count_tokens", model: []string{"model"}},
	{wire: callwright.WireResponses, path: "/responses/input_tokens", model: []string{"model"}},
	{wire: callwright.WireGemini, path: "/v1beta/models/{model}:countTokens",
		model: []string{"generateContentRequest", "model"}, prefix: "models/"},
}

var _ callwright.Counter = (*Remote)(nil)

const opCount = "provider.count"

// CountTokens sends body, a request in the API asked, to the provider's endpoint that counts tokens, and returns the
// response body. It does not retry. The error is of KindUnsupported if the provider has another API, if this or an
// earlier response showed that it does not count, and if body contains opaque state of another provider.
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
			Message: "the provider cannot count answers of other providers",
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

// body returns the client's body with the model's name at this provider.
func (c *counting) body(body []byte, name string) []byte {
	if _, ok := jsonx.Lookup(body, c.model...); !ok {
		return body
	}
	value := json.RawMessage(jsonx.AppendQuote(nil, c.prefix+name))
	return wire.ApplyEdits(body, []callwright.Edit{{Path: c.model, Value: value}})
}
