package probe

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/callwright/callwright/caps"
)

// A StoredCard is a card for storage, with the time of its probe. Its JSON also has the fields Found, Calls and Sent,
// which the JSON of a Card omits.
type StoredCard struct {
	*Card
	Probed time.Time // end of the probe
}

var (
	_ json.Marshaler   = StoredCard{}
	_ json.Unmarshaler = (*StoredCard)(nil)
)

// storedCardForm is the JSON form of a StoredCard.
type storedCardForm struct {
	Probed time.Time   `json:"probed"`
	Calls  int         `json:"calls"`
	Sent   int         `json:"requests"`
	Found  []caps.Fact `json:"found,omitempty"`
	Card   *Card       `json:"card"`
}

// MarshalJSON returns the JSON of the card, with the members probed, calls, requests, found and card.
func (k StoredCard) MarshalJSON() ([]byte, error) {
	return json.Marshal(storedCardForm{k.Probed, k.Calls, k.Sent, k.Found, k.Card})
}

// UnmarshalJSON reads the JSON of MarshalJSON. It sets About of each check from the checks of this version of the
// program; a check that this version does not have gets no About.
func (k *StoredCard) UnmarshalJSON(text []byte) error {
	var in storedCardForm
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	if in.Card == nil {
		return errors.New("expected a card")
	}
	*k = StoredCard{Card: in.Card, Probed: in.Probed}
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
