package keyring

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
)

// Settings are the labels, the scope and the limits of a key.
type Settings struct {
	// Labels are for people and programs that manage keys. The gateway does not use them.
	Labels map[string]string `json:"labels,omitempty" jsonschema:"labels of the operator: names with texts"`
	// Group is the group of the key, whose limits apply in addition to those of the key.
	Group    string `json:"group,omitempty" jsonschema:"the group whose limits apply in addition to those of the key"`
	Disabled bool   `json:"disabled,omitempty" jsonschema:"whether the key is refused"`
	// Models, Providers and Verbs are as in access.Key: nil permits everything, an empty list nothing.
	Models    []string      `json:"models,omitzero" jsonschema:"names or patterns of the permitted models; all if absent"`
	Providers []string      `json:"providers,omitzero" jsonschema:"providers whose models may answer; all if absent"`
	Verbs     []access.Verb `json:"verbs,omitzero" jsonschema:"what the key permits; generate, count, list, explain and reports if absent"`
	Expires   *time.Time    `json:"expires,omitempty" jsonschema:"the expiry of the key; none if absent"`
	Bounds
	Limits []ModelBounds `json:"limits,omitempty" jsonschema:"further limits by model; the first that matches a request applies"`
}

// Bounds are limits of requests, tokens and cost. 0 is no limit.
type Bounds struct {
	Requests int64  `json:"requests_per_minute,omitempty" jsonschema:"requests to models in any 60 seconds"`
	Tokens   int64  `json:"tokens_per_minute,omitempty" jsonschema:"input and output tokens in any 60 seconds"`
	Spend    *Spend `json:"spend,omitempty" jsonschema:"the budget in US dollars"`
}

// ModelBounds are limits for all models together that match the pattern Models.
type ModelBounds struct {
	Models string `json:"models" jsonschema:"a name or a pattern of models"`
	Bounds
}

// A Spend is a spending limit.
type Spend struct {
	USD      float64       `json:"usd" jsonschema:"US dollars"`
	Per      access.Period `json:"per,omitempty" jsonschema:"day or month, by the calendar in UTC; month if absent"`
	Unpriced string        `json:"unpriced,omitempty" jsonschema:"requests to models without a known price: refuse or allow; refuse if absent"`
}

// GroupSettings are the labels of a group and the limits that its keys share.
type GroupSettings struct {
	Labels map[string]string `json:"labels,omitempty" jsonschema:"labels of the operator: names with texts"`
	Bounds
	Limits []ModelBounds `json:"limits,omitempty" jsonschema:"further limits by model; the first that matches a request applies"`
}

// The values of Spend.Unpriced.
const (
	refuseUnpriced = "refuse"
	allowUnpriced  = "allow"
)

// The maximum sizes of settings.
const (
	MaxLabels  = 32
	MaxLabel   = 256  // characters of a label's name, and of its text
	MaxList    = 1000 // number of model patterns, and of providers
	MaxPattern = 256  // characters of a pattern
	MaxLimits  = 100  // number of limits for models
	MinUSD     = 1e-9 // the smallest unit that is counted; a key without a spending limit has no Spend
	MaxUSD     = 1e9
)

// NamePattern is a regular expression for the names of keys and groups. Names are part of URL paths and contain no
// slash.
const NamePattern = `^[A-Za-z0-9][A-Za-z0-9._@:+ -]{0,127}$`

var nameForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(NamePattern) })

func checkName(name string) error {
	if !nameForm().MatchString(name) {
		return invalid("/name", "expected a name of 1 to 128 letters, digits, spaces and . _ @ : + -, which begins with a letter or a digit, got %q", callwright.Excerpt(name))
	}
	return nil
}

// invalid returns the error for an invalid member. path is its JSON Pointer.
func invalid(path, format string, args ...any) error {
	return callwright.Errorf("", callwright.KindInvalid, path, format, args...)
}

// check returns an error for invalid settings.
func (s *Settings) check() error {
	if err := checkLabels(s.Labels); err != nil {
		return err
	}
	for _, list := range []struct {
		path  string
		texts []string
	}{{"/models", s.Models}, {"/providers", s.Providers}} {
		if len(list.texts) > MaxList {
			return invalid(list.path, "expected at most %d names, got %d", MaxList, len(list.texts))
		}
		for _, text := range list.texts {
			if err := checkPattern(list.path, text); err != nil {
				return err
			}
		}
	}
	for _, v := range s.Verbs {
		if !slices.Contains(access.Verbs(), v) {
			return invalid("/verbs", "unknown verb %q: expected some of %v", callwright.Excerpt(string(v)), access.Verbs())
		}
	}
	return checkBounds(&s.Bounds, s.Limits)
}

func (s *GroupSettings) check() error {
	if err := checkLabels(s.Labels); err != nil {
		return err
	}
	return checkBounds(&s.Bounds, s.Limits)
}

func checkLabels(labels map[string]string) error {
	if len(labels) > MaxLabels {
		return invalid("/labels", "expected at most %d labels, got %d", MaxLabels, len(labels))
	}
	for name, text := range labels {
		if name == "" || utf8.RuneCountInString(name) > MaxLabel || utf8.RuneCountInString(text) > MaxLabel {
			return invalid("/labels", "expected names of 1 to %d characters and texts of at most %d, got %d and %d bytes",
				MaxLabel, MaxLabel, len(name), len(text))
		}
	}
	return nil
}

func checkPattern(path, text string) error {
	if n := utf8.RuneCountInString(text); n == 0 || n > MaxPattern {
		return invalid(path, "expected a name or a pattern of 1 to %d characters, got %d", MaxPattern, n)
	}
	return nil
}

func checkBounds(b *Bounds, limits []ModelBounds) error {
	if err := b.check(""); err != nil {
		return err
	}
	if len(limits) > MaxLimits {
		return invalid("/limits", "expected at most %d limits, got %d", MaxLimits, len(limits))
	}
	for i := range limits {
		path := fmt.Sprintf("/limits/%d", i)
		if err := checkPattern(path+"/models", limits[i].Models); err != nil {
			return err
		}
		if n := len(limits[i].Models); n > MaxPattern { // part of the name of a counter, whose length is limited
			return invalid(path+"/models", "expected a pattern of at most %d bytes, got %d", MaxPattern, n)
		}
		if err := limits[i].check(path); err != nil {
			return err
		}
	}
	return nil
}

func (b *Bounds) check(path string) error {
	switch s := b.Spend; {
	case b.Requests < 0:
		return invalid(path+"/requests_per_minute", "expected a number from 0, got %d", b.Requests)
	case b.Tokens < 0:
		return invalid(path+"/tokens_per_minute", "expected a number from 0, got %d", b.Tokens)
	case s == nil:
		return nil
	case s.USD < MinUSD || s.USD > MaxUSD || math.IsNaN(s.USD):
		return invalid(path+"/spend/usd", "expected US dollars above 0, up to %d, got %v: leave spend out for no limit", int64(MaxUSD), s.USD)
	case s.Per != "" && s.Per != access.Day && s.Per != access.Month:
		return invalid(path+"/spend/per", "expected day or month, got %q", callwright.Excerpt(string(s.Per)))
	case s.Unpriced != "" && s.Unpriced != refuseUnpriced && s.Unpriced != allowUnpriced:
		return invalid(path+"/spend/unpriced", "expected refuse or allow, got %q", callwright.Excerpt(s.Unpriced))
	}
	return nil
}

// limits returns the limits as the type of package access.
func (b *Bounds) limits() access.Limits {
	l := access.Limits{Requests: b.Requests, Tokens: b.Tokens}
	if s := b.Spend; s != nil && s.USD > 0 {
		l.Spend = access.Spend{USD: s.USD, Per: s.Per, Unpriced: s.Unpriced == allowUnpriced}
	}
	return l
}

// perModel returns the limits as the type of package access. Of several limits for one pattern the first applies.
func perModel(limits []ModelBounds) (out []access.ModelLimits) {
	for i := range limits {
		if slices.ContainsFunc(out, func(l access.ModelLimits) bool { return l.Models == limits[i].Models }) {
			continue
		}
		out = append(out, access.ModelLimits{Models: limits[i].Models, Limits: limits[i].limits()})
	}
	return out
}

// boundsOf returns limits of package access as Bounds.
func boundsOf(l *access.Limits) Bounds {
	b := Bounds{Requests: l.Requests, Tokens: l.Tokens}
	if l.Spend.USD > 0 {
		b.Spend = &Spend{USD: l.Spend.USD, Per: l.Spend.Per}
		if l.Spend.Unpriced {
			b.Spend.Unpriced = allowUnpriced
		}
	}
	return b
}

// SettingsOf returns the settings of a key of package access, such as a configured one.
func SettingsOf(k *access.Key) Settings {
	s := Settings{Group: k.Group, Disabled: k.Disabled, Models: k.Models, Providers: k.Providers, Verbs: k.Verbs, Bounds: boundsOf(&k.Limits)}
	if !k.Expires.IsZero() {
		s.Expires = &k.Expires
	}
	for i := range k.PerModel {
		s.Limits = append(s.Limits, ModelBounds{k.PerModel[i].Models, boundsOf(&k.PerModel[i].Limits)})
	}
	return s
}

// GroupSettingsOf returns the settings of a group of package access, such as a configured one.
func GroupSettingsOf(g *access.Group) GroupSettings {
	s := GroupSettings{Bounds: boundsOf(&g.Limits)}
	for i := range g.PerModel {
		s.Limits = append(s.Limits, ModelBounds{g.PerModel[i].Models, boundsOf(&g.PerModel[i].Limits)})
	}
	return s
}

// Decode decodes one JSON object into v. Unknown members are errors. Errors are of KindInvalid.
func Decode(data []byte, v any) error {
	if trimmed := bytes.TrimSpace(data); len(trimmed) == 0 || trimmed[0] != '{' {
		return invalid("", "expected a JSON object in the body")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			return invalid("", "expected one JSON object in the body, got more")
		}
		return nil
	}
	return invalid("", "the body is invalid: %s", strings.TrimPrefix(err.Error(), "json: "))
}

// applyPatch returns settings changed by a JSON Merge Patch (RFC 7396), in which null removes a member.
func applyPatch[T any](now T, patch []byte) (T, error) {
	var none T
	var changes map[string]any
	if err := Decode(patch, &changes); err != nil {
		return none, err
	}
	text, err := json.Marshal(now)
	if err != nil {
		return none, err
	}
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		return none, err
	}
	doc = merge(doc, changes)
	if spend, ok := doc["spend"].(map[string]any); ok && spend["usd"] == nil { // without usd there is no limit
		delete(doc, "spend")
	}
	if text, err = json.Marshal(doc); err != nil {
		return none, err
	}
	var out T
	if err := Decode(text, &out); err != nil {
		return none, err
	}
	return out, nil
}

// merge applies a JSON Merge Patch to an object.
func merge(doc, patch map[string]any) map[string]any {
	if doc == nil {
		doc = map[string]any{}
	}
	for name, value := range patch {
		inner, isObject := value.(map[string]any)
		switch {
		case value == nil:
			delete(doc, name)
		case isObject:
			was, _ := doc[name].(map[string]any)
			doc[name] = merge(was, inner)
		default:
			doc[name] = value
		}
	}
	return doc
}
