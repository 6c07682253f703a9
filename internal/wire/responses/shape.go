package responses

import "github.com/callwright/callwright/internal/wire/internal/kit"

// Kinds of kit.Shape, one for each type of JSON object in the lists of a request body.
const (
	ofItem    kit.ShapeKind = iota // an input item
	ofPart                         // an element of content
	ofOutput                       // an element of the output of a call
	ofSummary                      // an element of a reasoning summary
)

// Slots (indices) of the members of an item that a kit.Walk reads, in the order of itemShape.
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
	iArguments // a call has its input in arguments, action or operation
	iAction
	iOperation
	iOutput
	iTools
	iEncrypted
	iSummary
)

// Slots (indices) of the members of a content part that a kit.Walk reads, in the order of partShape.
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

// callID returns the call_id of a call or output item, otherwise its id. It returns nil if the item has neither.
func callID(item *kit.Object) []byte {
	if id := item.Get(iCallID); id != nil {
		return id
	}
	return item.Get(iID)
}
