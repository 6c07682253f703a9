package responses

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
)

// responseKeys are the members of a response object that are decoded or redundant. Others are kept as Extra.
var responseKeys = []string{"id", "model", "object", "output", "usage", "status", "error", "incomplete_details", "completed_at"}

// DecodeResponse decodes a response that is not streamed. For a failed response it returns the error in it.
func (Codec) DecodeResponse(raw []byte) (*callwright.Response, error) {
	var in [1]jsonx.Fields
	err := jsonx.CheckedFields(raw, in[:])
	whole := &in[0]
	if whole.Object() == nil {
		return nil, badAnswer("expected a JSON object", raw, err)
	}
	if e := failureWithin(whole); e != nil {
		return nil, e
	}
	output := whole.Get("output")
	if !jsonx.IsArray(output) {
		return nil, badAnswer("expected a list of output items, got "+kit.KindOf(output), raw, nil)
	}
	resp := &callwright.Response{ID: jsonx.TextOf(whole.Get("id")), Model: jsonx.TextOf(whole.Get("model")),
		Usage: items.Usage(whole.Get("usage")), Confidence: 1,
		Extra: own.Rest(whole, responseKeys), Raw: &callwright.Raw{Wire: callwright.WireResponses, Bytes: raw}}
	var out items.Outcome
	out.Read(whole)
	for item := range jsonx.Elements(output) {
		resp.Parts = appendItem(resp.Parts, item)
	}
	for _, p := range resp.Parts {
		out.Add(p)
	}
	resp.Finish = out.Finish()
	return resp, nil
}

// appendItem decodes an output item and appends its parts.
func appendItem(parts []callwright.Part, v []byte) []callwright.Part {
	switch w := items.ClassOfItem(v); {
	case w.Message:
		return items.AppendMessage(parts, v)
	case w.Reasoning:
		return append(parts, items.Reasoning(v))
	case w.Call != nil:
		return append(parts, items.Call(v, w.Call))
	}
	return append(parts, items.Opaque(v))
}
