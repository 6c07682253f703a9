package config

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect/describe"
	"github.com/callwright/callwright/internal/callrule"
	"github.com/callwright/callwright/internal/config/internal/tuned"
	"github.com/callwright/callwright/internal/probe/background"
	"github.com/callwright/callwright/reliable"
)

// Settings configure how the calls of a model are made reliable. A zero field is unset, so that less specific settings
// apply.
type Settings struct {
	Modes            Modes                     `json:"mode,omitempty" also:"modes,preferredModes,preferNativeTools,forceTextMode,experimental" default:"auto" jsonschema:"how tools are conveyed: a mode, or several in order of preference. preferNativeTools, forceTextMode and experimental.nativeToolCalling are true or false"`
	Dialect          string                    `json:"dialect,omitempty" default:"by model family" jsonschema:"the format of calls requested from the model in text mode"`
	ToolFormat       *ToolFormat               `json:"tool_format,omitempty" default:"none" jsonschema:"a call format that is not built in: its description, or the name of a file with one. Calls in it are always recognised, and text mode requests it"`
	Policy           callwright.Policy         `json:"policy,omitempty" default:"heal" jsonschema:"the permitted changes of requests and answers"`
	Rules            map[string]bool           `json:"rules,omitempty" default:"by policy" jsonschema:"rules to switch on or off, by id, whatever the policy"`
	MaxRetries       *int                      `json:"max_retries,omitempty" also:"maxRetries" default:"2" jsonschema:"retries of a request when the connection or the provider fails"`
	MaxRetryWait     time.Duration             `json:"max_retry_wait,omitempty" default:"2s with a fallback, 10s without" jsonschema:"the maximum total wait before retries: with a fallback, of all waits; without one, of the waits that the provider states (retry-after). If the wait would be longer, the next fallback is tried at once, or the client gets the error"`
	MaxCorrections   *int                      `json:"max_corrections,omitempty" default:"2" jsonschema:"how often the model is asked to correct an invalid answer"`
	RetryOtherMode   *bool                     `json:"retry_other_mode,omitempty" also:"retryWithDifferentFormat" default:"true" jsonschema:"whether another mode may be tried when one fails"`
	StrictJSON       *bool                     `json:"strict_json_instructions,omitempty" also:"useStrictJsonInstructions" default:"by model family" jsonschema:"whether the prompt uses a stronger instruction to answer only in JSON, if it asks for JSON"`
	ExpectTextCalls  *bool                     `json:"expect_text_calls,omitempty" also:"expectXmlOutput,enableXmlNormalization" default:"true" jsonschema:"whether the text of answers is searched for calls even if tools were sent natively"`
	StreamCalls      callwright.StreamCalls    `json:"stream_calls,omitempty" default:"auto" jsonschema:"when the calls of a stream are forwarded: flowing (as they arrive), held (after validation) or auto (by the known reliability of the model)"`
	StrictTools      callwright.StrictTools    `json:"strict_tools,omitempty" default:"auto" jsonschema:"which tools and response schemas are sent as strict, so that the provider enforces their schema: on, off or auto"`
	Constrain        Constrain                 `json:"constrain,omitempty" default:"auto" jsonschema:"whether answers with tools are decoded under a grammar or a structural tag, if the server accepts one"`
	Cache            callwright.CacheMode      `json:"cache,omitempty" default:"auto" jsonschema:"the use of the provider's prompt cache: auto (the client's settings, and those that the API needs in addition), client (only the client's settings) or off"`
	ToolsOverLimit   callwright.ToolsOverLimit `json:"tools_over_limit,omitempty" default:"select" jsonschema:"requests with more tools than the model accepts: select sends as many as it accepts, error refuses the request"`
	Fallbacks        Fallbacks                 `json:"fallbacks,omitempty" default:"none" jsonschema:"the models that are tried in order after this one fails: each a name, or an object with model and the kinds of failures (on) after which it is tried"`
	Params           Params                    `json:"params,omitempty" default:"none" jsonschema:"defaults for temperature, top_p, top_k, presence_penalty, frequency_penalty, seed, max_tokens, stop, reasoning_effort, reasoning_budget and user, translated to the provider's API"`
	Request          Members                   `json:"request,omitempty" default:"none" jsonschema:"members merged into the request body for the provider, by the names of its API. Values of the client stay; null removes a member. The model, messages, tools, tool choice and response format cannot be set"`
	Caps             Facts                     `json:"caps,omitempty" default:"learned" jsonschema:"facts about the model; they take precedence over discovered and learned facts"`
	Probe            ProbeWhen                 `json:"probe,omitempty" default:"off" jsonschema:"off, or unknown: a model without known facts is probed in the background after its first use, once a day, while no client uses its provider. A probe sends at most 118 small requests, usually about half of them"`
	ToolCallReliable *bool                     `json:"tool_call_reliable,omitempty" also:"tool_calling_reliable" default:"learned" jsonschema:"whether native calls are reliable: true forwards them as they arrive, false holds them until they are validated"`
	CallRules        CallRules                 `json:"call_rules,omitempty" default:"none" jsonschema:"rules that refuse tool calls, or have them approved by a person. The rules of the file, the provider and the model all apply"`
	BoundSettings
	TransformSettings
}

// Modes are the ways to request tool calls, in the order of preference. Nil means unset. An empty list is auto: the
// client chooses.
type Modes []caps.Mode

// ProbeWhen decides when a model is probed in the background.
type ProbeWhen string

// The values of ProbeWhen.
const (
	ProbeOff     ProbeWhen = "off"
	ProbeUnknown ProbeWhen = "unknown" // when it is unknown whether the model supports tools
)

// probeWhens are the permitted words of the key probe.
var probeWhens = []string{string(ProbeOff), string(ProbeUnknown)}

// Constrain decides whether responses with tools are decoded under a grammar or another constraint.
type Constrain string

// The values of Constrain.
const (
	ConstrainAuto Constrain = "auto" // if the inference engine supports constraints and they are known to help
	ConstrainOn   Constrain = "on"   // if the inference engine supports constraints
	ConstrainOff  Constrain = "off"
)

// constrainWords are the permitted words of the key constrain.
var constrainWords = []string{string(ConstrainAuto), string(ConstrainOn), string(ConstrainOff)}

// truth returns the setting as the option of package reliable has it: Yes for on, No for off, else unknown.
func (c Constrain) truth() caps.Truth {
	return map[Constrain]caps.Truth{ConstrainOn: caps.Yes, ConstrainOff: caps.No}[c]
}

// Facts are configured facts about a model. Their source is Configured.
type Facts []caps.Fact

// Members are edits of the JSON body of a request, in the order of the file. Members of nested objects are separate
// edits. A nil Value removes the member.
type Members []callwright.Edit

// over returns base with each field that is set in s replaced by its value in s. Rules, facts and members of both are
// kept. For the same name those in s apply.
func (s *Settings) over(base *Settings) Settings {
	out := *base
	from, to := reflect.ValueOf(s).Elem(), reflect.ValueOf(&out).Elem()
	for i := range from.NumField() {
		if f := from.Field(i); !f.IsZero() {
			to.Field(i).Set(f)
		}
	}
	if len(base.Rules) > 0 {
		out.Rules = maps.Clone(base.Rules)
		for rule := range s.transforms().Rules(nil) { // rules that s sets by a transform
			delete(out.Rules, rule)
		}
		maps.Copy(out.Rules, s.Rules)
	}
	switch { // Dialect and ToolFormat both name the format for tool calls
	case s.ToolFormat != nil:
		out.Dialect = s.Dialect
	case s.Dialect != "":
		out.ToolFormat = nil
	}
	out.BoundSettings = s.BoundSettings.over(&base.BoundSettings)
	if s.MaxRetries != nil && s.Retries.Max == nil {
		out.Retries.Max = nil
	}
	out.TransformSettings = s.TransformSettings.after(&base.TransformSettings)
	out.Params = slices.Concat(base.Params, s.Params)
	out.Request = slices.Concat(base.Request, s.Request)
	out.Caps = slices.Concat(base.Caps, s.Caps)
	out.CallRules = slices.Concat(base.CallRules, s.CallRules)
	return out
}

// statedFacts returns the facts that the transforms state about the model, followed by the facts in Caps.
func (s *Settings) statedFacts() []caps.Fact { return slices.Concat(s.transforms().Facts(), s.Caps) }

// facts returns all facts that the settings state. Later facts override earlier ones.
func (s *Settings) facts() []caps.Fact {
	out := s.statedFacts()
	add := func(key, value string) { out = append(out, caps.Fact{Key: key, Value: value, Source: caps.Configured}) }
	if s.Dialect != "" {
		add("dialect", s.Dialect)
	}
	if f := s.ToolFormat; f != nil && f.made != nil {
		add("dialect", f.made.Name)
	}
	if b := s.StrictJSON; b != nil {
		add("strict_json_instructions", yesOrNo(*b))
	}
	if r := s.ToolCallReliable; r != nil {
		add("tool_call_reliable", yesOrNo(*r))
	}
	return out
}

func yesOrNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// options returns the settings as options of a client. formats are the described formats of tool calls that the client
// reads.
func (s *Settings) options(formats []*describe.Format) []reliable.Option {
	out := []reliable.Option{
		reliable.WithPolicy(s.Policy), reliable.WithRules(s.transforms().Rules(applicable(s.Rules, formats))),
		reliable.WithStreamCalls(s.StreamCalls), reliable.WithStrictTools(s.StrictTools),
		reliable.WithModes(s.Modes...), reliable.WithToolsOverLimit(s.ToolsOverLimit), reliable.WithConstraints(s.Constrain.truth()),
	}
	if s.MaxCorrections != nil {
		out = append(out, reliable.WithMaxCorrections(*s.MaxCorrections))
	}
	for _, o := range []struct {
		said *bool
		when bool
		set  func() reliable.Option
	}{
		{s.RetryOtherMode, false, reliable.WithOneMode},
		{s.ExpectTextCalls, false, reliable.WithoutTextCalls},
	} {
		if o.said != nil && *o.said == o.when {
			out = append(out, o.set())
		}
	}
	return out
}

// tuning returns the settings as the type of package tuned. prober, which may be nil, probes the model if Probe permits
// it. The error is a call rule that does not compile.
func (s *Settings) tuning(prober *background.Prober) (tuned.Settings, error) {
	rules, err := callrule.Of(s.CallRules)
	if s.Probe != ProbeUnknown {
		prober = nil
	}
	t := tuned.Settings{Rules: rules, Facts: s.facts(), Edits: s.Request, Cache: s.Cache, Transforms: s.transforms(),
		Prober: prober, Finding: s.Policy == callwright.PolicyStrict, TotalTime: s.Timeouts.Total}
	for _, p := range s.Params {
		t.Params = append(t.Params, tuned.Param(p))
	}
	return t, err
}

// MarshalJSON returns the edits as one JSON object.
func (m Members) MarshalJSON() ([]byte, error) {
	tree := map[string]any{}
	for _, e := range m {
		at := tree
		for _, k := range e.Path[:len(e.Path)-1] {
			next, ok := at[k].(map[string]any)
			if !ok {
				next = map[string]any{}
				at[k] = next
			}
			at = next
		}
		at[e.Path[len(e.Path)-1]] = e.Value
	}
	return json.Marshal(tree)
}
