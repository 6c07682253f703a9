package gateway

import (
	"net/http"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/wire"
)

// A foundFact is a fact that was found about a model while the gateway ran, or by a probe.
type foundFact struct {
	Key      string    `json:"key"`
	Value    string    `json:"value"`
	Source   string    `json:"source"`
	Seen     time.Time `json:"seen,omitzero"`
	Expires  time.Time `json:"expires,omitzero"`
	Evidence string    `json:"evidence,omitempty"`
}

// factsOf finds the model that a path under /callwright/models is about.
func (s *Server) factsOf(r *http.Request) (name string, client *reliable.Client, err error) {
	name, ok := strings.CutSuffix(r.PathValue("id"), "/facts")
	if !ok {
		return "", nil, &callwright.Error{Kind: callwright.KindNotFound, Message: "expected /callwright/models/MODEL/facts, got " + r.URL.Path}
	}
	client, err = s.cfg.Models.Resolve(name)
	return name, client, err
}

func (s *Server) showFacts(_ wire.Codec, w http.ResponseWriter, r *http.Request) error {
	name, client, err := s.factsOf(r)
	if err != nil {
		return err
	}
	facts, err := client.Facts(r.Context())
	if err != nil {
		return err
	}
	return s.writeFacts(w, name, facts)
}

// forgetFacts drops the facts of the key in the query, or all of them, and shows what is left.
func (s *Server) forgetFacts(c wire.Codec, w http.ResponseWriter, r *http.Request) error {
	_, client, err := s.factsOf(r)
	if err != nil {
		return err
	}
	if err := client.Forget(r.Context(), r.URL.Query().Get("key")); err != nil {
		return err
	}
	return s.showFacts(c, w, r)
}

func (s *Server) writeFacts(w http.ResponseWriter, name string, facts []caps.Fact) error {
	out := struct {
		Model string      `json:"model"`
		Facts []foundFact `json:"facts"`
	}{name, make([]foundFact, len(facts))}
	for i, f := range facts {
		out.Facts[i] = foundFact{Key: f.Key, Value: f.Value, Source: f.Source.String(), Seen: f.Seen, Expires: f.Expires, Evidence: f.Evidence}
	}
	return writeJSON(w, out)
}
