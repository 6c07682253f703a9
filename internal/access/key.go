package access

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/callwright/callwright"
)

// A Hash is the SHA-256 hash of a key, which is stored instead of the key.
type Hash [sha256.Size]byte

// HashOf returns the hash of a key.
func HashOf(key string) Hash { return sha256.Sum256([]byte(key)) }

// hashScheme is the prefix of a hash in text form.
const hashScheme = "sha256:"

// String returns the hash in text form: "sha256:" and 64 hexadecimal digits.
func (h Hash) String() string { return hashScheme + hex.EncodeToString(h[:]) }

// IsHash reports whether a text is the hash of a key in text form, by its prefix.
func IsHash(text string) bool { return strings.HasPrefix(text, hashScheme) }

// ReadKey returns the hash of a key. text is the key itself or its hash in text form.
func ReadKey(text string) (Hash, error) {
	digits, hashed := strings.CutPrefix(text, hashScheme)
	if !hashed {
		if text == "" {
			return Hash{}, fmt.Errorf("expected a key, got nothing")
		}
		return HashOf(text), nil
	}
	raw, err := hex.DecodeString(digits)
	if err != nil || len(raw) != sha256.Size {
		return Hash{}, fmt.Errorf("expected %s and %d hexadecimal digits, got %d characters", hashScheme, 2*sha256.Size, len(digits))
	}
	return Hash(raw), nil
}

// keyPrefix is the prefix of new keys, by which people and scanners for leaked secrets recognise them.
const keyPrefix = "cw_"

// NewKey returns a new random key of 256 bits, with the prefix "cw_".
func NewKey() string {
	var raw [32]byte
	_, _ = rand.Read(raw[:]) // it never fails
	return keyPrefix + base64.RawURLEncoding.EncodeToString(raw[:])
}

// An Owner identifies the owner of stored state, such as a response. State is only found for its owner. All keys with
// one name have the same owner, so that a key can be replaced.
type Owner [sha256.Size]byte

func ownerOf(name string) Owner { return sha256.Sum256([]byte("callwright key name\x00" + name)) }

// A Verb is an operation that a key permits.
type Verb string

// The verbs.
const (
	Generate Verb = "generate" // send requests to models, and read stored responses
	Count    Verb = "count"    // count the tokens of a request
	List     Verb = "list"     // read the list of models and their facts
	Explain  Verb = "explain"  // preview the plan of a request
	Reports  Verb = "reports"  // read reports of requests
	Admin    Verb = "admin"    // change learned facts, and other administration
	UI       Verb = "ui"       // view the dashboard pages
	Metrics  Verb = "metrics"  // read the metrics
)

// Verbs lists all verbs.
func Verbs() []Verb { return []Verb{Generate, Count, List, Explain, Reports, Admin, UI, Metrics} }

// usual are the verbs of a key without a list of verbs.
var usual = []Verb{Generate, Count, List, Explain, Reports}

// A Key is the scope and the limits of one key. Only Name and Hash are required.
type Key struct {
	// Name identifies the key in logs, errors and lists, see [CheckName]. Use is counted by name.
	Name string
	Hash Hash
	// Previous is the hash of the previous key, which is still accepted, or the zero Hash.
	Previous Hash
	// PreviousUntil is the expiry of Previous in Unix seconds, 0 for none.
	PreviousUntil int64
	// Owner is the owner of the state that is stored for the key. The zero Owner means an owner derived from Name.
	Owner Owner
	// Models are patterns of the permitted model names, in which asterisks stand for any characters. A name is permitted
	// if a pattern matches it, or if patterns match all models to which it resolves, as provider/model. Nil permits all
	// models.
	Models []string
	// Providers are the providers whose models may answer. Nil permits all.
	Providers []string
	// Verbs are the permitted operations. Nil permits all except Admin, UI and Metrics.
	Verbs []Verb
	// Expires is the expiry of the key. The zero time means none.
	Expires time.Time
	Limits  Limits
	// PerModel are limits for models, in addition to Limits. The first element applies whose pattern matches the name in
	// the request or the first model of its fallback chain.
	PerModel []ModelLimits
	// Group is the group of the key, whose limits apply in addition to those of the key. It is empty for none.
	Group string
	// Disabled reports whether the key is rejected.
	Disabled bool
	// Conversation is the limits of each conversation of the key.
	Conversation Conversation
}

// Can reports whether the key permits the operation v.
func (k *Key) Can(v Verb) bool {
	if k.Verbs == nil {
		return slices.Contains(usual, v)
	}
	return slices.Contains(k.Verbs, v)
}

// NewUnlimitedKey returns a key without scope, expiry and limits. Its owner is derived from the hash, not from the
// name.
func NewUnlimitedKey(name string, h Hash) Key {
	return Key{Name: name, Hash: h, Owner: Owner(h), Verbs: Verbs()}
}

// Limits are limits of a key or a group. 0 is no limit.
type Limits struct {
	Requests int64 // requests to models in any 60 seconds
	Tokens   int64 // tokens of input, including cached ones, and of output in any 60 seconds
	Spend    Spend
}

// ModelLimits are limits for all models together that match the pattern Models.
type ModelLimits struct {
	Models string
	Limits
}

// Spend is a spending limit. The zero Spend is no limit.
type Spend struct {
	USD float64
	Per Period // Day or Month
	// Unpriced permits models without a known price, which count as free.
	Unpriced bool
}

// period returns Per, or Month if Per is empty.
func (s *Spend) period() Period {
	if s.Per == "" {
		return Month
	}
	return s.Per
}

// A Period is the length of a window in which something is counted. Minute is a sliding window. Day and Month are fixed
// windows by the calendar in UTC.
type Period string

// The values of Period.
const (
	Minute Period = "minute"
	Day    Period = "day"
	Month  Period = "month"
)

// The parts of the sliding window of a minute. The window has one more part than a minute, so that it covers any 60
// seconds.
const (
	minutePart   = time.Second
	minuteWindow = time.Minute + minutePart
)

// window returns the window of the period for the time now. A sliding window ends with the part that contains now.
func (p Period) window(now time.Time) Window {
	now = now.UTC()
	switch p {
	case Day:
		start := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
		return Window{Start: start, End: start.AddDate(0, 0, 1)}
	case Month:
		start := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
		return Window{Start: start, End: start.AddDate(0, 1, 0)}
	}
	end := now.Truncate(minutePart).Add(minutePart)
	return Window{Start: end.Add(-minuteWindow), End: end, Part: minutePart}
}

// maxKeyName is the maximum length of a key's name in bytes.
const maxKeyName = 128

// ParseExpires parses the expiry of a key: a time of RFC 3339, or a date such as 2027-01-31, which means the end of
// that day in UTC. The error quotes the text.
func ParseExpires(text string) (time.Time, error) {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day.AddDate(0, 0, 1), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, fmt.Errorf("expected a time such as 2027-01-31T12:00:00Z, or a day such as 2027-01-31, got %q",
			callwright.Excerpt(text))
	}
	return at.UTC(), nil
}

// CheckName returns an error for an invalid name of a key or group. A valid name has 1 to 128 bytes of UTF-8 without
// control characters.
func CheckName(name string) error {
	switch {
	case name == "" || len(name) > maxKeyName:
		return fmt.Errorf("expected a name of 1 to %d bytes, got %d", maxKeyName, len(name))
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return fmt.Errorf("expected a name without control characters, got %q", name)
	}
	return nil
}

// Fits reports whether text matches pattern, in which asterisks stand for any characters.
func Fits(pattern, text string) bool {
	first, rest, wild := strings.Cut(pattern, "*")
	if !wild {
		return pattern == text
	}
	text, ok := strings.CutPrefix(text, first)
	if !ok {
		return false
	}
	for {
		part, more, again := strings.Cut(rest, "*")
		if !again {
			return strings.HasSuffix(text, part)
		}
		i := strings.Index(text, part)
		if i < 0 {
			return false
		}
		text, rest = text[i+len(part):], more
	}
}
