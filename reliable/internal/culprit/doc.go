// Package culprit finds the tool because of which a provider rejected a request, from the error message or from probe
// requests with fewer tools.
//
// An error message may name the tool, its index, a path in its schema, or a text of its schema (see FindTool and
// Places). Otherwise the tools are ranked by properties of their schemas that providers are known to reject (see
// Rank), and a binary search sends probe requests (see Search). A tool counts as found only if the message names it,
// or if a request with this tool alone was rejected.
package culprit

// A Tool is a tool of a rejected request.
type Tool struct {
	Name        string // declared name
	Sent        string // name as sent
	Description string // description as sent
	Schema      []byte // schema as sent
	Declared    []byte // declared schema
}
