package kit

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// thinkingMembers lists the members of reasoning settings, of all APIs, that callwright.Thinking expresses.
var thinkingMembers = []string{"effort", "max_tokens", "budget_tokens", "thinkingLevel", "thinking_level", "thinkingBudget",
	"thinking_budget",
	"think", "includeThoughts", "include_thoughts", "summary", "generate_summary"} // the last four set how it is shown

// OfThinking adds notes on reasoning settings in t.Extra that t.Effort, t.Budget and t.Off do not express, if they are
// of another API than own. They are dropped.
func (l *Notes) OfThinking(t callwright.Thinking, own API) {
	if API(t.Extra.Wire) == own {
		return
	}
	visitSwitches(t.Extra.JSON, "", 2, func(key string, v []byte) {
		known := OneOf(jsonx.Key(jsonx.AppendQuote(nil, lastOf(key))), thinkingMembers) && v[0] != '-'
		switch word := jsonx.TextOf(v); {
		case known, word == "enabled" && t.Budget != "", word == "disabled", string(v) == "false", jsonx.IsNull(v):
			return
		}
		l.Add(callwright.Note{Rule: "params.thinking", Path: "/" + key, Was: "reasoning " + key + ": " + string(v),
			Why: "only the " + string(t.Extra.Wire) + " API has this switch of thinking"})
	})
}

// AsksThinking reports whether t requests reasoning without an amount: a setting such as {"type":"adaptive"} or
// {"enabled":true} turns it on, but t has no effort and no budget.
func AsksThinking(t callwright.Thinking) bool {
	if t.Off || t.Effort != "" || t.Budget != "" {
		return false
	}
	asks := false
	visitSwitches(t.Extra.JSON, "", 2, func(key string, v []byte) {
		switch lastOf(key) {
		case "enabled":
			asks = asks || jsonx.IsTrue(v)
		case "type":
			asks = asks || jsonx.TextOf(v) == "enabled" || jsonx.TextOf(v) == "adaptive"
		case "thinkingBudget", "thinking_budget":
			asks = asks || string(v) == "-1" || jsonx.TextOf(v) == "-1"
		}
	})
	return asks
}

// visitSwitches calls visit for each member of the object v whose value is not an object, and for those of nested
// objects up to depth levels down. path is the path of v, key that of the member, such as "thinking/type".
func visitSwitches(v []byte, path string, depth int, visit func(key string, v []byte)) {
	for k, m := range jsonx.Members(v) {
		key := k.String()
		if path != "" {
			key = path + "/" + key
		}
		switch {
		case !jsonx.IsObject(m):
			visit(key, m)
		case depth > 0:
			visitSwitches(m, key, depth-1, visit)
		}
	}
}

// lastOf returns the last name of a path: "thinking/type" gives "type".
func lastOf(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			return path[i+1:]
		}
	}
	return path
}
