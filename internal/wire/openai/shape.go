package openai

import "github.com/callwright/callwright/internal/wire/internal/kit"

// The objects in the lists of a request body for which there is a kit.Shape: a message, a content part, a tool call.
const (
	ofMessage kit.ShapeKind = iota
	ofPart
	ofCall
)

// Slots of messageShape: the members of a message that the outline reads.
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

// Slots of partShape: the members of a content part that the outline reads.
const (
	pType = iota
	pText
	pRefusal
)

// Slots of callShape: the members of a tool call that the outline reads, then the members of its function.
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
