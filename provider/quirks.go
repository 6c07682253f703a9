package provider

import (
	"encoding/json"

	callwright "github.com/callwright/callwright"
)

// A Quirk is a habit of a provider that is code and not a fact. Request gives the edits that a request needs for it, nil
// for none; it is safe for concurrent use and leaves the request as it is. Edits that were made are noted by Name.
//
// What a refusal says, and the model's own text inside one, is read by the codecs for every provider alike.
type Quirk struct {
	Name    string
	Doc     string
	Request func(req *callwright.Request) []callwright.Edit
}

// RandomSeed is Mistral's name for the seed; it refuses the usual one (https://docs.mistral.ai/api).
var RandomSeed = Quirk{
	Name: "random_seed",
	Doc:  "the seed is sent as random_seed: seed is refused",
	Request: func(req *callwright.Request) []callwright.Edit {
		if req.Params.Seed == "" {
			return nil
		}
		return []callwright.Edit{
			{Path: []string{"seed"}},
			{Path: []string{"random_seed"}, Value: json.RawMessage(req.Params.Seed)},
		}
	},
}

// Quirks lists the quirks that there are.
func Quirks() []Quirk { return []Quirk{RandomSeed} }

// edits are those of the quirks and of the configuration, with a note for each quirk that showed.
func (p *Provider) edits(req *callwright.Request) (edits []callwright.Edit, notes []callwright.Note) {
	for _, q := range p.row.Quirks {
		if made := q.Request(req); len(made) > 0 {
			edits = append(edits, made...)
			notes = append(notes, callwright.Note{
				Rule: "provider." + q.Name, Stage: callwright.StageEncode, Risk: callwright.Lossless, Why: q.Doc,
			})
		}
	}
	if edits == nil {
		return p.cfg.Edits, nil
	}
	return append(edits, p.cfg.Edits...), notes
}
