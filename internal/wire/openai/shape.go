package openai

import "github.com/callwright/callwright/internal/wire/internal/kit"

// The kinds of objects in the lists of a request.
const (
	ofMessage kit.ShapeKind = iota
	ofPart
	ofCall
)

// The members of a message that are read.
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

// The members of a part.
const (
	pType = iota
	pText
	pRefusal
)

// The members of a call, then those of its function.
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
