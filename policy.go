package callwright

import (
	"fmt"
	"slices"
	"strings"
)

// A Policy determines which changes to calls and responses are allowed.
type Policy string

// The policies. The zero Policy, "", means PolicyHeal.
const (
	PolicyHeal          Policy = "heal"           // allow changes of RiskLossless and RiskImplied
	PolicyHealHeuristic Policy = "heal+heuristic" // allow RiskHeuristic changes, too
	PolicyObserve       Policy = "observe"        // change nothing; note the changes that PolicyHeal would make
	PolicyStrict        Policy = "strict"         // a necessary change is an error of KindChangeNeeded
	PolicyOff           Policy = "off"            // do not validate calls
)

// ParsePolicy returns the policy with the given name, such as "strict". "" is PolicyHeal. Any other name is an error.
func ParsePolicy(name string) (Policy, error) {
	return byName("policy", name, PolicyHeal, PolicyHealHeuristic, PolicyObserve, PolicyStrict, PolicyOff)
}

// ToolsOverLimit determines the handling of a request with more tools than the model accepts.
type ToolsOverLimit string

// The values of ToolsOverLimit. The zero value means ToolsSelect.
const (
	// ToolsSelect sends as many tools as the model accepts. First come the tools named by the tool choice and those
	// loaded by a tool search, then the first tools of the client's list. Apart from these the selection does not depend
	// on the conversation, so the provider's prompt cache stays valid.
	ToolsSelect ToolsOverLimit = "select"
	// ToolsError rejects the request.
	ToolsError ToolsOverLimit = "error"
)

// ParseToolsOverLimit returns the value named "select" or "error". "" is ToolsSelect. Any other name is an error.
func ParseToolsOverLimit(name string) (ToolsOverLimit, error) {
	return byName("tools_over_limit", name, ToolsSelect, ToolsError)
}

// StreamCalls determines when a streamed tool call is sent to the client.
type StreamCalls string

// The values of StreamCalls. The zero value means StreamAuto.
const (
	// StreamAuto streams native calls as StreamFlowing does if the model is known to be reliable or has made enough
	// consecutive valid calls. Otherwise it works as StreamHeld.
	StreamAuto StreamCalls = "auto"
	// StreamHeld sends a call only after the call is complete and validated.
	StreamHeld StreamCalls = "held"
	// StreamFlowing sends the deltas of a native call as they arrive, as long as the arguments so far are a valid prefix.
	StreamFlowing StreamCalls = "flowing"
)

// ParseStreamCalls returns the value named "auto", "held" or "flowing". "" is StreamAuto. Any other name is an error.
func ParseStreamCalls(name string) (StreamCalls, error) {
	return byName("stream_calls", name, StreamAuto, StreamHeld, StreamFlowing)
}

// CacheMode determines the use of the providers' prompt caches.
type CacheMode string

// The values of CacheMode. The zero value means CacheAuto.
const (
	// CacheAuto keeps the client's cache settings. It adds settings if the provider's API requires them and the client's
	// API has none.
	CacheAuto CacheMode = "auto"
	// CacheClient keeps the client's cache settings and adds nothing.
	CacheClient CacheMode = "client"
	// CacheOff removes the client's cache settings. It cannot prevent automatic caching by a provider.
	CacheOff CacheMode = "off"
)

// ParseCacheMode returns the value named "auto", "client" or "off". "" is CacheAuto. Any other name is an error.
func ParseCacheMode(name string) (CacheMode, error) {
	return byName("cache", name, CacheAuto, CacheClient, CacheOff)
}

// StrictTools determines which tools and response schemas are sent with "strict": the provider then constrains
// decoding to the schema.
type StrictTools string

// The values of StrictTools. The zero value means StrictAuto. An explicit setting of a client's tool always takes
// precedence.
const (
	// StrictAuto makes a tool strict if its schema is adapted for the provider, or if the model is known to need it. The
	// schema must allow strict mode.
	StrictAuto StrictTools = "auto"
	// StrictOn makes every tool strict whose schema allows strict mode.
	StrictOn StrictTools = "on"
	// StrictOff makes no tool strict.
	StrictOff StrictTools = "off"
)

// ParseStrictTools returns the value named "auto", "on" or "off". "" is StrictAuto. Any other name is an error.
func ParseStrictTools(name string) (StrictTools, error) {
	return byName("strict_tools", name, StrictAuto, StrictOn, StrictOff)
}

// byName returns the element of words that equals name, or words[0] if name is "". The error for any other name
// contains the configuration key and lists the valid words.
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
