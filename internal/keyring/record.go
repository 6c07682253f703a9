package keyring

import (
	"encoding/json"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
)

// A Kind is the kind of a record.
type Kind string

// The kinds.
const (
	KeyKind   Kind = "key"
	GroupKind Kind = "group"
)

// An Action is the action of a change.
type Action string

// The actions.
const (
	Created  Action = "create"
	Changed  Action = "change"
	Disabled Action = "disable"
	Enabled  Action = "enable"
	Rotated  Action = "rotate"
	Deleted  Action = "delete"
)

// A change is the data of an entry: the record as it is afterwards, with the action.
type change struct {
	Kind   Kind      `json:"kind"`
	Name   string    `json:"name"`
	Action Action    `json:"action"`
	Who    string    `json:"who,omitempty"`
	Time   time.Time `json:"time"`
	Key    *key      `json:"key,omitempty"`   // nil of a group, and of a key that is gone
	Group  *group    `json:"group,omitempty"` // likewise
}

// subject is the subject of the entries of a record.
func subject(kind Kind, name string) string { return string(kind) + "\x00" + name }

// A key is the record of a key.
type key struct {
	Hash     hash      `json:"hash"`
	Previous hash      `json:"previous,omitzero"` // that Hash takes the place of
	Until    time.Time `json:"previous_until,omitzero"`
	Created  time.Time `json:"created"`
	Settings
}

// A group is the record of a group of keys.
type group struct {
	Created time.Time `json:"created"`
	GroupSettings
}

// A hash is an access.Hash as text.
type hash access.Hash

// MarshalText is the text of access.Hash.
func (h hash) MarshalText() ([]byte, error) { return []byte(access.Hash(h).String()), nil }

// UnmarshalText reads it.
func (h *hash) UnmarshalText(text []byte) error {
	read, err := access.ReadKey(string(text))
	*h = hash(read)
	return err
}

// access returns the key as a gate takes it.
func (k *key) access(name string) access.Key {
	out := access.Key{
		Name: name, Hash: access.Hash(k.Hash), Previous: access.Hash(k.Previous), Models: k.Models, Providers: k.Providers,
		Verbs: k.Verbs, Limits: k.limits(),
		PerModel: perModel(k.Limits), Group: k.Group, Disabled: k.Disabled,
	}
	if k.Previous != (hash{}) {
		out.PreviousUntil = k.Until.Unix()
	}
	if k.Expires != nil {
		if out.Expires = *k.Expires; out.Expires.IsZero() { // which a gate takes for never
			out.Expires = time.Unix(0, 0)
		}
	}
	return out
}

func (g *group) access(name string) access.Group {
	return access.Group{Name: name, Limits: g.limits(), PerModel: perModel(g.Limits)}
}

// A Key is a key as it is shown: without the secret and its hash.
type Key struct {
	Name    string    `json:"name" jsonschema:"whose key it is; what is used is counted by it"`
	Created time.Time `json:"created" jsonschema:"when it was made"`
	Changed time.Time `json:"changed" jsonschema:"when it was changed last"`
	// PreviousUntil is until when the secret is taken too that was replaced last.
	PreviousUntil *time.Time `json:"previous_until,omitempty" jsonschema:"until when the secret that was replaced is taken too"`
	Settings
}

// A Group is a group of keys as it is shown.
type Group struct {
	Name    string    `json:"name" jsonschema:"the name of the group"`
	Created time.Time `json:"created" jsonschema:"when it was made"`
	Changed time.Time `json:"changed" jsonschema:"when it was changed last"`
	GroupSettings
}

// An Event is a change as the audit shows it.
type Event struct {
	Number uint64    `json:"number" jsonschema:"of the change, growing"`
	Time   time.Time `json:"time" jsonschema:"when it was made"`
	Who    string    `json:"who" jsonschema:"the name of the key that made it; empty at a gateway without keys"`
	Action Action    `json:"action" jsonschema:"create, change, disable, enable, rotate or delete"`
	Kind   Kind      `json:"kind" jsonschema:"key or group"`
	Name   string    `json:"name" jsonschema:"of the key or the group"`
	// Before and After are the settings: Settings of a key, GroupSettings of a group.
	Before json.RawMessage `json:"before,omitempty" jsonschema:"the settings before; absent where there was none"`
	After  json.RawMessage `json:"after,omitempty" jsonschema:"the settings afterwards; absent where there is none"`
}

// settings is the part of a change that an Event shows, nil of a removed record.
func (c *change) settings() json.RawMessage {
	var v any
	switch {
	case c == nil:
		return nil
	case c.Key != nil:
		v = &c.Key.Settings
	case c.Group != nil:
		v = &c.Group.GroupSettings
	default:
		return nil
	}
	text, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return text
}

// isGone reports whether the record is not there after a change.
func (c *change) isGone() bool { return c.Key == nil && c.Group == nil }

// decodeChange reads the data of an entry; not ok for one of a later version.
func decodeChange(data []byte) (c *change, ok bool) {
	c = &change{}
	if json.Unmarshal(data, c) != nil || c.Kind != KeyKind && c.Kind != GroupKind || c.Name == "" {
		return nil, false
	}
	return c, true
}

// show returns the key of a change.
func (c *change) show() Key {
	out := Key{Name: c.Name, Created: c.Key.Created, Changed: c.Time, Settings: c.Key.Settings}
	if c.Key.Previous != (hash{}) {
		out.PreviousUntil = &c.Key.Until
	}
	return out
}

// showGroup returns the group of a change.
func (c *change) showGroup() Group {
	return Group{Name: c.Name, Created: c.Group.Created, Changed: c.Time, GroupSettings: c.Group.GroupSettings}
}

// NotFound is the error of a record that is not there.
func NotFound(kind Kind, name string) error {
	return callwright.Errorf("", callwright.KindNotFound, "",
		"there is no %s %q: GET /callwright/%[1]ss lists those that there are", kind, callwright.Excerpt(name))
}
