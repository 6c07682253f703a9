package gateway

import (
	"net/http"

	callwright "github.com/callwright/callwright"
)

// listModels lists the models in the client's own shape.
func (s *Server) listModels(w http.ResponseWriter, r *http.Request) error {
	ids := s.cfg.Models.List(r.Context())
	entries := make([]any, len(ids))
	for i, id := range ids {
		entries[i] = modelEntry(r, id)
	}
	if frontOf(r).Name() != callwright.WireAnthropic {
		return writeJSON(w, map[string]any{"object": "list", "data": entries})
	}
	list := map[string]any{"data": entries, "has_more": false, "first_id": nil, "last_id": nil}
	if len(ids) > 0 {
		list["first_id"], list["last_id"] = ids[0], ids[len(ids)-1]
	}
	return writeJSON(w, list)
}

func (s *Server) showModel(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("id")
	if _, err := s.cfg.Models.Resolve(name); err != nil {
		return err
	}
	return writeJSON(w, modelEntry(r, callwright.ModelID(name)))
}

// unknownTime stands where an API wants the time of a model's release.
const unknownTime = "1970-01-01T00:00:00Z"

func modelEntry(r *http.Request, id callwright.ModelID) any {
	provider, _ := id.Split()
	if provider == "" {
		provider = "callwright"
	}
	if frontOf(r).Name() == callwright.WireAnthropic {
		return map[string]any{"type": "model", "id": id, "display_name": id, "created_at": unknownTime}
	}
	return map[string]any{"id": id, "object": "model", "created": 0, "owned_by": provider}
}

// explain dry-runs a request of any wire.
func (s *Server) explain(w http.ResponseWriter, r *http.Request) error {
	body, err := s.body(w, r)
	if err != nil {
		return err
	}
	req, err := frontOf(r).DecodeRequest(body)
	if err != nil {
		return err
	}
	client, err := s.cfg.Models.Resolve(string(req.Model))
	if err != nil {
		return err
	}
	out, err := client.Explain(r.Context(), req)
	if err != nil {
		return err
	}
	return writeJSON(w, out)
}
