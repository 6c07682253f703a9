package anthropic

import "github.com/callwright/callwright/internal/wire/internal/kit"

// Kinds of kit.Shape, one for each type of JSON object in the lists of a request body.
const (
	ofMessage kit.ShapeKind = iota // a message
	ofBlock                        // a content block of a message
	ofInner                        // a content block of a tool result
)

// Slots (indices) of the members of a message that a kit.Walk reads, in the order of messageShape.
const (
	mRole = iota
	mContent
	mConfig
)

// Slots (indices) of the members of a content block that a kit.Walk reads, in the order of blockMembers.
const (
	bType = iota
	bText
	bID
	bResultOf
	bName
	bInput
	bContent
	bSource
	bTitle
	bThinking
	bSignature
	bData
	bIsError
	bCitations
)

var blockMembers = []string{"type", "text", "id", "tool_use_id", "name", "input", "content", "source", "title", "thinking",
	"signature", "data", "is_error", citations}

var (
	innerShape   = kit.NewShape(ofInner, blockMembers...)
	blockShape   = kit.NewShape(ofBlock, blockMembers...).List(bContent, innerShape)
	messageShape = kit.NewShape(ofMessage, "role", "content", "output_config").List(mContent, blockShape)
)
