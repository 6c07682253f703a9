package outbound

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// fit reports whether a history certainly can be sent unchanged.
func fit(turns []callwright.Summary, h caps.HistoryRules, ids idRules, hasTools bool) bool {
	open := 0 // number of calls of the last assistant message without results so far
	var waiting []callwright.CallRef
	calls := false
	seen := map[string]struct{}{}
	alone := true // only system messages so far
	for i := range turns {
		t := &turns[i]
		if t.Role == callwright.RoleSystem {
			if h.OneSystem && i > 0 || open > 0 {
				return false
			}
			continue
		}
		for _, id := range t.Results {
			at := indexCall(waiting, id)
			if at < 0 {
				return false
			}
			waiting[at].ID = ""
			open--
		}
		alone = alone && len(t.Results) == 0
		if resultsAlone(t) {
			continue
		}
		only := alone && i == len(turns)-1
		alone = false
		if open > 0 || !soundTurn(t, turns, i, h, only) {
			return false
		}
		waiting = waiting[:0]
		for _, c := range t.Calls {
			if _, twice := seen[c.ID]; twice || c.ID == "" || !c.Sound || ids.own(c.ID) != c.ID {
				return false
			}
			seen[c.ID] = struct{}{}
			waiting = append(waiting, c)
			calls, open = true, open+1
		}
	}
	if n := len(turns) - 1; h.Prefill == caps.PrefillRefused && n >= 0 && turns[n].Role == callwright.RoleAssistant && !turns[n].Media {
		return false
	}
	return open == 0 && (hasTools || !calls || !h.ToolsForCalls)
}

func indexCall(calls []callwright.CallRef, id string) int {
	for i := range calls {
		if id != "" && calls[i].ID == id {
			return i
		}
	}
	return -1
}

// soundTurn reports whether message i can be sent unchanged, apart from its calls. only reports that no other message
// except instructions exists; such a message may be empty.
func soundTurn(t *callwright.Summary, turns []callwright.Summary, i int, h caps.HistoryRules, only bool) bool {
	empty := !t.Text && !t.Media && len(t.Calls) == 0 && len(t.Results) == 0 // reasoning does not count as content
	switch {
	case empty && h.NoEmptyAssistant && t.Role == callwright.RoleAssistant:
		return false
	case empty && !t.Reasoning && t.Role == callwright.RoleUser:
		return only && !h.NoBlankText
	case t.Blank && h.NoBlankText:
		return false
	}
	if i == 0 || turns[i-1].Role == callwright.RoleSystem {
		return true
	}
	prev := &turns[i-1]
	afterResults := resultsAlone(prev)
	if h.Alternate && prev.Role == t.Role && !afterResults {
		return false
	}
	return !h.NoUserAfterTool || !afterResults && len(t.Results) == 0 || t.Role != callwright.RoleUser
}

// resultsAlone reports whether a message has only results.
func resultsAlone(t *callwright.Summary) bool {
	return len(t.Results) > 0 && (t.Role == callwright.RoleTool || !t.Text && !t.Media && !t.Blank)
}
