package refusal

import (
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/feature"
)

// Tool returns the feature for a message about the schema of one tool, "" if it names no tool. The message names the
// tool, as in "Invalid schema for function 'f'", or its position, as in "tools.3.custom.input_schema" or
// "tools[0].function_declarations[6].parameters". A position becomes a JSON pointer into the request of this API,
// because gateways keep the order of tools.
func (w *Wire) Tool(message string) callwright.Feature {
	for _, q := range namedTools {
		if _, rest, ok := strings.Cut(message, q.before); ok {
			if name, _, ok := strings.Cut(rest, q.after); ok && name != "" {
				return feature.ToolSchema + callwright.Feature(name)
			}
		}
	}
	at, _, ok := toolPlace(message)
	if !ok {
		return ""
	}
	return feature.ToolSchema + callwright.Feature(w.place(at))
}

// namedTools lists the wordings around the name of a tool with an invalid schema, of OpenAI and of Vertex.
var namedTools = []struct{ before, after string }{
	{"for function '", "'"},
	{"because `", "` functionDeclaration"},
}

// A position is the index of a tool. group is the index of Gemini's functionDeclarations group, -1 if unknown.
type position struct{ group, tool int }

// place returns the JSON pointer to the tool at position p in a request body of this API.
func (w *Wire) place(p position) string {
	if !w.Grouped {
		return "/tools/" + strconv.Itoa(p.tool)
	}
	return "/tools/" + strconv.Itoa(max(p.group, 0)) + "/functionDeclarations/" + strconv.Itoa(p.tool)
}

// toolPlace returns the position of the first tool in a message, and the path after it: "tools[0].function.name" gives
// 0 and ".function.name". ok is false if there is none.
func toolPlace(message string) (p position, path string, ok bool) {
	for rest := message; ; {
		_, after, found := strings.Cut(rest, "tools")
		if !found {
			return position{}, "", false
		}
		rest = after
		n, after, ok := number(after)
		if !ok {
			continue
		}
		p = position{-1, n}
		for _, name := range []string{".function_declarations", ".functionDeclarations"} {
			if inner, ok := strings.CutPrefix(after, name); ok {
				if m, below, ok := number(inner); ok {
					p, after = position{n, m}, below
				}
			}
		}
		path, _, _ = strings.Cut(after, " ")
		return p, path, true
	}
}

// number reads an index such as "[3]" or ".3" at the start of s. rest is the text after it. ok is false without one.
func number(s string) (n int, rest string, ok bool) {
	if s == "" || s[0] != '[' && s[0] != '.' {
		return 0, "", false
	}
	end := 1
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	n, err := strconv.Atoi(s[1:end])
	if err != nil {
		return 0, "", false
	}
	return n, strings.TrimPrefix(s[end:], "]"), true
}

// aboutSchema reports whether a message is about the schema of the tool that it names: by its wording, or because the
// path leads into the schema. low is the message in lower case.
func aboutSchema(message, low string) bool {
	for _, q := range namedTools {
		if strings.Contains(message, q.before) && strings.Contains(message, q.after) && strings.Contains(low, "schema") {
			return true
		}
	}
	_, path, ok := toolPlace(message)
	if !ok {
		return false
	}
	if strings.Contains(path, "parameters") || strings.Contains(path, "schema") {
		return true
	}
	return strings.Contains(low, "schema") || strings.Contains(low, "additionalproperties") || strings.Contains(low, "keyword")
}
