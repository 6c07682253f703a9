package factlist

import (
	"slices"
	"strings"
)

// ToolMark returns the entry for a tool with one schema: NAME@HASH. HASH is a hash of the name and the schema, so that
// another schema has another entry. It returns "" if the name contains "," or "=" or is empty.
func ToolMark(name string, schema []byte) string {
	if name == "" || strings.ContainsAny(name, ",=") {
		return ""
	}
	return name + "@" + Mark(name+"\x00"+string(schema))
}

// HasTool reports whether a list contains a tool, either by name (configured) or by ToolMark (learned).
func HasTool(list, name string, schema []byte) bool {
	return list != "" && (Has(list, name) || Has(list, ToolMark(name, schema)))
}

// Level returns the value of a tool in a list with entries NAME=LEVEL and NAME@HASH=LEVEL. It returns "" if there is
// none.
func Level(list, name string, schema []byte) string {
	if list == "" {
		return ""
	}
	mark := ToolMark(name, schema)
	for e := range strings.SplitSeq(list, ",") {
		if i := strings.LastIndexByte(e, '='); i > 0 && (e[:i] == name || e[:i] == mark) {
			return e[i+1:]
		}
	}
	return ""
}

// maxTools is the maximum number of tools in a list. Without it, a list would grow without limit if schemas change with
// each request.
const maxTools = 256

// WithTool appends an entry to a list and removes earlier entries of the same tool, also those for other schemas. If
// the list exceeds maxTools entries, the oldest are removed.
func WithTool(list, entry string) string {
	name := toolOf(entry)
	var out []string
	if list != "" {
		out = slices.DeleteFunc(strings.Split(list, ","), func(e string) bool { return toolOf(e) == name })
	}
	out = append(out, entry)
	return strings.Join(out[max(0, len(out)-maxTools):], ",")
}

// toolOf returns the tool name in an entry.
func toolOf(entry string) string {
	if i := strings.LastIndexByte(entry, '='); i > 0 {
		entry = entry[:i]
	}
	if i := strings.LastIndexByte(entry, '@'); i > 0 {
		entry = entry[:i]
	}
	return entry
}
