package caps

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright/internal/modestat"
	"github.com/callwright/callwright/internal/remedystat"
)

// A Fact is the value of one field of Caps for one model. Key is the key of the field (see Keys). Value is the value
// as text, such as "yes", "64" or "gemini". Seen is the time of the observation. A zero Expires means that the fact
// does not expire. Evidence is an explanation for people.
type Fact struct {
	Key      string    `json:"key"`
	Value    string    `json:"value"`
	Source   Source    `json:"source"`
	Seen     time.Time `json:"seen,omitzero"`
	Expires  time.Time `json:"expires,omitzero"`
	Evidence string    `json:"evidence,omitempty"`
}

// A Store keeps facts by model ("provider/name"), one for each key and source. All methods are safe for concurrent
// use.
//
//   - Facts returns the unexpired facts about the model, for [Caps.WithFacts].
//   - Learn replaces the fact with the same key and source. If Seen is zero, it sets Seen to the current time. If
//     Expires of a Learned fact is zero, it sets Expires to LearnedTTL from now.
//   - Forget removes the facts with the key, or all facts about the model if key is "". An unknown key is no error.
//   - Models returns the sorted names of the models that have facts.
//   - Watch calls changed with the name of each model whose facts change, until ctx is done. changed must not block.
type Store interface {
	Facts(ctx context.Context, model string) ([]Fact, error)
	Learn(ctx context.Context, model string, f Fact) error
	Forget(ctx context.Context, model, key string) error
	Models(ctx context.Context) ([]string, error)
	Watch(ctx context.Context, changed func(model string)) error
}

// key returns the key of the fact. The key "reasoning" with a value of reasoning_start, such as "primed", means
// reasoning_start.
func (f *Fact) key() string {
	if f.Key == "reasoning" && slices.Contains(reasoningStarts, f.Value) {
		return reasoningStart
	}
	return f.Key
}

// reasoningStart is the key of Caps.ReasoningStart. reasoningStarts are its valid values.
const reasoningStart = "reasoning_start"

var reasoningStarts = []string{"primed", "marked", "mixed"}

// constraints are the valid values of Caps.Constraint.
var constraints = []string{"gbnf", "structural_tag", "structures", "none"}

// toolLevels are the valid levels in Caps.RefusedTools.
var toolLevels = []string{"basic", "brief", "out"}

// parseRefusedTools returns list if it is a valid value of Caps.RefusedTools, such as "f=basic,g=out", and otherwise
// an error.
func parseRefusedTools(list string) (string, error) {
	if list == "" {
		return "", nil
	}
	for e := range strings.SplitSeq(list, ",") {
		if i := strings.LastIndexByte(e, '='); i < 1 || !slices.Contains(toolLevels, e[i+1:]) {
			return "", fmt.Errorf("expected tools as NAME=LEVEL, where the level is %s, got %q", joinWithOr(toolLevels), e)
		}
	}
	return list, nil
}

// LearnedTTL is the lifetime of a learned fact. It is limited because a provider may add the capability later.
const LearnedTTL = 24 * time.Hour

// Keys returns the valid values of Fact.Key, in the order of the facts table.
func Keys() []string {
	keys := make([]string, len(facts))
	for i, f := range facts {
		keys[i] = f.Key
	}
	return keys
}

// With returns c with the fact applied. It replaces the previous value even if the new value is zero ("0", "false",
// ""). An unknown key or an invalid value is an error; c is then returned unchanged.
func (c Caps) With(f Fact) (Caps, error) {
	f.Key = f.key()
	for _, row := range facts {
		if row.Key != f.Key {
			continue
		}
		out := c
		if err := row.parse(&out, f.Value); err != nil {
			return c, fmt.Errorf("fact %s: %w", f.Key, err)
		}
		out.Sources = maps.Clone(c.Sources)
		if out.Sources == nil {
			out.Sources = map[string]Source{}
		}
		out.Sources[f.Key] = f.Source
		return out, nil
	}
	return c, fmt.Errorf("unknown fact %q", f.Key)
}

// WithFacts returns c with facts applied. If several facts have the same key, the one with the highest Source applies.
// A fact is ignored if c has the same key from a higher Source, or if its key or value is invalid.
func (c Caps) WithFacts(list []Fact) Caps {
	out := c
	for _, f := range list {
		f.Key = f.key()
		if known, said := out.Sources[f.Key]; said && known > f.Source {
			continue
		}
		if with, err := out.With(f); err == nil {
			out = with
		}
	}
	return out
}

// KnownFacts returns the known fields of c by fact key, as text with the source, such as "no (learned)".
func (c Caps) KnownFacts() map[string]string {
	out := map[string]string{}
	for _, f := range facts {
		if f.known(&c) {
			out[f.Key] = f.show(&c) + " (" + c.Sources[f.Key].String() + ")"
		}
	}
	return out
}

// fact describes one field of Caps: its key, and functions to test, copy, parse and print the field.
type fact struct {
	Key   string
	known func(*Caps) bool
	copy  func(dst, src *Caps)
	parse func(c *Caps, value string) error
	show  func(c *Caps) string
}

// isSetIn reports whether c has the fact: its value is not zero, or Sources names it.
func (f *fact) isSetIn(c *Caps) bool {
	if f.known(c) {
		return true
	}
	_, ok := c.Sources[f.Key]
	return ok
}

var facts = []fact{
	truth("tools", func(c *Caps) *Truth { return &c.Tools }),
	truth("parallel_tools", func(c *Caps) *Truth { return &c.ParallelTools }),
	truth("parallel_field", func(c *Caps) *Truth { return &c.ParallelField }),
	truth("choice_field", func(c *Caps) *Truth { return &c.ChoiceField }),
	truth("choice_forced", func(c *Caps) *Truth { return &c.ChoiceForced }),
	truth("stream_tools", func(c *Caps) *Truth { return &c.StreamTools }),
	truth("json_schema", func(c *Caps) *Truth { return &c.JSONSchema }),
	truth("json_object", func(c *Caps) *Truth { return &c.JSONObject }),
	truth("json_with_tools", func(c *Caps) *Truth { return &c.JSONWithTools }),
	truth("text_calls", func(c *Caps) *Truth { return &c.TextCalls }),
	truth("needs_help", func(c *Caps) *Truth { return &c.NeedsHelp }),
	truth("tool_call_reliable", func(c *Caps) *Truth { return &c.ToolCallReliable }),
	truth("parses_calls", func(c *Caps) *Truth { return &c.ParsesCalls }),
	truth("images", func(c *Caps) *Truth { return &c.Images }),
	truth("result_images", func(c *Caps) *Truth { return &c.ResultImages }),
	truth("strict_tools", func(c *Caps) *Truth { return &c.StrictTools }),
	truth("custom_tools", func(c *Caps) *Truth { return &c.CustomTools }),
	truth("api_items", func(c *Caps) *Truth { return &c.APIItems }),
	truth("hosted_tools", func(c *Caps) *Truth { return &c.HostedTools }),
	truth("service_params", func(c *Caps) *Truth { return &c.ServiceParams }),
	truth("stream_usage", func(c *Caps) *Truth { return &c.StreamUsage }),
	truth("parallel_unasked", func(c *Caps) *Truth { return &c.ParallelUnasked }),
	truth("requires_schema", func(c *Caps) *Truth { return &c.RequiresSchema }),
	truth("strict_json_instructions", func(c *Caps) *Truth { return &c.StrictJSON }),
	truth("open_objects", func(c *Caps) *Truth { return &c.OpenObjects }),
	truth("reasoning_with_tools", func(c *Caps) *Truth { return &c.ReasoningTools }),
	truth("thinking_budget", func(c *Caps) *Truth { return &c.ThinkingBudget }),
	truth("cache_control", func(c *Caps) *Truth { return &c.CacheControl }),
	text("dialect", func(c *Caps) *string { return &c.Dialect }),
	oneOf("schema_target", func(c *Caps) *SchemaTarget { return &c.SchemaTarget }, schemaTargets...),
	text("reasoning", func(c *Caps) *ReasoningMember { return &c.Reasoning }),
	oneOf(reasoningStart, func(c *Caps) *string { return &c.ReasoningStart }, reasoningStarts...),
	oneOf("constraint", func(c *Caps) *string { return &c.Constraint }, constraints...),
	text("sampling", func(c *Caps) *string { return &c.Sampling }),
	text("efforts", func(c *Caps) *string { return &c.Efforts }),
	oneOf("tool_search", func(c *Caps) *ToolSearch { return &c.ToolSearch }, ToolSearchAnthropic, ToolSearchResponses, ToolSearchNone),
	number("calls_per_answer", func(c *Caps) *int { return &c.CallsPerAnswer }),
	number("max_tools", func(c *Caps) *int { return &c.MaxTools }),
	number("name_max", func(c *Caps) *int { return &c.NameMax }),
	text("name_extra", func(c *Caps) *string { return &c.NameExtra }),
	number("id_exact", func(c *Caps) *int { return &c.IDs.Exact }),
	number("id_max", func(c *Caps) *int { return &c.IDs.Max }),
	text("id_extra", func(c *Caps) *string { return &c.IDs.Extra }),
	flag("alternate", func(c *Caps) *bool { return &c.History.Alternate }),
	flag("no_user_after_tool", func(c *Caps) *bool { return &c.History.NoUserAfterTool }),
	flag("one_system", func(c *Caps) *bool { return &c.History.OneSystem }),
	flag("result_name", func(c *Caps) *bool { return &c.History.ResultName }),
	oneOf("reasoning_back", func(c *Caps) *ReasoningBack { return &c.History.ReasoningBack },
		ReasoningBackNever, ReasoningBackAlways, ReasoningBackCalls, ReasoningBackOptional),
	flag("tools_for_calls", func(c *Caps) *bool { return &c.History.ToolsForCalls }),
	flag("no_empty_assistant", func(c *Caps) *bool { return &c.History.NoEmptyAssistant }),
	flag("no_blank_text", func(c *Caps) *bool { return &c.History.NoBlankText }),
	flag("string_content", func(c *Caps) *bool { return &c.History.StringContent }),
	flag("no_null_content", func(c *Caps) *bool { return &c.History.NoNullContent }),
	flag("no_item_ids", func(c *Caps) *bool { return &c.History.NoItemIDs }),
	oneOf("system_role", func(c *Caps) *SystemRole { return &c.History.SystemRole },
		SystemRoleSystem, SystemRoleDeveloper, SystemRoleUser),
	text("prefill", func(c *Caps) *Prefill { return &c.History.Prefill }),
	flag("signed_calls", func(c *Caps) *bool { return &c.History.SignedCalls }),
	flag("signed_reasoning", func(c *Caps) *bool { return &c.History.SignedReasoning }),
	text("loose_tools", func(c *Caps) *string { return &c.LooseTools }),
	text("open_tools", func(c *Caps) *string { return &c.OpenTools }),
	member("refused_tools", func(c *Caps) *string { return &c.RefusedTools }, parseRefusedTools),
	text("refused_state", func(c *Caps) *string { return &c.RefusedState }),
	flag("null_content", func(c *Caps) *bool { return &c.History.NullContent }),
	flag("empty_reasoning", func(c *Caps) *bool { return &c.History.EmptyReasoning }),
	text("drop_fields", func(c *Caps) *string { return &c.DropFields }),
	text("max_tokens_key", func(c *Caps) *string { return &c.MaxTokensKey }),
	number("clean_calls", func(c *Caps) *int { return &c.Counted.CleanCalls }),
	number("ignored_tools", func(c *Caps) *int { return &c.Counted.IgnoredTools }),
	text("token_measure", func(c *Caps) *string { return &c.Counted.TokenMeasure }),
	member(modestat.Fact, func(c *Caps) *string { return &c.Counted.ModeSuccess }, func(s string) (string, error) {
		_, err := modestat.Parse(s)
		return s, err
	}),
	member(remedystat.Fact, func(c *Caps) *string { return &c.Counted.RemedySuccess }, func(s string) (string, error) {
		_, err := remedystat.Parse(s)
		return s, err
	}),
	number("max_context", func(c *Caps) *int { return &c.MaxContext }),
	number("max_output", func(c *Caps) *int { return &c.MaxOutput }),
	number("cache_min", func(c *Caps) *int { return &c.CacheMin }),
}

func member[T comparable](key string, at func(*Caps) *T, parse func(string) (T, error)) fact {
	var zero T
	return fact{
		Key:   key,
		known: func(c *Caps) bool { return *at(c) != zero },
		copy:  func(dst, src *Caps) { *at(dst) = *at(src) },
		show:  func(c *Caps) string { return fmt.Sprint(*at(c)) },
		parse: func(c *Caps, value string) error {
			v, err := parse(value)
			if err == nil {
				*at(c) = v
			}
			return err
		},
	}
}

func truth(key string, at func(*Caps) *Truth) fact {
	return member(key, at, func(s string) (Truth, error) {
		switch s {
		case "yes", "true":
			return Yes, nil
		case "no", "false":
			return No, nil
		}
		return Unknown, fmt.Errorf("expected yes or no, got %q", s)
	})
}

func flag(key string, at func(*Caps) *bool) fact { return member(key, at, strconv.ParseBool) }

func number(key string, at func(*Caps) *int) fact { return member(key, at, strconv.Atoi) }

func text[T ~string](key string, at func(*Caps) *T) fact {
	return member(key, at, func(s string) (T, error) { return T(s), nil })
}

// oneOf returns a fact with a closed list of values. The value "" removes the fact.
func oneOf[T ~string](key string, at func(*Caps) *T, values ...T) fact {
	return member(key, at, func(s string) (T, error) {
		if s == "" || slices.Contains(values, T(s)) {
			return T(s), nil
		}
		return "", fmt.Errorf("expected %s, got %q", joinWithOr(values), s)
	})
}

// joinWithOr returns the values as an English list, such as "a, b or c".
func joinWithOr[T ~string](values []T) string {
	var out strings.Builder
	for i, v := range values {
		switch {
		case i > 0 && i == len(values)-1:
			out.WriteString(" or ")
		case i > 0:
			out.WriteString(", ")
		}
		out.WriteString(string(v))
	}
	return out.String()
}
