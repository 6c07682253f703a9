package responses

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/callwright/callwright/internal/jsonx"
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

// renumber returns the bytes of an event with a higher sequence_number, if they have one. It scans the event once more.
// That is needed only in a stream that was silent and got events of ours between those of the provider. It is not ok
// for an event whose data are in several lines.
func renumber(raw []byte, by int) (out []byte, ok bool) {
	data := kit.EventData(raw)
	at, from, to := bytes.Index(raw, data), 0, 0
	if at < 0 {
		return nil, false
	}
	jsonx.WalkMembers(data, jsonx.Space(data, 0), func(key jsonx.Key, at int) int {
		end := jsonx.SkipValue(data, at)
		if string(key.Text()) == "sequence_number" {
			from, to = at, end
		}
		return end
	})
	if to == 0 {
		return raw, true
	}
	number := strconv.Itoa(smallNumber(data[from:to]) + by)
	return slices.Concat(raw[:at+from], []byte(number), raw[at+to:]), true
}
