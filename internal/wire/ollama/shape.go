package ollama

import "github.com/callwright/callwright/internal/wire/internal/kit"

// The objects in the lists of a request body for which there is a kit.Shape.
const (
	ofMessage kit.ShapeKind = iota // a message
	ofCall                         // a call
	ofImage                        // an image
)

// Slots of messageShape: the members of a message that the outline reads.
const (
	mRole = iota
	mContent
	mThinking
	mCarrier
	mCalls
	mImages
	mCallID
	mToolName
	mName
)

// Slots of callShape: the members of a call that the outline reads, then the members of its function.
const (
	cID = iota
	cFunction
	cName
	cArguments
)

var (
	imageShape   = kit.NewShape(ofImage)
	callShape    = kit.NewShape(ofCall, "id", "function").Inner(cFunction, "name", "arguments")
	messageShape = kit.NewShape(ofMessage, "role", "content", "thinking", carrierKey, "tool_calls", "images", "tool_call_id",
		"tool_name", "name").
		List(mCalls, callShape).List(mImages, imageShape)
)
