package gemini

import "github.com/callwright/callwright/internal/wire/internal/kit"

// The objects in the lists of a request body for which there is a kit.Shape.
const (
	ofContent kit.ShapeKind = iota // a content
	ofPart                         // a part of a content
	ofShown                        // a file in a functionResponse
)

// Slots of contentShape: the members of a content that are decoded.
const (
	cParts = iota
	cRole
)

// Slots of partShape: the members of a part, then those of its functionCall, then those of its functionResponse.
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
	partShape  = kit.NewShape(ofPart, "text", "thought", thoughtSignature.either(), functionCall.either(), functionResponse.either(),
		inlineData.either(), fileData.either()).
		Inner(pCall, "id", "name", "args").Inner(pResponse, "id", "name", "response", "parts").Lone(pResultParts, shownShape)

	contentShape = kit.NewShape(ofContent, "parts", "role").Lone(cParts, partShape)
)

// either returns both spellings of the name, separated by "|", as kit.NewShape expects them.
func (n name) either() string { return n.camel + "|" + n.snake }
