package responses

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/progress"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// KeepAlive appends an SSE comment with the progress of the request and a response.in_progress event, the first time
// after response.created. Some clients, such as Codex, limit the time between two events and ignore comments:
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

// inProgress appends response.in_progress. The sequence_number of later forwarded events is increased by one.
func (e *streamEncoder) inProgress(dst []byte) []byte {
	if len(e.held) > 0 { // held events have lower sequence numbers
		e.drop()
		e.rewritten = true
	}
	if e.fromOwnWire {
		e.shift++
	}
	return e.response(dst, "response.in_progress", object{status: inProgress})
}

// renumber returns an event with its sequence_number increased by the number by, or raw if it has none. ok is false if
// the data of the event spans several lines. It scans the event again, which is necessary only after a KeepAlive.
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
