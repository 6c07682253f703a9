package ollama

import "github.com/callwright/callwright/internal/wire/internal/kit"

// The kinds of objects in the lists of a request.
const (
	ofMessage kit.ShapeKind = iota
	ofCall
	ofImage
)

// The members of a message that are read.
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

// The members of a call, then those of its function.
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
