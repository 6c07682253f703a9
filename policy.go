package callwright

import "fmt"

// A Policy says what may be changed on the way.
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
	switch p := Policy(name); p {
	case "":
		return PolicyHeal, nil
	case PolicyHeal, PolicyHealHeuristic, PolicyObserve, PolicyStrict, PolicyOff:
		return p, nil
	}
	return "", fmt.Errorf("unknown policy %q: expected heal, heal+heuristic, observe, strict or off", name)
}

// ToolsOverLimit says what becomes of a request with more tools than its model takes.
type ToolsOverLimit string

// The ways. The zero ToolsOverLimit is ToolsSelect.
const (
	// ToolsSelect sends as many as are taken: those that the choice names and those that a search has loaded, then the first ones of
	// the client's list, in its order. It does not depend on the conversation otherwise, so that what is sent stays the same.
	ToolsSelect ToolsOverLimit = "select"
	// ToolsError makes it an error.
	ToolsError ToolsOverLimit = "error"
)

// ParseToolsOverLimit reads a way by its name; "" is ToolsSelect.
func ParseToolsOverLimit(name string) (ToolsOverLimit, error) {
	switch s := ToolsOverLimit(name); s {
	case "":
		return ToolsSelect, nil
	case ToolsSelect, ToolsError:
		return s, nil
	}
	return "", fmt.Errorf("unknown tools_over_limit %q: expected select or error", name)
}

// StreamCalls says when the calls of a stream are sent on.
type StreamCalls string

// The ways of streaming calls. The zero StreamCalls is StreamAuto.
const (
	// StreamAuto lets the native calls of a model flow that are known to be sound, or were on end for long enough, and holds all others.
	StreamAuto StreamCalls = "auto"
	// StreamHeld sends a call when it is complete and judged.
	StreamHeld StreamCalls = "held"
	// StreamFlowing sends the pieces of native calls as they come, each a prefix that is sound so far.
	StreamFlowing StreamCalls = "flowing"
)

// CacheMode says what is asked of the prompt caches of providers.
type CacheMode string

// The ways of asking for caching. The zero CacheMode is CacheAuto.
const (
	// CacheAuto keeps what the client says about caching, and adds what the provider's API needs where the client's has no word for it.
	CacheAuto CacheMode = "auto"
	// CacheClient keeps what the client says and adds nothing.
	CacheClient CacheMode = "client"
	// CacheOff leaves out what the client says, too. Providers that cache by themselves do so all the same.
	CacheOff CacheMode = "off"
)

// ParseCacheMode reads a way of asking for caching by its name; "" is CacheAuto.
func ParseCacheMode(name string) (CacheMode, error) {
	switch m := CacheMode(name); m {
	case "":
		return CacheAuto, nil
	case CacheAuto, CacheClient, CacheOff:
		return m, nil
	}
	return "", fmt.Errorf("unknown cache %q: expected auto, client or off", name)
}

// ParseStreamCalls reads a way of streaming calls by its name; "" is StreamAuto.
func ParseStreamCalls(name string) (StreamCalls, error) {
	switch s := StreamCalls(name); s {
	case "":
		return StreamAuto, nil
	case StreamAuto, StreamHeld, StreamFlowing:
		return s, nil
	}
	return "", fmt.Errorf("unknown stream_calls %q: expected auto, held or flowing", name)
}

// StrictTools says which tools, and which schemas of answers, are sent strict, so that the provider decodes under the schema.
type StrictTools string

// The ways of making tools strict. The zero StrictTools is StrictAuto. What the client says of a tool stands in any case.
const (
	// StrictAuto makes strict what is written anew for the provider, or all where the model is known to need help, as far as schemas survive.
	StrictAuto StrictTools = "auto"
	// StrictOn makes all tools strict whose schemas survive.
	StrictOn StrictTools = "on"
	// StrictOff makes none strict.
	StrictOff StrictTools = "off"
)

// ParseStrictTools reads a way of making tools strict by its name; "" is StrictAuto.
func ParseStrictTools(name string) (StrictTools, error) {
	switch s := StrictTools(name); s {
	case "":
		return StrictAuto, nil
	case StrictAuto, StrictOn, StrictOff:
		return s, nil
	}
	return "", fmt.Errorf("unknown strict_tools %q: expected auto, on or off", name)
}
