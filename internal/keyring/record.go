package keyring

import (
	"encoding/json"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
)

// A Kind is the type of a record: a key or a group.
type Kind string

// The values of Kind.
const (
	KeyKind   Kind = "key"
	GroupKind Kind = "group"
)

// An Action is the type of a change.
type Action string

// The values of Action.
const (
	Created  Action = "create"
	Changed  Action = "change"
	Disabled Action = "disable"
	Enabled  Action = "enable"
	Rotated  Action = "rotate"
	Deleted  Action = "delete"
)

// A change is the data of a log entry: the action, and the record after it.
type change struct {
	Kind   Kind      `json:"kind"`
	Name   string    `json:"name"`
	Action Action    `json:"action"`
	Who    string    `json:"who,omitempty"`
	Time   time.Time `json:"time"`
	Key    *key      `json:"key,omitempty"`   // nil for a group, and for a deleted key
	Group  *group    `json:"group,omitempty"` // nil for a key, and for a deleted group
}

// subject returns the subject of a record in the log.
func subject(kind Kind, name string) string { return string(kind) + "\x00" + name }

// A key is the stored state of a key.
type key struct {
	Hash     hash      `json:"hash"`
	Previous hash      `json:"previous,omitzero"` // the replaced secret, accepted until Until
	Until    time.Time `json:"previous_until,omitzero"`
	Created  time.Time `json:"created"`
	Settings
}

// A group is the stored state of a group of keys.
type group struct {
	Created time.Time `json:"created"`
	GroupSettings
}

// A hash is an access.Hash that is encoded as text.
type hash access.Hash

// MarshalText returns the hash in text form: "sha256:" and hexadecimal digits.
func (h hash) MarshalText() ([]byte, error) { return []byte(access.Hash(h).String()), nil }

// UnmarshalText parses the result of MarshalText.
func (h *hash) UnmarshalText(text []byte) error {
	read, err := access.ReadKey(string(text))
	*h = hash(read)
	return err
}

// access returns the key as the type of package access.
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
		if out.Expires = *k.Expires; out.Expires.IsZero() { // package access treats the zero time as no expiry
			out.Expires = time.Unix(0, 0)
		}
	}
	return out
}

func (g *group) access(name string) access.Group {
	return access.Group{Name: name, Limits: g.limits(), PerModel: perModel(g.Limits)}
}

// A Key is a key for display, without the secret and its hash.
type Key struct {
	Name    string    `json:"name" jsonschema:"the name of the key, by which usage is counted"`
	Created time.Time `json:"created" jsonschema:"the time of the creation"`
	Changed time.Time `json:"changed" jsonschema:"the time of the last change"`
	// PreviousUntil is the time until which the last replaced secret is accepted, nil for none.
	PreviousUntil *time.Time `json:"previous_until,omitempty" jsonschema:"the time until which the replaced secret is accepted, too"`
	Settings
}

// A Group is a group of keys for display.
type Group struct {
	Name    string    `json:"name" jsonschema:"the name of the group"`
	Created time.Time `json:"created" jsonschema:"the time of the creation"`
	Changed time.Time `json:"changed" jsonschema:"the time of the last change"`
	GroupSettings
}

// An Event is a change in the audit.
type Event struct {
	Number uint64    `json:"number" jsonschema:"the number of the change, in ascending order"`
	Time   time.Time `json:"time" jsonschema:"the time of the creation"`
	Who    string    `json:"who" jsonschema:"the name of the key that made the change; empty at a gateway without keys"`
	Action Action    `json:"action" jsonschema:"create, change, disable, enable, rotate or delete"`
	Kind   Kind      `json:"kind" jsonschema:"key or group"`
	Name   string    `json:"name" jsonschema:"the name of the key or the group"`
	// Before and After are the settings before and after the change: Settings of a key, or GroupSettings of a group. They
	// are nil if the record did not exist.
	Before json.RawMessage `json:"before,omitempty" jsonschema:"the settings before the change; absent if there were none"`
	After  json.RawMessage `json:"after,omitempty" jsonschema:"the settings after the change; absent if there are none"`
}

// settings returns the settings after the change as JSON, or nil for a deleted record.
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

// isGone reports whether the change deleted the record.
func (c *change) isGone() bool { return c.Key == nil && c.Group == nil }

// decodeChange decodes the data of a log entry. ok is false for an entry in the format of a later version.
func decodeChange(data []byte) (c *change, ok bool) {
	c = &change{}
	if json.Unmarshal(data, c) != nil || c.Kind != KeyKind && c.Kind != GroupKind || c.Name == "" {
		return nil, false
	}
	return c, true
}

// show returns the key after the change for display.
func (c *change) show() Key {
	out := Key{Name: c.Name, Created: c.Key.Created, Changed: c.Time, Settings: c.Key.Settings}
	if c.Key.Previous != (hash{}) {
		out.PreviousUntil = &c.Key.Until
	}
	return out
}

// showGroup returns the group after the change for display.
func (c *change) showGroup() Group {
	return Group{Name: c.Name, Created: c.Group.Created, Changed: c.Time, GroupSettings: c.Group.GroupSettings}
}

// NotFound returns the error for a key or group that does not exist.
func NotFound(kind Kind, name string) error {
	return callwright.Errorf("", callwright.KindNotFound, "",
		"there is no %s %q: GET /callwright/%[1]ss returns the list", kind, callwright.Excerpt(name))
}
