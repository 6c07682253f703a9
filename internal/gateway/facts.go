package gateway

import (
	"net/http"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/reliable"
)

// factsOf resolves the model in a path /callwright/models/MODEL/facts. Another path or an unknown model is an error.
func (s *Server) factsOf(x *exchange, r *http.Request) (name string, model *reliable.Client, err error) {
	name, ok := strings.CutSuffix(x.id, "/facts")
	if !ok {
		return "", nil, &callwright.Error{Kind: callwright.KindNotFound, Message: "expected /callwright/models/MODEL/facts, got " + r.URL.Path}
	}
	model, err = s.resolve(x, name)
	return name, model, err
}

// modelFacts is the JSON response with the facts about a model.
type modelFacts struct {
	Model string      `json:"model"`
	Facts []caps.Fact `json:"facts"`
}

func (s *Server) showFacts(_ wire.Codec, x *exchange, r *http.Request) error {
	name, client, err := s.factsOf(x, r)
	if err != nil {
		return err
	}
	facts, err := client.Facts(r.Context())
	if err != nil {
		return err
	}
	return writeJSON(x, modelFacts{name, append([]caps.Fact{}, facts...)})
}

// forgetFacts deletes the facts about a model with the key in the query parameter key, or all of them, and writes the
// remaining facts.
func (s *Server) forgetFacts(c wire.Codec, x *exchange, r *http.Request) error {
	_, client, err := s.factsOf(x, r)
	if err != nil {
		return err
	}
	if err := client.Forget(r.Context(), r.URL.Query().Get("key")); err != nil {
		return err
	}
	return s.showFacts(c, x, r)
}
