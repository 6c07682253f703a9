package config

import (
	"encoding/json"
	"reflect"
	"slices"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/errorkind"
	"github.com/callwright/callwright/internal/provider"
	"github.com/goccy/go-yaml/ast"
)

// BoundSettings limit the time, the retries and the use of requests to a model, and configure its circuit breaker.
type BoundSettings struct {
	Timeouts     Timeouts     `json:"timeouts,omitzero" jsonschema:"the time limits of one try, and of the whole request"`
	Retries      Retries      `json:"retries,omitzero" default:"max_retries" jsonschema:"the retries of a request when the connection or the provider fails: how many, after which failures, and the pause before each"`
	Breaker      Breaker      `json:"breaker,omitzero" default:"at least 20 tries, half of them failed" jsonschema:"the circuit breaker, which skips a model for a while when it keeps failing: an object with the keys below, or off"`
	Conversation Conversation `json:"conversation,omitzero" default:"no limit" jsonschema:"the limits of one conversation of a client. Near a limit the model is told once. At the limit, further requests are refused"`
}

// over returns base, with each field of its structs that is set in s replaced by the value in s.
func (s *BoundSettings) over(base *BoundSettings) BoundSettings {
	out := *base
	if s.Breaker != (Breaker{}) && !s.Breaker.Off {
		out.Breaker.Off = false
	}
	from, to := reflect.ValueOf(s).Elem(), reflect.ValueOf(&out).Elem()
	for i := range from.NumField() {
		for j := range from.Field(i).NumField() {
			if f := from.Field(i).Field(j); !f.IsZero() {
				to.Field(i).Field(j).Set(f)
			}
		}
	}
	return out
}

// Retries configure how often and after which errors a request to a model is sent again.
type Retries struct {
	Max     *int              `json:"max,omitempty" default:"2" jsonschema:"the number of retries; it replaces max_retries"`
	On      []errorkind.Class `json:"on,omitempty" default:"[rate_limited, bad_answer, unavailable, timeout]" example:"[unavailable, timeout]" jsonschema:"the kinds of failures that are retried: rate_limited, bad_answer, unavailable, timeout"`
	Backoff time.Duration     `json:"backoff,omitempty" default:"500ms" jsonschema:"the pause before the first retry. It doubles with each retry, up to 8s. A pause that the provider states takes precedence"`
}

// kinds returns the kinds of errors after which a request is retried, or nil for the default.
func (r *Retries) kinds() []callwright.Kind { return kindsOf(r.On) }

func kindsOf(list []errorkind.Class) (out []callwright.Kind) {
	for _, c := range list {
		out = append(out, errorkind.Kinds(c)...)
	}
	return out
}

// A Breaker configures the circuit breaker of a model. In a file it is the word off, or a mapping.
type Breaker struct {
	Off      bool          `json:"-"`
	Failures int           `json:"failures,omitempty" default:"at least 20 tries, half of them failed" example:"5" jsonschema:"the breaker opens if the window has this number of failures, and at least half of the tries in it failed"`
	Window   time.Duration `json:"window,omitempty" default:"1m" jsonschema:"the period in which tries count"`
	Pause    time.Duration `json:"pause,omitempty" default:"30s" jsonschema:"how long it stays open. Then one request tries the model"`
}

func (b *Breaker) read(d *decoder, at location) {
	switch at.node.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		d.object(at, reflect.ValueOf(b).Elem())
		return
	}
	text, ok := d.text(at)
	if b.Off = ok && text == string(Off); ok && !b.Off {
		d.fail(at, "expected off, or failures, window and pause, got %q", text)
	}
}

// limits returns the settings as the type of package provider.
func (b *Breaker) limits() provider.BreakerLimits {
	return provider.BreakerLimits{Off: b.Off, Failures: b.Failures, Window: b.Window, Pause: b.Pause}
}

// A Conversation limits the calls, tokens and cost of one conversation of a client.
type Conversation struct {
	MaxCalls  int     `json:"max_calls,omitempty" default:"no limit" example:"200" jsonschema:"tool calls"`
	MaxTokens int     `json:"max_tokens,omitempty" default:"no limit" example:"2000000" jsonschema:"tokens: input, including cached input, and output"`
	MaxCost   float64 `json:"max_cost,omitempty" default:"no limit" example:"5" jsonschema:"US dollars, by the built-in prices or those in prices_file. A model without a known price costs nothing"`
	TellAt    float64 `json:"tell_at,omitempty" default:"0.8" example:"0.8" jsonschema:"the share of a limit at which the model is told, above 0 and below 1"`
}

// access returns the limits as the type of package access.
func (c *Conversation) access() access.Conversation {
	return access.Conversation{Calls: int64(c.MaxCalls), Tokens: int64(c.MaxTokens), USD: c.MaxCost, TellAt: c.TellAt}
}

// Fallbacks are the models of a fallback chain after the first one, in the order in which they are tried.
type Fallbacks []Fallback

// A Fallback is a model that is tried after another model fails. In a file it is a model's name, or a mapping.
type Fallback struct {
	Model callwright.ModelID `json:"model,omitempty" jsonschema:"provider/model, an alias or a group"`
	On    []errorkind.Class  `json:"on,omitempty" default:"all" example:"[context, refused]" jsonschema:"the kinds of failures after which the fallback is tried: rate_limited, context, refused, invalid_call, bad_answer, unavailable, timeout"`
}

// FallbacksTo returns models as fallbacks that are tried after any kind of failure.
func FallbacksTo(models ...callwright.ModelID) Fallbacks {
	out := Fallbacks{}
	for _, m := range models {
		out = append(out, Fallback{Model: m})
	}
	return out
}

// Models returns the names of the fallbacks.
func (l Fallbacks) Models() []callwright.ModelID {
	out := make([]callwright.ModelID, len(l))
	for i := range l {
		out[i] = l[i].Model
	}
	return out
}

func (f *Fallback) read(d *decoder, at location) {
	switch at.node.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		d.object(at, reflect.ValueOf(f).Elem())
	default:
		d.value(at, reflect.ValueOf(&f.Model).Elem())
	}
}

// MarshalJSON returns the model's name alone if On is empty, else an object.
func (f Fallback) MarshalJSON() ([]byte, error) {
	if len(f.On) == 0 {
		return json.Marshal(f.Model)
	}
	type plain Fallback
	return json.Marshal(plain(f))
}

// boundsConversations reports whether the settings of any model or provider limit conversations.
func (c *Config) boundsConversations() bool {
	isBound := func(s *Settings) bool { return s.Conversation != (Conversation{}) }
	return slices.ContainsFunc(c.Models, func(m Model) bool { return isBound(&m.Settings) }) ||
		slices.ContainsFunc(c.Providers, func(p Provider) bool { return isBound(&p.Settings) })
}

// ConversationBounds returns the limits of one conversation with the named model. For a group they are the limits of
// its first member. They are zero for an unknown name.
func (r *Registry) ConversationBounds(name string) access.Conversation {
	if !r.routing.bounded {
		return access.Conversation{}
	}
	candidates, err := r.chain(name)
	if err != nil {
		return access.Conversation{}
	}
	return candidates[0].settings.Conversation.access()
}
