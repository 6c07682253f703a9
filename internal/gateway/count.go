package gateway

import (
	"net/http"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/wire"
)

// A counter is how an API asks for the number of tokens of a request and how it is told.
type counter struct {
	wire callwright.WireName
	// inner is the member that holds the request, where it is not the body itself.
	inner string
	// before and after stand around the number.
	before, after string
}

var counters = []counter{
	{wire: callwright.WireAnthropic, before: `{"input_tokens":`, after: `}`},
	{wire: callwright.WireResponses, before: `{"object":"response.input_tokens","input_tokens":`, after: `}`},
	{wire: callwright.WireGemini, inner: "generateContentRequest", before: `{"totalTokens":`, after: `}`},
}

// Where a count comes from, as the report header says it.
const (
	countedThere = "tokens=counted"   // by the provider
	countedHere  = "tokens=estimated" // see profile
	// countedLike is an estimate by the provider's reports of similar requests, see calibrations.
	countedLike = "tokens=calibrated"
)

// countTokens answers how many tokens a request has, for an API that has the model's name in the body.
func (s *Server) countTokens(client wire.Codec, x *exchange, r *http.Request) error {
	return s.countTokensFor(client, x, r, nil)
}

// countTokensFor has the provider count, where it speaks the client's API and counts; else the number is an estimate,
// and the report header says so. A request that the provider refuses is refused.
func (s *Server) countTokensFor(client wire.Codec, x *exchange, r *http.Request, said *inPath) error {
	body, err := s.readJSON(x, r)
	if err != nil {
		return err
	}
	c := counterOf(client.Name())
	req, err := client.DecodeRequest(c.request(body))
	if err != nil {
		return err
	}
	if said != nil {
		req.Model = callwright.ModelID(said.model)
	}
	model, err := s.resolve(x, string(req.Model))
	if err != nil {
		return err
	}
	answer, err := model.CountTokens(provider.Forward(r.Context(), r.Header), client.Name(), body)
	how := countedThere
	if err != nil {
		if isRequestError(err) {
			return err
		}
		p, err := profileOf(req)
		if err != nil {
			return err
		}
		n, calibrated := s.tokens.estimate(model.ID(), p, measureOf(r.Context(), model))
		if how = countedHere; calibrated {
			how = countedLike
		}
		answer = []byte(c.before + strconv.Itoa(n) + c.after)
	}
	x.Header().Set(reportHeader, how)
	x.Header().Set("Content-Type", "application/json")
	_, _ = x.Write(answer)
	return nil
}

func counterOf(name callwright.WireName) *counter {
	for i := range counters {
		if counters[i].wire == name {
			return &counters[i]
		}
	}
	panic("gateway: a route for counting without a counter: " + string(name))
}

// request returns the part of the body that is a request.
func (c *counter) request(body []byte) []byte {
	if c.inner != "" && jsonx.Valid(body) == nil {
		if inner, ok := jsonx.Find(body, c.inner); ok {
			return inner
		}
	}
	return body
}

// isRequestError reports whether an error is about the request itself: then an estimate of it would mislead.
func isRequestError(err error) bool {
	kind := callwright.KindOf(err)
	return kind != callwright.KindUnsupported && kind != callwright.KindCanceled && !kind.Transient() && kind.Status() < 500
}
