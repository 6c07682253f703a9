package kit

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// besideText are the members, of whichever wire, that say where a text comes from or how likely it was.
var besideText = []string{"annotations", "citations", "citationMetadata", "groundingMetadata", "urlContextMetadata", "logprobs", "logprobsResult"}

// LeftBeside are notes on what an answer has beside its text that only another wire than own knows: citations and probabilities.
func LeftBeside(resp *callwright.Response, own callwright.WireName) []callwright.Note {
	var notes Notes
	add := func(x callwright.Extra) {
		if x.Wire == own || len(x.JSON) == 0 || len(notes) >= maxLeft {
			return
		}
		for key, v := range jsonx.Members(x.JSON) {
			if OneOf(key, besideText) && says(v) {
				notes.Add(callwright.Note{Rule: "response.opaque", Was: key.String() + ": " + string(v), Why: "only the " + string(x.Wire) + " API has this member"})
			}
		}
	}
	for _, p := range resp.Parts {
		if t, ok := p.(callwright.Text); ok {
			add(t.Extra)
		}
	}
	add(resp.Extra)
	for _, list := range []string{"choices", "candidates"} {
		in, _ := jsonx.Find(resp.Extra.JSON, list)
		for v := range jsonx.Elements(in) {
			add(callwright.Extra{Wire: resp.Extra.Wire, JSON: v})
			message, _ := jsonx.Find(v, "message")
			add(callwright.Extra{Wire: resp.Extra.Wire, JSON: message})
			break
		}
	}
	return notes
}

// says reports whether a member holds anything: null, empty ones, and objects of such do not.
func says(v []byte) bool {
	switch {
	case jsonx.IsNull(v):
		return false
	case jsonx.IsArray(v):
		for range jsonx.Elements(v) {
			return true
		}
		return false
	case jsonx.IsObject(v):
		for _, in := range jsonx.Members(v) {
			if says(in) {
				return true
			}
		}
		return false
	}
	return true
}
