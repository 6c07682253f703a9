package callwright

import (
	"fmt"
	"slices"
	"strings"
)

// A Policy says which changes are allowed on the way.
type Policy string

// The policies. The zero Policy is PolicyHeal.
const (
	PolicyHeal          Policy = "heal"           // lossless and implied changes
	PolicyHealHeuristic Policy = "heal+heuristic" // guesses too
	PolicyObserve       Policy = "observe"        // nothing is changed, what would have been is reported
	PolicyStrict        Policy = "strict"         // any needed change is an error
	PolicyOff           Policy = "off"            // nothing is judged
)

// ParsePolicy reads a policy by its name; "" is PolicyHeal.
func ParsePolicy(name string) (Policy, error) {
	return byName("policy", name, PolicyHeal, PolicyHealHeuristic, PolicyObserve, PolicyStrict, PolicyOff)
}

// ToolsOverLimit says how a request with more tools than its model accepts is handled.
type ToolsOverLimit string

// The ways. The zero ToolsOverLimit is ToolsSelect.
const (
	// ToolsSelect sends as many as the model accepts: those that the choice names and those that a search has loaded,
	// then the first ones of the client's list, in its order. It does not depend on the conversation otherwise, so that
	// the sent list stays the same.
	ToolsSelect ToolsOverLimit = "select"
	// ToolsError makes it an error.
	ToolsError ToolsOverLimit = "error"
)

// ParseToolsOverLimit reads a way by its name; "" is ToolsSelect.
func ParseToolsOverLimit(name string) (ToolsOverLimit, error) {
	return byName("tools_over_limit", name, ToolsSelect, ToolsError)
}

// StreamCalls says when the calls of a stream are sent on.
type StreamCalls string

// The ways of streaming calls. The zero StreamCalls is StreamAuto.
const (
	// StreamAuto lets the native calls of a model flow that is known to be reliable, or made enough clean ones on end,
	// and holds all others.
	StreamAuto StreamCalls = "auto"
	// StreamHeld sends a call when it is complete and judged.
	StreamHeld StreamCalls = "held"
	// StreamFlowing sends the pieces of native calls as they come, each a prefix that is sound so far.
	StreamFlowing StreamCalls = "flowing"
)

// ParseStreamCalls reads a way of streaming calls by its name; "" is StreamAuto.
func ParseStreamCalls(name string) (StreamCalls, error) {
	return byName("stream_calls", name, StreamAuto, StreamHeld, StreamFlowing)
}

// CacheMode says how the prompt caches of providers are used.
type CacheMode string

// The ways of asking for caching. The zero CacheMode is CacheAuto.
const (
	// CacheAuto keeps the client's cache settings, and adds those that the provider's API needs where the client's API
	// has none.
	CacheAuto CacheMode = "auto"
	// CacheClient keeps the client's cache settings and adds nothing.
	CacheClient CacheMode = "client"
	// CacheOff removes the client's cache settings, too. Providers that cache by themselves do so all the same.
	CacheOff CacheMode = "off"
)

// ParseCacheMode reads a way of asking for caching by its name; "" is CacheAuto.
func ParseCacheMode(name string) (CacheMode, error) {
	return byName("cache", name, CacheAuto, CacheClient, CacheOff)
}

// StrictTools says which tools, and which schemas of answers, are sent strict, so that the provider decodes under the
// schema.
type StrictTools string

// The ways of making tools strict. The zero StrictTools is StrictAuto. The client's own setting of a tool wins in any
// case.
const (
	// StrictAuto makes tools strict that are translated for the provider, or all where the model is known to need help,
	// as far as schemas allow it.
	StrictAuto StrictTools = "auto"
	// StrictOn makes all tools strict whose schemas survive.
	StrictOn StrictTools = "on"
	// StrictOff makes none strict.
	StrictOff StrictTools = "off"
)

// ParseStrictTools reads a way of making tools strict by its name; "" is StrictAuto.
func ParseStrictTools(name string) (StrictTools, error) {
	return byName("strict_tools", name, StrictAuto, StrictOn, StrictOff)
}

// byName returns the word of a name, the first of them for "".
func byName[T ~string](key, name string, words ...T) (T, error) {
	if name == "" {
		return words[0], nil
	}
	if slices.Contains(words, T(name)) {
		return T(name), nil
	}
	var list []string
	for _, w := range words {
		list = append(list, string(w))
	}
	last := len(list) - 1
	return "", fmt.Errorf("unknown %s %q: expected %s or %s", key, name, strings.Join(list[:last], ", "), list[last])
}
