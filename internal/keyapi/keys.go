package keyapi

import (
	"net/http"
	"net/url"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/keyring"
)

// A Source is the place where a key or group is stored.
type Source string

// The values of Source.
const (
	FromState         Source = "state"         // created by this API
	FromConfiguration Source = "configuration" // in the configuration or its key file, where it must be changed
)

// A Key is a key in a response, without its secret.
type Key struct {
	Name          string     `json:"name" jsonschema:"the name of the key, by which usage is counted"`
	Source        Source     `json:"source" jsonschema:"state, or configuration for a key that can be changed only there"`
	Created       *time.Time `json:"created,omitempty" jsonschema:"the time of the creation; absent for a key of the configuration"`
	Changed       *time.Time `json:"changed,omitempty" jsonschema:"the time of the last change; absent for a key of the configuration"`
	PreviousUntil *time.Time `json:"previous_until,omitempty" jsonschema:"the time until which the replaced secret is accepted, too"`
	keyring.Settings
	// Usage is the use of the limits, and the total use since the start of this gateway. It is nil in lists.
	Usage *access.Usage `json:"usage,omitempty" jsonschema:"the usage of the key; absent in lists"`
}

// A KeyList is the response with all keys.
type KeyList struct {
	Keys []Key `json:"keys" jsonschema:"first those of the configuration, then the others by name"`
}

// A NewKey is the response with a new key and its secret, which no other response contains.
type NewKey struct {
	Key    Key    `json:"key" jsonschema:"the key"`
	Secret string `json:"secret" jsonschema:"the secret that clients send; no other response contains it"`
}

// A KeyRequest is the body of a request that creates a key.
type KeyRequest struct {
	Name string `json:"name" jsonschema:"the name of the key: letters, digits, spaces and . _ @ : + -"`
	keyring.Settings
}

// A RotateRequest is the body of a request for a new secret of a key.
type RotateRequest struct {
	Overlap string `json:"overlap,omitempty" jsonschema:"how long the previous secret is accepted, too, such as 24h; not at all if absent"`
}

// stateKey returns a key of the ring in the form of responses.
func stateKey(k keyring.Key) Key {
	return Key{Name: k.Name, Source: FromState, Created: &k.Created, Changed: &k.Changed, PreviousUntil: k.PreviousUntil, Settings: k.Settings}
}

// Keys returns all keys: first those of the configuration, then those of the ring by name.
func (a *API) Keys() []Key {
	out := []Key{}
	for _, k := range a.Gate.ConfiguredKeys() {
		out = append(out, Key{Name: k.Name, Source: FromConfiguration, Settings: keyring.SettingsOf(&k)})
	}
	for _, k := range a.Ring.List() {
		out = append(out, stateKey(k))
	}
	return out
}

func (a *API) listKeys(w http.ResponseWriter, _ *http.Request, _ *request) error {
	return answer(w, http.StatusOK, KeyList{a.Keys()})
}

func (a *API) createKey(w http.ResponseWriter, r *http.Request, in *request) error {
	var key KeyRequest
	if err := keyring.Decode(in.body, &key); err != nil {
		return err
	}
	k, secret, err := a.Ring.Create(r.Context(), in.caller.Name, key.Name, key.Settings)
	if err != nil {
		return err
	}
	w.Header().Set("Location", "/callwright/keys/"+url.PathEscape(k.Name))
	return answer(w, http.StatusCreated, NewKey{stateKey(k), secret})
}

func (a *API) showKey(w http.ResponseWriter, r *http.Request, _ *request) error {
	name := r.PathValue("name")
	for _, k := range a.Keys() {
		if k.Name == name {
			if u, ok := a.Gate.UsageOf(r.Context(), name); ok {
				k.Usage = &u
			}
			return answer(w, http.StatusOK, k)
		}
	}
	return keyring.NotFound(keyring.KeyKind, name)
}

func (a *API) changeKey(w http.ResponseWriter, r *http.Request, in *request) error {
	k, err := a.Ring.Change(r.Context(), in.caller.Name, r.PathValue("name"), in.body)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, stateKey(k))
}

func (a *API) deleteKey(w http.ResponseWriter, r *http.Request, in *request) error {
	if err := a.Ring.Delete(r.Context(), in.caller.Name, r.PathValue("name")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (a *API) rotateKey(w http.ResponseWriter, r *http.Request, in *request) error {
	var how RotateRequest
	if err := keyring.Decode(in.body, &how); err != nil {
		return err
	}
	overlap := time.Duration(0)
	if how.Overlap != "" {
		var err error
		if overlap, err = time.ParseDuration(how.Overlap); err != nil {
			return callwright.Errorf("", callwright.KindInvalid, "/overlap", "expected a duration such as 24h or 30m, got %q",
				callwright.Excerpt(how.Overlap))
		}
	}
	k, secret, err := a.Ring.Rotate(r.Context(), in.caller.Name, r.PathValue("name"), overlap)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, NewKey{stateKey(k), secret})
}
