package factlist

import (
	"slices"
	"strings"
)

// ToolMark is the entry that stands for a tool with one schema: NAME@HASH, where HASH is of the name and of the schema.
// A tool with another schema has another entry. It is "" for a name that a list cannot hold.
func ToolMark(name string, schema []byte) string {
	if name == "" || strings.ContainsAny(name, ",=") {
		return ""
	}
	return name + "@" + Mark(name+"\x00"+string(schema))
}

// HasTool reports whether a list has a tool: by its name, as a person configures it, or by its ToolMark, as a refusal
// teaches it.
func HasTool(list, name string, schema []byte) bool {
	return list != "" && (Has(list, name) || Has(list, ToolMark(name, schema)))
}

// Level is the word that a list of entries NAME=LEVEL and NAME@HASH=LEVEL has for a tool, "" where the list does not
// have it.
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

// maxTools bounds the tools of one list: sets whose schemas change with each request would let it grow without end.
const maxTools = 256

// WithTool is a list with an entry of a tool in place of its earlier entries, for other schemas too. The oldest entries
// go where there are too many.
func WithTool(list, entry string) string {
	name := toolOf(entry)
	var out []string
	if list != "" {
		out = slices.DeleteFunc(strings.Split(list, ","), func(e string) bool { return toolOf(e) == name })
	}
	out = append(out, entry)
	return strings.Join(out[max(0, len(out)-maxTools):], ",")
}

// toolOf is the name of the tool that an entry is about.
func toolOf(entry string) string {
	if i := strings.LastIndexByte(entry, '='); i > 0 {
		entry = entry[:i]
	}
	if i := strings.LastIndexByte(entry, '@'); i > 0 {
		entry = entry[:i]
	}
	return entry
}
