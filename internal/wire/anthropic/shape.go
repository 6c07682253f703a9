package anthropic

import "github.com/callwright/callwright/internal/wire/internal/kit"

// The kinds of objects in the lists of a request. The content of a tool result holds blocks, but no further results.
const (
	ofMessage kit.ShapeKind = iota
	ofBlock
	ofInner
)

// The members of a message that are read.
const (
	mRole = iota
	mContent
	mConfig
)

// The members of a block.
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
