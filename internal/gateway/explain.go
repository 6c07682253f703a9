package gateway

import (
	"net/http"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// explain writes, as JSON, the plan for a request of any API without sending it to a provider. The query parameter
// model overrides the model of the request. If the request refers to an earlier response, the plan includes that
// conversation.
func (s *Server) explain(client wire.Codec, x *exchange, r *http.Request) error {
	body, err := s.readJSON(x, r)
	if err != nil {
		return err
	}
	if _, told := s.codecOf(r); !told {
		if c, ok := s.codec(codecs.Detect(body)); ok {
			client = c
		}
	}
	t, body, err := s.continuation(client, x, r, body)
	if err != nil {
		return err
	}
	req, err := client.DecodeRequest(body)
	if err != nil {
		return err
	}
	if name := r.URL.Query().Get("model"); name != "" {
		req.Model = callwright.ModelID(name)
	}
	if req.Model == "" {
		return &callwright.Error{Kind: callwright.KindInvalid, Message: "the request has no model: set one in the query, ?model=NAME"}
	}
	model, err := s.resolve(x, string(req.Model))
	if err != nil {
		return err
	}
	companion.Change(req, func(c *companion.Companion) { c.Owner = s.owner(x, r).text() })
	if chooses(model) {
		s.countsTokens(r.Context(), req)
	}
	out, err := model.Explain(r.Context(), req)
	if err != nil {
		return err
	}
	if t != nil {
		out.Notes = append(t.notes, out.Notes...)
	}
	return writeJSON(x, out)
}
