package gateway

import (
	"net/http"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/wire"
)

// A counter describes the token counting endpoint of an API: the format of its request and of its response.
type counter struct {
	wire callwright.WireName
	// inner is the member of the body that holds the request to count, "" if the body is that request.
	inner string
	// before and after are the JSON of the response before and after the number.
	before, after string
}

var counters = []counter{
	{wire: callwright.WireAnthropic, before: `{"input_tokens":`, after: `}`},
	{wire: callwright.WireResponses, before: `{"object":"response.input_tokens","input_tokens":`, after: `}`},
	{wire: callwright.WireGemini, inner: "generateContentRequest", before: `{"totalTokens":`, after: `}`},
}

// The origin of a token count, as it appears in the report header.
const (
	countedThere = "tokens=counted"   // the provider counted
	countedHere  = "tokens=estimated" // estimated from a profile
	// countedLike marks an estimate calibrated by token counts that the provider reported for similar requests.
	countedLike = "tokens=calibrated"
)

// countTokens writes the number of input tokens of a request, for APIs whose body names the model.
func (s *Server) countTokens(client wire.Codec, x *exchange, r *http.Request) error {
	return s.countTokensFor(client, x, r, nil)
}

// countTokensFor writes the number of input tokens of a request. The provider counts if it supports that and has the
// client's API. Otherwise the number is an estimate, which the report header says. If the provider rejects the request
// itself, its error is returned. fromPath is as for readAndAnswer.
func (s *Server) countTokensFor(client wire.Codec, x *exchange, r *http.Request, fromPath *pathParams) error {
	body, err := s.readJSON(x, r)
	if err != nil {
		return err
	}
	c := counterOf(client.Name())
	req, err := client.DecodeRequest(c.request(body))
	if err != nil {
		return err
	}
	if fromPath != nil {
		req.Model = callwright.ModelID(fromPath.model)
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

// request returns the JSON of the request to count in a body.
func (c *counter) request(body []byte) []byte {
	if c.inner != "" && jsonx.Valid(body) == nil {
		if inner, ok := jsonx.Find(body, c.inner); ok {
			return inner
		}
	}
	return body
}

// isRequestError reports whether err is about the request itself, so that an estimate would be misleading.
func isRequestError(err error) bool {
	kind := callwright.KindOf(err)
	return kind != callwright.KindUnsupported && kind != callwright.KindCanceled && !kind.Transient() && kind.Status() < 500
}
