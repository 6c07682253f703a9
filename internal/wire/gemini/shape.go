package gemini

import "github.com/callwright/callwright/internal/wire/internal/kit"

// Kinds of kit.Shape, one for each type of JSON object in the lists of a request body.
const (
	ofContent kit.ShapeKind = iota // a content
	ofPart                         // a part of a content
	ofShown                        // a file in a functionResponse
)

// Slots (indices) of the members of a content that a kit.Walk reads, in the order of contentShape.
const (
	cParts = iota
	cRole
)

// Slots (indices) of the members of a part that a kit.Walk reads, then of its functionCall and functionResponse.
const (
	pText = iota
	pThought
	pSignature
	pCall
	pResponse
	pInline
	pFile
	pCallID
	pCallName
	pCallArgs
	pResultID
	pResultName
	pResultSaid
	pResultParts
)

var (
	shownShape = kit.NewShape(ofShown)
	partShape  = kit.NewShape(ofPart, "text", "thought", thoughtSignature.bothSpellings(), functionCall.bothSpellings(), functionResponse.bothSpellings(),
		inlineData.bothSpellings(), fileData.bothSpellings()).
		Inner(pCall, "id", "name", "args").Inner(pResponse, "id", "name", "response", "parts").ListOrOne(pResultParts, shownShape)

	contentShape = kit.NewShape(ofContent, "parts", "role").ListOrOne(cParts, partShape)
)

// bothSpellings returns both spellings of the name, separated by "|", as kit.NewShape expects them.
func (n name) bothSpellings() string { return n.camel + "|" + n.snake }
