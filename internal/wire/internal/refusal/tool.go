package refusal

import (
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/feature"
)

// Tool is the feature of a refusal that is about the schema of one tool, "" where it names none: the tool is named as
// in "Invalid schema for function 'f'", or by its place as in "tools.3.custom.input_schema" and
// "tools[0].function_declarations[6].parameters". A place is given as the request over this API has it: gateways count
// the functions alike in each.
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

// namedTools is wording around the name of a tool whose schema is refused: of OpenAI, and of Vertex.
var namedTools = []struct{ before, after string }{
	{"for function '", "'"},
	{"because `", "` functionDeclaration"},
}

// A position is the place of a tool: group is that of the declarations that Gemini's API puts functions into, -1 where
// it is not said.
type position struct{ group, tool int }

// place is a position as a pointer into a body of this API.
func (w *Wire) place(p position) string {
	if !w.Grouped {
		return "/tools/" + strconv.Itoa(p.tool)
	}
	return "/tools/" + strconv.Itoa(max(p.group, 0)) + "/functionDeclarations/" + strconv.Itoa(p.tool)
}

// toolPlace is the first place of a tool in a message, and the rest of its path.
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

// number reads an index, in brackets or after a dot.
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

// aboutSchema reports whether a message, as it came and in lower case, is about the schema of the tool that it names:
// it names the tool for that alone, its place is inside of the schema, or the words are about schemas.
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
