package codecs

import (
	"bytes"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// A Size counts the list elements of a request: messages (or items), the parts of all messages, and tools.
type Size struct{ Messages, Parts, Tools int }

// The kinds of elements that a sizer counts. asRequest also means that no limit is exceeded.
const (
	asRequest kit.ShapeKind = iota
	asMessage
	asPart
	asTool
	countedKinds int = iota
)

// The shapes of requests of all APIs together. A part may contain parts, as tool results do. A tool may be a group of
// tools.
var (
	countedPart    = countParts(asPart, kit.NewShape(asPart))
	countedMessage = countParts(asMessage, countedPart)
	countedTool    = kit.NewShape(asTool, "functionDeclarations", "function_declarations", "tools").
			List(0, kit.NewShape(asTool)).List(1, kit.NewShape(asTool)).List(2, kit.NewShape(asTool))
	countedRequest = kit.NewShape(asRequest, "messages", "contents", "input", "system", "instructions", "systemInstruction",
		"system_instruction", "tools", "functions").
		List(0, countedMessage).List(1, countedMessage).List(2, countedMessage).List(3, countedPart).List(4, countedPart).
		ListOrOne(5, countParts(asRequest, countedPart)).ListOrOne(6, countParts(asRequest, countedPart)).List(7, countedTool).List(8, countedTool)
)

// countParts returns the shape of an element that contains parts, under any of the members that an API uses.
func countParts(kind kit.ShapeKind, part *kit.Shape) *kit.Shape {
	s := kit.NewShape(kind, "content", "parts", "tool_calls", "output", "summary", "images")
	for slot := range 6 {
		s.List(slot, part)
	}
	return s
}

// A sizer is a kit.Visitor that counts list elements without decoding them. Decoded, a list of empty objects takes many
// times the memory of its JSON text.
type sizer struct {
	n, most [countedKinds]int
	over    kit.ShapeKind // the first kind that exceeds its limit, asRequest for none
}

// Enter counts a message, part or tool. It returns false, which skips the element, once a limit is exceeded.
func (s *sizer) Enter(of *kit.Shape, _ int) bool {
	if of.Kind == asRequest {
		return true
	}
	if s.n[of.Kind]++; s.n[of.Kind] > s.most[of.Kind] && s.over == asRequest {
		s.over = of.Kind
	}
	return s.over == asRequest
}

// Leave does nothing: Enter counts the elements.
func (s *sizer) Leave(*kit.Object) {}

// Exceeds reports whether a request body of any API has more messages, parts or tools than the limits in most. kind is
// the first kind of element above its limit: "messages", "parts" or "tools". limit is that limit. A body that is not
// valid JSON is counted up to its first error.
func Exceeds(body []byte, most Size) (kind string, limit int, exceeds bool) {
	// n list elements have at least n/2 commas between the elements and between their lists. Messages and tools are
	// objects; the decoder rejects other values. So few commas or braces exclude that a limit is exceeded.
	if commas := bytes.Count(body, []byte{','}); commas < min(most.Messages, most.Parts, most.Tools)/2 ||
		commas < most.Parts/2 && bytes.Count(body, []byte{'{'}) <= min(most.Messages, most.Tools) {
		return "", 0, false
	}
	start := jsonx.Space(body, 0)
	if start == len(body) {
		return "", 0, false
	}
	s := &sizer{most: [countedKinds]int{asMessage: most.Messages, asPart: most.Parts, asTool: most.Tools}}
	kit.NewCheckedWalk(&kit.Document{Raw: body}, jsonx.NewWalker(body), s).Element(0, start, countedRequest)
	return [countedKinds]string{asMessage: "messages", asPart: "parts", asTool: "tools"}[s.over], s.most[s.over], s.over != asRequest
}
