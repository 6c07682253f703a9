package config

import (
	"fmt"
	"reflect"
	"time"

	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/provider"
	"github.com/goccy/go-yaml/ast"
)

// An AccessKey is an access key of clients with its scope and limits. In a file it is a mapping, or a string: a key
// without scope and limits.
type AccessKey struct {
	Name      string          `json:"name,omitempty" jsonschema:"the name of the key, in logs and errors. Usage and stored data belong to this name"`
	Key       provider.Secret `json:"key,omitempty" jsonschema:"the key, env:NAME, file:PATH, or sha256:HASH with the hash that callwright keys new prints"`
	Previous  provider.Secret `json:"previous,omitempty" default:"none" jsonschema:"the key that this one replaces. It is accepted too, as long as this setting is present"`
	Group     string          `json:"group,omitempty" default:"none" jsonschema:"the group whose limits apply in addition to those of the key: one of groups, or one created by the API"`
	Models    []string        `json:"models,omitempty" default:"all" jsonschema:"patterns of the models that the key may request, by the requested name or by the provider/model it resolves to; an asterisk matches any characters"`
	Providers []string        `json:"providers,omitempty" default:"all" jsonschema:"providers whose models may answer, also as fallbacks"`
	Verbs     []access.Verb   `json:"verbs,omitempty" default:"[generate, count, list, explain, reports]" jsonschema:"what the key permits: generate (call models), count (tokens), list (models), explain, reports, admin (change keys and learned facts), ui (dashboard) and metrics (for Prometheus)"`
	Expires   time.Time       `json:"expires,omitzero" default:"never" jsonschema:"the expiry, such as 2027-01-31T12:00:00Z. A date without a time, such as 2027-01-31, means the end of that day in UTC"`
	Requests  int             `json:"requests_per_minute,omitempty" default:"no limit" jsonschema:"requests to models"`
	Tokens    int             `json:"tokens_per_minute,omitempty" default:"no limit" jsonschema:"tokens: input, including cached input, and output"`
	Spend     KeySpend        `json:"spend,omitempty" default:"no limit" jsonschema:"the budget in US dollars"`
	Limits    ModelLimits     `json:"limits,omitempty" default:"none" jsonschema:"further limits by model name or pattern: requests_per_minute, tokens_per_minute and spend. The first that matches a request applies"`

	Conversation Conversation `json:"conversation,omitzero" default:"no limit" jsonschema:"the limits of one conversation of the key, with all models. Near a limit the model is told once. At the limit, further requests are refused"`
}

// ModelLimits are limits for models in the order of the file. In a file they are a mapping from model patterns to
// limits.
type ModelLimits []ModelLimit

// A ModelLimit is a limit of an access key or a group for the models that match the pattern Models.
type ModelLimit struct {
	Models   string   `json:"-"`
	Requests int      `json:"requests_per_minute,omitempty" default:"no limit" jsonschema:"requests to these models"`
	Tokens   int      `json:"tokens_per_minute,omitempty" default:"no limit" jsonschema:"tokens: input, including cached input, and output"`
	Spend    KeySpend `json:"spend,omitempty" default:"no limit" jsonschema:"the budget in US dollars"`
}

func (l *ModelLimits) read(d *decoder, at location) {
	for _, m := range d.members(at) {
		one := ModelLimit{Models: m.key}
		d.value(m, reflect.ValueOf(&one).Elem())
		*l = append(*l, one)
	}
}

// limitsOf returns the limits as the type of package access.
func limitsOf(requests, tokens int, s *KeySpend) access.Limits {
	return access.Limits{Requests: int64(requests), Tokens: int64(tokens),
		Spend: access.Spend{USD: s.USD, Per: s.Per, Unpriced: s.Unpriced == AllowUnpriced}}
}

// A KeySpend is the spending limit of an access key or a group in US dollars.
type KeySpend struct {
	USD      float64       `json:"usd,omitempty" default:"no limit" jsonschema:"US dollars, by the built-in prices or those in prices_file"`
	Per      access.Period `json:"per,omitempty" default:"month" jsonschema:"day or month, by the calendar in UTC"`
	Unpriced Unpriced      `json:"unpriced,omitempty" default:"refuse" jsonschema:"requests to models without a known price: refuse, or allow at no cost"`
}

// A Budget is the spending limit of the whole gateway, for all access keys together.
type Budget struct {
	Cost     float64       `json:"cost,omitempty" default:"no limit" example:"200" jsonschema:"US dollars, by the built-in prices or those in prices_file"`
	Period   access.Period `json:"period,omitempty" default:"month" jsonschema:"day or month, by the calendar in UTC"`
	Unpriced Unpriced      `json:"unpriced,omitempty" default:"refuse" jsonschema:"requests to models without a known price: refuse, or allow at no cost"`
}

// Spend returns the budget as the type of package access.
func (b *Budget) Spend() access.Spend {
	return access.Spend{USD: b.Cost, Per: b.Period, Unpriced: b.Unpriced == AllowUnpriced}
}

// Unpriced decides whether requests to models without a known price are refused or allowed under a spending limit.
type Unpriced string

// The values of Unpriced.
const (
	RefuseUnpriced Unpriced = "refuse"
	AllowUnpriced  Unpriced = "allow"
)

// These lists are the permitted words of the keys unpriced, per and verbs.
var (
	unpriceds = []string{string(RefuseUnpriced), string(AllowUnpriced)}
	periods   = []string{string(access.Day), string(access.Month)}
	verbs     = verbNames()
)

func verbNames() []string {
	var out []string
	for _, v := range access.Verbs() {
		out = append(out, string(v))
	}
	return out
}

// Server configures the HTTP server of the gateway: limits, timeouts and the TLS certificate.
type Server struct {
	StreamsPerKey int           `json:"streams_per_key,omitempty" default:"1000" jsonschema:"concurrent streams of a key; 0 means no limit"`
	Connections   int           `json:"connections,omitempty" default:"half of the file descriptors" example:"1000" jsonschema:"open connections of clients. Beyond this number, connections without a request are closed, the longest idle first"`
	HeaderBytes   int           `json:"header_bytes,omitempty" default:"65536" jsonschema:"bytes of the request line and the headers"`
	HistoryCache  int           `json:"history_cache,omitempty" default:"16777216" example:"67108864" jsonschema:"bytes of the cache of parsed histories. With the cache, only the new turns of a conversation are parsed; 0 switches it off"`
	ReadTimeout   time.Duration `json:"read_timeout,omitempty" default:"2m" jsonschema:"the time limit for receiving a request body, and for each write of an answer to a client. Request headers have 30s"`
	IdleTimeout   time.Duration `json:"idle_timeout,omitempty" default:"2m" jsonschema:"how long a connection may stay idle between requests"`
	TLS           TLS           `json:"tls,omitempty" default:"none" jsonschema:"the certificate for TLS connections of clients"`

	streamsSaid, historiesSaid bool
}

// defaultStreams is the default maximum of concurrent streams of one access key.
const defaultStreams = 1000

// Streams returns the maximum of concurrent streams of one access key, or 0 for no limit.
func (s *Server) Streams() int {
	if s.StreamsPerKey == 0 && !s.streamsSaid {
		return defaultStreams
	}
	return s.StreamsPerKey
}

// Histories returns the size in bytes of the cache of request histories. 0 means the default size, -1 no cache.
func (s *Server) Histories() int {
	if s.HistoryCache == 0 && s.historiesSaid {
		return -1
	}
	return s.HistoryCache
}

func (s *Server) read(d *decoder, at location) {
	d.object(at, reflect.ValueOf(s).Elem())
	_, s.streamsSaid = d.places[joinPath(at.path, "streams_per_key")]
	_, s.historiesSaid = d.places[joinPath(at.path, "history_cache")]
}

func (k *AccessKey) read(d *decoder, at location) {
	switch at.node.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		d.object(at, reflect.ValueOf(k).Elem())
	default:
		d.value(at, reflect.ValueOf(&k.Key).Elem())
	}
}

// plain reports whether all fields except Key are unset, as for a key that is written as a string.
func (k *AccessKey) plain() bool {
	alone := AccessKey{Key: k.Key}
	return reflect.DeepEqual(*k, alone)
}

// readMoment parses a time, or a date, which means the end of that day.
func readMoment(_ *decoder, text string) (any, error) {
	at, err := access.ParseExpires(text)
	if err != nil {
		return nil, err
	}
	return at, nil
}

// access returns the key as the type of package access. A key without a name is called "key N", where N is i+1. env
// returns the values of environment variables.
func (k *AccessKey) access(i int, env func(string) (string, bool)) (access.Key, error) {
	hash, err := hashOf(k.Key, env)
	if err != nil {
		return access.Key{}, err
	}
	name := k.Name
	if name == "" {
		name = fmt.Sprintf("key %d", i+1)
	}
	if k.plain() {
		return access.NewUnlimitedKey(name, hash), nil
	}
	out := access.Key{
		Name: name, Hash: hash, Group: k.Group, Models: k.Models, Providers: k.Providers, Verbs: k.Verbs, Expires: k.Expires,
		Limits: limitsOf(k.Requests, k.Tokens, &k.Spend), PerModel: k.Limits.access(), Conversation: k.Conversation.access(),
	}
	if !k.Previous.Empty() {
		if out.Previous, err = hashOf(k.Previous, env); err != nil {
			return access.Key{}, fmt.Errorf("previous: %w", err)
		}
	}
	return out, nil
}

func hashOf(s provider.Secret, env func(string) (string, bool)) (access.Hash, error) {
	text, err := resolveSecret(s, env)
	if err != nil {
		return access.Hash{}, err
	}
	return access.ReadKey(text)
}

// PresentedKey returns the first configured access key whose text is available and not only its hash. Programs on this
// machine use it for requests to the gateway. It is "" if there is no such key.
func (c *Config) PresentedKey(env func(string) (string, bool)) string {
	for i := range c.Keys {
		if text, err := resolveSecret(c.Keys[i].Key, env); err == nil && !access.IsHash(text) {
			return text
		}
	}
	return ""
}

// accessKeys returns the keys as the type of package access. A key that cannot be resolved, or two keys that conflict,
// are an error.
func accessKeys(keys []AccessKey, env func(string) (string, bool)) ([]access.Key, error) {
	var out []access.Key
	for i := range keys {
		k, err := keys[i].access(i, env)
		if err != nil {
			return nil, fmt.Errorf("keys: %w", err)
		}
		out = append(out, k)
	}
	if err := access.CheckKeys(out); err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	return out, nil
}
