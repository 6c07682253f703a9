package trace

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// An identity is the JSON data of an entry of KindModel: the id and the known facts of a model.
type identity struct {
	known
	Chain []known `json:"ladder,omitempty"` // candidates of a fallback chain, in order
}

// known holds the known facts about a model, in the format of [caps.Caps.KnownFacts].
type known struct {
	ID   callwright.ModelID `json:"id,omitempty"`
	Caps map[string]string  `json:"caps,omitempty"`
}

// append returns the identity as JSON, with sorted facts.
func (i identity) append() []byte {
	b, _ := json.Marshal(i) // of strings alone
	return b
}

// facts returns the known facts as a list sorted by key.
func (k known) facts() []caps.Fact {
	var list []caps.Fact
	for _, key := range slices.Sorted(maps.Keys(k.Caps)) {
		f := caps.Fact{Key: key, Value: k.Caps[key]}
		if at := strings.LastIndex(f.Value, " ("); at >= 0 {
			if f.Source.UnmarshalText([]byte(strings.TrimSuffix(f.Value[at+2:], ")"))) == nil {
				f.Value = f.Value[:at]
			}
		}
		list = append(list, f)
	}
	return list
}

// Facts returns the facts in an entry of KindModel that were known at the time of the request, by model. A fallback
// chain has the facts of each candidate.
func (e *Entry) Facts() (map[callwright.ModelID][]caps.Fact, error) {
	var i identity
	if err := json.Unmarshal(e.Data, &i); err != nil {
		return nil, &callwright.Error{Op: opRead, Kind: callwright.KindInvalid, Message: "entry " + seqOf(e), Err: err}
	}
	all := map[callwright.ModelID][]caps.Fact{}
	for _, k := range append(i.Chain, i.known) {
		if len(k.Caps) > 0 {
			all[k.ID] = k.facts()
		}
	}
	return all, nil
}
