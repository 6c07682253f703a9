package anthropic

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// stopReasons maps this API's stop reasons to finishes and, the first of each finish, back.
var stopReasons = []struct {
	reason string
	finish callwright.Finish
}{
	{"end_turn", callwright.FinishStop}, {"stop_sequence", callwright.FinishStop}, {"tool_use", callwright.FinishCalls},
	{"max_tokens", callwright.FinishLength}, {"model_context_window_exceeded", callwright.FinishLength},
	{"refusal", callwright.FinishContentFilter}, {"pause_turn", callwright.FinishPause}, {"compaction", callwright.FinishPause},
}

// finishOf is the finish by the reason; an answer that ended without one stopped. Whether the content says the same is
// for others to judge: the bytes say this.
func finishOf(reason string) callwright.Finish {
	if reason == "" {
		return callwright.FinishStop
	}
	for _, row := range stopReasons {
		if row.reason == reason {
			return row.finish
		}
	}
	return callwright.FinishOther
}

// stopReason is the reason to write: this API's own where it still says the same, else the first for the finish.
// Clients know no reasons outside the list, so a finish without one becomes end_turn.
func stopReason(finish callwright.Finish, extra []byte) string {
	v, _ := jsonx.Find(extra, "stop_reason")
	if reason := string(jsonx.TextBytes(v)); reason != "" && finishOf(reason) == finish {
		return reason
	}
	for _, row := range stopReasons {
		if row.finish == finish {
			return row.reason
		}
	}
	return stopReasons[0].reason
}
