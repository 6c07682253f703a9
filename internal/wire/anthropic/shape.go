package anthropic

import "github.com/callwright/callwright/internal/wire/internal/kit"

// The objects in the lists of a request body for which there is a kit.Shape.
const (
	ofMessage kit.ShapeKind = iota // a message
	ofBlock                        // a content block of a message
	ofInner                        // a content block of a tool result
)

// Slots of messageShape: the members of a message that are decoded.
const (
	mRole = iota
	mContent
	mConfig
)

// Slots of blockShape and innerShape, and indices of blockMembers: the members of a content block that are decoded.
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
