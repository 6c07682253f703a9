package kit

import (
	"strconv"
	"strings"

	"github.com/callwright/callwright"
)

// RefusedTool is the feature of a refusal that is about the schema of one tool, "" where it names none: the tool is named as in
// "Invalid schema for function 'f'", or by its place as in "tools.3.custom.input_schema" and
// "tools[0].function_declarations[6].parameters".
func RefusedTool(message string) callwright.Feature {
	if _, rest, ok := strings.Cut(message, "for function '"); ok {
		if name, _, ok := strings.Cut(rest, "'"); ok && name != "" {
			return callwright.FeatureToolSchema + callwright.Feature(name)
		}
	}
	for rest := message; ; {
		_, after, ok := strings.Cut(rest, "tools")
		if !ok {
			return ""
		}
		rest = after
		tool, after, ok := number(after)
		if !ok {
			continue
		}
		place := "/tools/" + tool
		if inner, ok := strings.CutPrefix(after, ".function_declarations"); ok {
			if n, _, ok := number(inner); ok {
				place += "/functionDeclarations/" + n
			}
		}
		return callwright.FeatureToolSchema + callwright.Feature(place)
	}
}

// number reads an index, in brackets or after a dot.
func number(s string) (digits, rest string, ok bool) {
	if s == "" || s[0] != '[' && s[0] != '.' {
		return "", "", false
	}
	n := 1
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if _, err := strconv.Atoi(s[1:n]); err != nil {
		return "", "", false
	}
	return s[1:n], strings.TrimPrefix(s[n:], "]"), true
}
