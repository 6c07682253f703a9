// Package culprit finds the tool for which a provider refuses a request: by the words of the refusal, or by requests
// with fewer tools.
//
// The words name a tool, its place among the tools, a place inside of its schema, or a piece of its text (see Named).
// Where they name none, the tools are ranked by traits of their schemas that providers refuse (see Rank), and halved
// (see Search). A tool is found only when the words name it, or when a request with it alone was refused.
package culprit

// A Tool is a tool that was sent.
type Tool struct {
	Name        string // as the client declared it
	Sent        string // as it was sent
	Description string // as it was sent
	Schema      []byte // as it was sent
	Declared    []byte // the schema that the client declared
}
