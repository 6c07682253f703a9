package trace

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// An identity is a model's name and stated capabilities, as the data of an entry.
type identity struct {
	known
	Chain []known `json:"ladder,omitempty"` // of a client, the models that it asks
}

// known holds the known facts about a model. Caps has the facts as [caps.Caps.KnownFacts] shows them.
type known struct {
	ID   callwright.ModelID `json:"id,omitempty"`
	Caps map[string]string  `json:"caps,omitempty"`
}

// append appends it as JSON; facts are sorted.
func (i identity) append() []byte {
	b, _ := json.Marshal(i) // of strings alone
	return b
}

// facts returns the known facts as a list, in the order of the keys.
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

// Facts returns the facts that were known when a request was made, of an entry that describes models: of the model, or
// of each that a client asks one after the other.
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
