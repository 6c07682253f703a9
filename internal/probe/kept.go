package probe

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/callwright/callwright/caps"
)

// A Kept is a stored card, and comes back whole from its JSON: it has the members that the JSON of a Card leaves out.
type Kept struct {
	*Card
	Probed time.Time // when the probe ended
}

var (
	_ json.Marshaler   = Kept{}
	_ json.Unmarshaler = (*Kept)(nil)
)

// keptForm is the JSON of a Kept.
type keptForm struct {
	Probed time.Time   `json:"probed"`
	Calls  int         `json:"calls"`
	Sent   int         `json:"requests"`
	Found  []caps.Fact `json:"found,omitempty"`
	Card   *Card       `json:"card"`
}

// MarshalJSON writes the card.
func (k Kept) MarshalJSON() ([]byte, error) {
	return json.Marshal(keptForm{k.Probed, k.Calls, k.Sent, k.Found, k.Card})
}

// UnmarshalJSON reads a card. A check that this version does not make has no About.
func (k *Kept) UnmarshalJSON(text []byte) error {
	var in keptForm
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	if in.Card == nil {
		return errors.New("expected a card")
	}
	*k = Kept{Card: in.Card, Probed: in.Probed}
	k.Calls, k.Sent, k.Found = in.Calls, in.Sent, in.Found
	for i := range k.Checks {
		for n := range checks {
			if checks[n].name == k.Checks[i].Name {
				k.Checks[i].About = checks[n].about
			}
		}
	}
	return nil
}
