package trace

import (
	"encoding/json"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// An identity is what a model says of itself, as the data of an entry. Caps has its facts as [caps.Caps.Known] shows them.
type identity struct {
	ID   callwright.ModelID `json:"id,omitempty"`
	Caps map[string]string  `json:"caps,omitempty"`
}

// append appends it as JSON; facts are sorted.
func (i identity) append() []byte {
	b, _ := json.Marshal(i) // of strings alone
	return b
}

// facts is what the model can do. Facts that this version does not know are left out.
func (i identity) facts() caps.Caps {
	var list []caps.Fact
	for key, shown := range i.Caps {
		f := caps.Fact{Key: key, Value: shown}
		if at := strings.LastIndex(shown, " ("); at >= 0 {
			if f.Source.UnmarshalText([]byte(strings.TrimSuffix(shown[at+2:], ")"))) == nil {
				f.Value = shown[:at]
			}
		}
		list = append(list, f)
	}
	return caps.Caps{}.Laid(list)
}
