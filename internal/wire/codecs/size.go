package codecs

import (
	"bytes"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// A Size is how many elements the lists of a request have: messages or items, parts of them all, and tools.
type Size struct{ Messages, Parts, Tools int }

// The counted kinds of elements.
const (
	asRequest kit.ShapeKind = iota
	asMessage
	asPart
	asTool
	countedKinds int = iota
)

// The lists of all APIs: parts hold parts, as results do, and tools come in groups.
var (
	countedPart    = countParts(asPart, kit.NewShape(asPart))
	countedMessage = countParts(asMessage, countedPart)
	countedTool    = kit.NewShape(asTool, "functionDeclarations", "function_declarations", "tools").
			List(0, kit.NewShape(asTool)).List(1, kit.NewShape(asTool)).List(2, kit.NewShape(asTool))
	countedRequest = kit.NewShape(asRequest, "messages", "contents", "input", "system", "instructions", "systemInstruction",
		"system_instruction", "tools", "functions").
		List(0, countedMessage).List(1, countedMessage).List(2, countedMessage).List(3, countedPart).List(4, countedPart).
		Lone(5, countParts(asRequest, countedPart)).Lone(6, countParts(asRequest, countedPart)).List(7, countedTool).List(8, countedTool)
)

// countParts returns the shape of an element that holds parts.
func countParts(kind kit.ShapeKind, part *kit.Shape) *kit.Shape {
	s := kit.NewShape(kind, "content", "parts", "tool_calls", "output", "summary", "images")
	for slot := range 6 {
		s.List(slot, part)
	}
	return s
}

// A sizer is the visitor that counts. It keeps nothing: decoded, a list of empty objects takes many times the memory of
// its text.
type sizer struct {
	n, most [countedKinds]int
	over    kit.ShapeKind
}

// Enter counts an element.
func (s *sizer) Enter(of *kit.Shape, _ int) bool {
	if of.Kind == asRequest {
		return true
	}
	if s.n[of.Kind]++; s.n[of.Kind] > s.most[of.Kind] && s.over == asRequest {
		s.over = of.Kind
	}
	return s.over == asRequest
}

// Leave does nothing: an element is counted when it begins.
func (s *sizer) Leave(*kit.Object) {}

// Exceeds counts the elements of a request's lists, whatever its API, as far as the text is JSON. It names the first
// kind of element that exceeds its limit, and returns the limit.
func Exceeds(body []byte, most Size) (what string, limit int, exceeds bool) {
	// n elements of lists have at least n/2 commas between them and their lists. Messages and tools are objects: others
	// are refused when they are read.
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
