package document

import (
	"slices"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
)

// Members are the member names of a document. They must not be modified.
var Members = []string{"scratchpad", "toolCalls", "answer", "content", "needsMoreWork"}

// Is reports whether a JSON object is the requested document: it is empty or has one of Members. fixes are the repairs
// of its text. If there is other text around the object, it must have the member toolCalls.
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

// Text returns the string value of a member, "" if there is none.
func Text(doc []byte, key string) string {
	v, _ := jsonx.Find(doc, key)
	return jsonx.TextOf(v)
}

// Others returns the members of an object whose names are not in Members. A member with such a name is included if
// isArgument returns true for its name.
func Others(doc []byte, isArgument func(key string) bool) jsonx.List {
	list, _ := jsonx.ParseObject(doc)
	return slices.DeleteFunc(list, func(m jsonx.Member) bool { return slices.Contains(Members, m.Key) && !isArgument(m.Key) })
}
