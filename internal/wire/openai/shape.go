package openai

import "github.com/callwright/callwright/internal/wire/internal/kit"

// Kinds of kit.Shape, one for each type of JSON object in the lists of a request body.
const (
	ofMessage kit.ShapeKind = iota // an element of messages
	ofPart                         // an element of the content of a message
	ofCall                         // an element of tool_calls
)

// Slots (indices) of the members of a message that a kit.Walk reads, in the order of messageShape.
const (
	mRole = iota
	mContent
	mCalls
	mCallID
	mLegacy
	mReasoning
	mReasoningShort
	mDetails
)

// Slots (indices) of the members of a content part that a kit.Walk reads, in the order of partShape.
const (
	pType = iota
	pText
	pRefusal
)

// Slots (indices) of the members of a call that a kit.Walk reads, then of its function, in the order of callShape.
const (
	cID = iota
	cType
	cFunction
	cCustom
	cExtra
	cName
	cArguments
)

var (
	partShape = kit.NewShape(ofPart, "type", "text", "refusal")
	callShape = kit.NewShape(ofCall, "id", "type", "function", "custom", "extra_content").Inner(cFunction, "name", "arguments")

	messageShape = kit.NewShape(ofMessage, "role", "content", "tool_calls", "tool_call_id", "function_call", "reasoning_content", "reasoning",
		"reasoning_details").List(mContent, partShape).List(mCalls, callShape)
)
