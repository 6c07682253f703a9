package gateway

import (
	"net/http"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/reliable"
)

// A scope is the access verb that a key needs for requests to paths with a prefix.
type scope struct {
	method string // "" for any method
	path   string
	verb   access.Verb // "" if every key is sufficient
}

// scopes are tried in order. For other paths, POST requests need the verb Generate or Count and all others need List.
var scopes = []scope{
	{path: "/callwright/usage"},
	{path: "/callwright/version"},
	{path: "/callwright/openapi.json"},
	{path: "/callwright/keys", verb: access.Admin},
	{path: "/callwright/groups", verb: access.Admin},
	{path: "/callwright/audit", verb: access.Admin},
	{path: "/callwright/reports/", verb: access.Reports},
	{path: "/callwright/traces/", verb: access.UI},
	{path: "/callwright/explain", verb: access.Explain},
	{http.MethodDelete, "/callwright/models/", access.Admin},
	{path: "/metrics", verb: access.Metrics},
	{path: statusPath, verb: access.Metrics},
	{path: runningPath, verb: access.Metrics},
	{path: "/ui/", verb: access.UI},
	{path: "/v1/responses/input_tokens", verb: access.Count},
	{path: "/v1/messages/count_tokens", verb: access.Count},
	{path: "/v1/responses", verb: access.Generate}, // stored responses
	{path: "/api/show", verb: access.List},
	{path: "/v1beta/", verb: access.List, method: http.MethodGet},
}

// verbOf returns the verb that a key needs for a request, "" if every key is sufficient.
func verbOf(r *http.Request) access.Verb {
	for i := range scopes {
		s := &scopes[i]
		if (s.method == "" || s.method == r.Method) && strings.HasPrefix(r.URL.Path, s.path) {
			return s.verb
		}
	}
	switch {
	case r.Method != http.MethodPost:
		return access.List
	case strings.HasSuffix(r.URL.Path, ":countTokens"):
		return access.Count
	}
	return access.Generate
}

// allowRequest returns an error if the key of the caller lacks the verb for the request or has reached its request
// limit. It counts requests to models.
func allowRequest(c *access.Caller, r *http.Request) error {
	verb := verbOf(r)
	if verb != "" {
		if err := c.May(verb); err != nil {
			return err
		}
	}
	if r.Method == http.MethodPost && (verb == access.Generate || verb == access.Count) {
		return c.CountRequest(r.Context())
	}
	return nil
}

// resolve returns the model with a name. It returns an error if the name is unknown or the caller may not use the
// model.
func (s *Server) resolve(x *exchange, name string) (*reliable.Client, error) {
	model, err := s.cfg.Models.Resolve(name)
	if err != nil {
		return nil, err
	}
	if x.caller.IsScoped() {
		if err := x.caller.MayAsk(name, model.Models()); err != nil {
			return nil, err
		}
	}
	return model, nil
}

// modelsInScope returns the models in ids that the caller may use.
func (s *Server) modelsInScope(x *exchange, ids []callwright.ModelID) []callwright.ModelID {
	if !x.caller.IsScoped() {
		return ids
	}
	var out []callwright.ModelID
	for _, id := range ids {
		if _, err := s.resolve(x, string(id)); err == nil {
			out = append(out, id)
		}
	}
	return out
}
