package document

import (
	"slices"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
)

// Members are those of a document. They must not be changed.
var Members = []string{"scratchpad", "toolCalls", "answer", "content", "needsMoreWork"}

// Is reports whether an object is the document that was asked for. fixes are the repairs of its text. With text around
// it, it is so only where it has calls: an object in a sentence is part of the text.
func Is(doc []byte, fixes []repair.Fix) bool {
	if slices.ContainsFunc(fixes, func(f repair.Fix) bool { return f.Rule == "leading_text" || f.Rule == "trailing_text" }) {
		_, calls := jsonx.Find(doc, "toolCalls")
		return calls
	}
	return string(jsonx.Compact(nil, doc)) == "{}" || slices.ContainsFunc(Members, func(m string) bool {
		_, ok := jsonx.Find(doc, m)
		return ok
	})
}

// Text is the string of a member, "" where there is none.
func Text(doc []byte, key string) string {
	v, _ := jsonx.Find(doc, key)
	return jsonx.TextOf(v)
}

// Others are the members of an object that are none of the document's own. isArgument reports that one that has the
// name of such a member is an argument all the same.
func Others(doc []byte, isArgument func(key string) bool) jsonx.List {
	list, _ := jsonx.ParseObject(doc)
	return slices.DeleteFunc(list, func(m jsonx.Member) bool { return slices.Contains(Members, m.Key) && !isArgument(m.Key) })
}
