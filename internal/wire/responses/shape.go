package responses

import "github.com/callwright/callwright/internal/wire/internal/kit"

// The kinds of objects in the lists of a request.
const (
	ofItem kit.ShapeKind = iota
	ofPart
	ofOutput // a part of the output of a call
	ofSummary
)

// The members of an item that are read. Arguments, action and operation hold the input of a call, by its type.
const (
	iType = iota
	iRole
	iContent
	iCallID
	iID
	iName
	iNamespace
	iExecution
	iEnvironment
	iArguments
	iAction
	iOperation
	iOutput
	iTools
	iEncrypted
	iSummary
)

// The members of a part.
const (
	pType = iota
	pText
	pRefusal
)

var (
	partShape    = kit.NewShape(ofPart, "type", "text", "refusal")
	outputShape  = kit.NewShape(ofOutput, "type")
	summaryShape = kit.NewShape(ofSummary)

	itemShape = kit.NewShape(ofItem, "type", "role", "content", "call_id", "id", "name", "namespace", "execution", "environment",
		"arguments", "action", "operation", "output", "tools", "encrypted_content", "summary").
		List(iContent, partShape).List(iOutput, outputShape).List(iSummary, summaryShape)
)

// callID is the id of a call, or of the call that an output answers, nil where the provider runs it. Items that have no
// such id are known by their own.
func callID(item *kit.Object) []byte {
	if id := item.Get(iCallID); id != nil {
		return id
	}
	return item.Get(iID)
}
