package kit

import "github.com/callwright/callwright"

// EndedCall returns the complete tool call of a stream. Its arguments are those of end.Call if that is set: the call
// was validated. Otherwise they are pieces, the concatenated argument deltas. The result may share the memory of
// pieces.
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
