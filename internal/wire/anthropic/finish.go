package anthropic

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// stopReasons maps stop_reason to a Finish. For encoding, the first row with a Finish applies.
var stopReasons = []struct {
	reason string
	finish callwright.Finish
}{
	{"end_turn", callwright.FinishStop}, {"stop_sequence", callwright.FinishStop}, {"tool_use", callwright.FinishCalls},
	{"max_tokens", callwright.FinishLength}, {"model_context_window_exceeded", callwright.FinishLength},
	{"refusal", callwright.FinishContentFilter}, {"pause_turn", callwright.FinishPause}, {"compaction", callwright.FinishPause},
}

// finishOf returns the Finish for a stop_reason, FinishStop for "". It does not look at the content of the response.
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

// stopReason returns the stop_reason to write for a Finish. extra is the JSON of the response's Extra, which may have
// the provider's reason. That is kept if it still means the same Finish. A Finish without a reason becomes "end_turn",
// because clients do not know others.
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
