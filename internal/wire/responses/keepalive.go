package responses

import (
	"github.com/callwright/callwright/internal/progress"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// KeepAlive appends a comment and the event that the answer is in progress, after the beginning of the answer. Clients
// that bound the time between two events, such as Codex, count no comments:
// https://github.com/openai/codex/issues/31539.
func (e *streamEncoder) KeepAlive(dst []byte, now progress.Snapshot) []byte {
	if e.Ended {
		return dst
	}
	dst = kit.AppendProgress(e.Flush(dst), now)
	if !e.started {
		return e.start(dst)
	}
	return e.inProgress(dst)
}

// inProgress writes the event that the answer is in progress. Events that pass later have higher numbers by one than
// they came with.
func (e *streamEncoder) inProgress(dst []byte) []byte {
	if len(e.held) > 0 { // it has lower numbers than this event
		e.drop()
		e.rewritten = true
	}
	if e.fromOwnWire {
		e.shift++
	}
	return e.response(dst, "response.in_progress", object{status: inProgress})
}
