package gemini

import "github.com/callwright/callwright/internal/wire/internal/kit"

// The kinds of objects in the lists of a request.
const (
	ofContent kit.ShapeKind = iota
	ofPart
	ofShown // a file of a result
)

// The members of a content that are read. Of the system instruction, which is content -1, only the parts are.
const (
	cParts = iota
	cRole
)

// The members of a part, then those of its call, then those of its result.
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

// either is the name in both spellings, as shapes have it.
func (n name) either() string { return n.camel + "|" + n.snake }
