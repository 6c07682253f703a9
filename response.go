package callwright

import (
	"strconv"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Response is a complete response of a model. Parts are in the order in which the model generated them.
type Response struct {
	ID     string
	Model  string
	Parts  []Part
	Finish Finish
	Usage  Usage
	// NeedsMoreWork reports whether the task continues after this response. It is true if the response has calls. Without
	// calls it is the value of needs_more_work in an enveloped response, or true if the response was truncated. It is nil
	// if the Model is not a client of package reliable.
	NeedsMoreWork *bool
	// Confidence is 1 for a response without changes of RiskImplied or RiskHeuristic. Each such change lowers it.
	Confidence float64
	Report     *Report
	Extra      Extra
	// Raw has the bytes of the provider's response. It is nil if anything was changed.
	Raw *Raw
}

// Raw is a response body in the format of the API Wire, unchanged.
type Raw struct {
	Wire  WireName
	Bytes []byte
}

// Text returns the concatenated visible text.
func (r *Response) Text() string { return TextOf(r.Parts) }

// Calls returns the calls in order. The calls of a client of package reliable satisfy their schemas unless they are
// Unvalidated.
func (r *Response) Calls() []Call { return CallsOf(r.Parts) }

// Message returns the response as an assistant message to append to the conversation.
func (r *Response) Message() Message { return Message{Role: RoleAssistant, Parts: r.Parts} }

// Reasoning returns the concatenated text of the Reasoning parts.
func (r *Response) Reasoning() string {
	var b []byte
	for _, p := range r.Parts {
		if t, ok := p.(Reasoning); ok {
			b = append(b, t.Text...)
		}
	}
	return string(b)
}

// A Finish is the reason why the model ended its response.
type Finish string

// The finish reasons. A codec maps an unknown reason of its API to FinishOther. Use Response.Calls, not the finish
// reason, to find out whether the response has calls.
const (
	FinishStop          Finish = "stop"
	FinishCalls         Finish = "tool_calls"
	FinishLength        Finish = "length"
	FinishContentFilter Finish = "content_filter"
	FinishMalformedCall Finish = "malformed_tool_call"
	FinishPause         Finish = "pause"
	FinishError         Finish = "error"
	FinishOther         Finish = "other"
)

// Usage has the token counts of a request. Input includes CacheRead and CacheWrite. Output includes Reasoning. Known
// reports whether the provider reported any count.
type Usage struct {
	Known      bool
	Input      int
	CacheRead  int
	CacheWrite int
	Output     int
	Reasoning  int
	Extra      Extra
}

// Plus returns the sum of the usage of two requests. Extra is that of later, or of u if later has none. Integers that
// both have in their Extras, such as counts of cached tokens, are added too.
func (u Usage) Plus(later Usage) Usage {
	return Usage{Known: u.Known || later.Known, Input: u.Input + later.Input, CacheRead: u.CacheRead + later.CacheRead,
		CacheWrite: u.CacheWrite + later.CacheWrite,
		Output:     u.Output + later.Output, Reasoning: u.Reasoning + later.Reasoning, Extra: u.extraPlus(later)}
}

func (u Usage) extraPlus(later Usage) Extra {
	out := u.Merge(later).Extra
	if u.Extra.Wire == later.Extra.Wire && u.Extra.JSON != nil && later.Extra.JSON != nil {
		out.JSON = addCounts(u.Extra.JSON, later.Extra.JSON)
	}
	return out
}

// addCounts returns the object b in which the integers of the object a are added to those of the same members.
func addCounts(a, b []byte) []byte {
	had, err := jsonx.ParseObject(a)
	list, err2 := jsonx.ParseObject(b)
	if err != nil || err2 != nil {
		return b
	}
	for _, m := range had {
		v, ok := list.Get(m.Key)
		if !ok {
			list.Set(m.Key, m.Value)
			continue
		}
		if jsonx.KindOf(v) == jsonx.Object {
			list.Set(m.Key, addCounts(m.Value, v))
			continue
		}
		x, err := strconv.Atoi(string(m.Value))
		y, err2 := strconv.Atoi(string(v))
		if err == nil && err2 == nil {
			list.Set(m.Key, strconv.AppendInt(nil, int64(x+y), 10))
		}
	}
	return list.Append(nil)
}

// Merge returns u updated with a later usage report of the same request. Non-zero counts of later replace those of u.
// A zero count replaces a count of u only if later.Input is not zero.
func (u Usage) Merge(later Usage) Usage {
	out := u
	out.Known = u.Known || later.Known
	for _, m := range []struct{ to, from *int }{
		{&out.Input, &later.Input}, {&out.CacheRead, &later.CacheRead}, {&out.CacheWrite, &later.CacheWrite},
		{&out.Output, &later.Output}, {&out.Reasoning, &later.Reasoning},
	} {
		if *m.from != 0 || later.Input != 0 { // a zero is meaningful only in a report with an input count
			*m.to = *m.from
		}
	}
	if later.Extra.JSON != nil {
		out.Extra = later.Extra
	}
	return out
}
