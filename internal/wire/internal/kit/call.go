package kit

import "github.com/callwright/callwright"

// EndedCall is a streamed call at its end: as it was judged, or with the pieces of arguments that came.
func EndedCall(begin callwright.CallBegin, pieces []byte, end callwright.CallEnd) callwright.Call {
	c := callwright.Call{ID: begin.ID, Name: begin.Name, Type: begin.Type, Signature: begin.Signature, Origin: begin.Origin,
		Extra: begin.Extra}
	switch {
	case end.Call != nil:
		c.Arguments, c.Input = end.Call.Arguments, end.Call.Input
	case c.Type == callwright.CustomTool:
		c.Input = string(pieces)
	default:
		c.Arguments = pieces
	}
	return c
}
