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

// A Hash identifies a key. The key itself is not kept.
type Hash [sha256.Size]byte

// HashOf returns the hash of a key.
func HashOf(key string) Hash { return sha256.Sum256([]byte(key)) }

// hashScheme is the prefix of the text of a hash.
const hashScheme = "sha256:"

// String is the hash as ReadKey takes it: sha256: and 64 hexadecimal digits.
func (h Hash) String() string { return hashScheme + hex.EncodeToString(h[:]) }

// IsHash reports whether a text stands for a key as its hash, in the way of ReadKey.
func IsHash(text string) bool { return strings.HasPrefix(text, hashScheme) }

// ReadKey returns the hash of a key that is written as itself or as its hash.
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

// keyPrefix is the prefix of new keys, by which scanners of leaked secrets and people recognise them.
const keyPrefix = "cw_"

// NewKey returns a random key of 256 bits.
func NewKey() string {
	var raw [32]byte
	_, _ = rand.Read(raw[:]) // it never fails
	return keyPrefix + base64.RawURLEncoding.EncodeToString(raw[:])
}

// An Owner identifies the owner of kept state, which only the same owner finds. Keys of one name have one owner, so
// that a key can be replaced.
type Owner [sha256.Size]byte

func ownerOf(name string) Owner { return sha256.Sum256([]byte("callwright key name\x00" + name)) }

// A Verb is something that a key may be used for.
type Verb string

// The verbs.
const (
	Generate Verb = "generate" // ask models, and read the answers again that are kept
	Count    Verb = "count"    // count the tokens of a request
	List     Verb = "list"     // read about models
	Explain  Verb = "explain"  // preview the plan of a request
	Reports  Verb = "reports"  // read reports
	Admin    Verb = "admin"    // change learned facts, and other operations of operators
	UI       Verb = "ui"       // the pages for a browser
	Metrics  Verb = "metrics"  // the figures for a monitoring system
)

// Verbs lists all verbs.
func Verbs() []Verb { return []Verb{Generate, Count, List, Explain, Reports, Admin, UI, Metrics} }

// usual are the verbs of a key that lists none.
var usual = []Verb{Generate, Count, List, Explain, Reports}

// A Key holds the scope and the limits of one key. Only Name and Hash are required.
type Key struct {
	// Name names the key in logs, errors and lists: see [CheckName]. Use is counted by name.
	Name string
	Hash Hash
	// Previous is the hash of the previous key, which is still accepted; the zero Hash for none.
	Previous Hash
	// PreviousUntil is the end of Previous in seconds since 1970; 0 is never.
	PreviousUntil int64
	// Owner is the owner of the state that is kept for the key; the zero Owner is derived from Name.
	Owner Owner
	// Models are patterns of the permitted names, in which asterisks stand for any characters. A name is permitted if a
	// pattern matches the name itself, such as an alias, or if patterns match all models that it resolves to, as
	// provider/model. Nil permits all.
	Models []string
	// Providers are those whose models may answer; nil is all.
	Providers []string
	// Verbs are the permitted uses of the key; nil permits all but Admin, UI and Metrics.
	Verbs []Verb
	// Expires is the expiry of the key; the zero time is never.
	Expires time.Time
	Limits  Limits
	// PerModel are limits of single models beside Limits. The first row applies whose pattern matches the name in the
	// request, or the model that is asked first.
	PerModel []ModelLimits
	// Group is the name of a group whose limits hold beside those of the key; empty is none.
	Group string
	// Disabled keys are rejected.
	Disabled bool
	// Conversation bounds each conversation of the key.
	Conversation Conversation
}

// Can reports whether the key is for a verb.
func (k *Key) Can(v Verb) bool {
	if k.Verbs == nil {
		return slices.Contains(usual, v)
	}
	return slices.Contains(k.Verbs, v)
}

// NewUnlimitedKey returns a key without scope, end and limits, whose owner goes by the key.
func NewUnlimitedKey(name string, h Hash) Key {
	return Key{Name: name, Hash: h, Owner: Owner(h), Verbs: Verbs()}
}

// Limits bound the use of one key. 0 is no limit.
type Limits struct {
	Requests int64 // to models, in any 60 seconds
	Tokens   int64 // in any 60 seconds, of input and output, cached ones too
	Spend    Spend
}

// ModelLimits are limits of the models that a pattern fits, all together.
type ModelLimits struct {
	Models string
	Limits
}

// Spend is the spending limit of a key. The zero Spend is no limit.
type Spend struct {
	USD float64
	Per Period // Day or Month
	// Unpriced permits models without a known price; they count as free.
	Unpriced bool
}

// period returns Per, or Month if Per is empty.
func (s *Spend) period() Period {
	if s.Per == "" {
		return Month
	}
	return s.Per
}

// A Period is how long the windows are in which something is counted: a minute that moves with the time, and days and
// months by the calendar in UTC.
type Period string

// The periods.
const (
	Minute Period = "minute"
	Day    Period = "day"
	Month  Period = "month"
)

// A minute moves in parts. Its window has one more part than a minute, so that it covers any 60 seconds.
const (
	minutePart   = time.Second
	minuteWindow = time.Minute + minutePart
)

// window returns the window of the period that has now at its end, or in it.
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

// maxKeyName bounds the bytes of a key's name.
const maxKeyName = 128

// ParseExpires parses the expiry of a key: a time of RFC 3339, or a day, whose end in UTC is the expiry. The error
// quotes the text.
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

// CheckName returns an error for an invalid name of a key: a name has 1 to 128 bytes and no control characters.
func CheckName(name string) error {
	switch {
	case name == "" || len(name) > maxKeyName:
		return fmt.Errorf("expected a name of 1 to %d bytes, got %d", maxKeyName, len(name))
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return fmt.Errorf("expected a name without control characters, got %q", name)
	}
	return nil
}

// Fits reports whether a text fits a pattern, in which asterisks stand for any characters.
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
