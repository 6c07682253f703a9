package ollama

import "github.com/callwright/callwright/internal/wire/internal/kit"

// Kinds of kit.Shape, one for each type of JSON object in the lists of a request body.
const (
	ofMessage kit.ShapeKind = iota // a message
	ofCall                         // a call
	ofImage                        // an image
)

// Slots (indices) of the members of a message that a kit.Walk reads, in the order of messageShape.
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

// Slots (indices) of the members of a call that a kit.Walk reads, then of its function, in the order of callShape.
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
