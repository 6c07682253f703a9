package culprit

import (
	"regexp"
	"strconv"
	"strings"
)

// A Part is the part of a tool that a provider rejects.
type Part uint8

// Parts of a tool.
const (
	Schema Part = iota
	Name
	Description
)

// PartOf returns the part of a tool that an error message concerns.
func PartOf(words string) Part {
	low := strings.ToLower(words)
	switch {
	case strings.Contains(low, "schema"), strings.Contains(low, "parameters"), strings.Contains(low, "properties"):
		return Schema
	case strings.Contains(low, ".description"), strings.Contains(low, "description") && strings.Contains(low, "too long"):
		return Description
	case strings.Contains(low, ".name"), strings.Contains(low, "tool name"), strings.Contains(low, "function name"),
		strings.Contains(low, "工具名称"):
		return Name
	}
	return Schema
}

// definitions are words of error messages about tool definitions, in lower case.
var definitions = []string{
	"schema", "function declaration", "function_declaration", "functiondeclaration", "function.parameters",
	"function parameters", `"parameters"`, "function_parameters",
	"toolspec", "grammar", "tools[", "tools.", "tool definition", "tool parameters", "tool name", "function name",
	"tool description", "function definition",
	"invalid function", "invalid tool", "lookahead", "lookbehind", "look-around", "lookaround", "regex", "regular expression", "工具名称",
}

// elsewhere are words of error messages about other parts of a request, in lower case.
var elsewhere = []string{
	"messages.", "messages[", "tool_call", "tool_use", "tool_result", "tool call", "response_format", "response format",
	"text.format", "response_schema",
	"responseschema", "output_config", "generation", "tool_choice", "context length", "tokens",
}

// IsAboutTools reports whether an error message concerns tool definitions.
func IsAboutTools(words string) bool {
	low := strings.ToLower(words)
	return containsAny(low, definitions) && !containsAny(low, elsewhere)
}

// unspecific are error messages for rejected tool definitions that do not mention tools. Gemini:
// https://github.com/google-gemini/gemini-cli/issues/5270.
var unspecific = []string{"request contains an invalid argument"}

// IsUnspecific reports whether an error message may concern a tool although it does not mention tools.
func IsUnspecific(words string) bool { return containsAny(strings.ToLower(words), unspecific) }

func containsAny(text string, words []string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// How is the way in which an error message identifies a tool.
type How uint8

// Values of How.
const (
	Nothing   How = iota
	ByName        // by its name
	ByContent     // by a path or text that only its schema has
)

// FindTool returns the index of the tool that an error message (words) identifies. how is the way of identification, or
// Nothing if no single tool is identified.
func FindTool(words string, tools []Tool) (tool int, how How) {
	if i := byName(words, tools); i >= 0 {
		return i, ByName
	}
	for _, find := range []func(string, []Tool) int{byPath, byQuotation} {
		if i := find(words, tools); i >= 0 {
			return i, ByContent
		}
	}
	return 0, Nothing
}

// byName returns the index of the tool whose name comes first in the error message, -1 if none. A name must not be part
// of a longer word. It counts after a word such as "tool". Elsewhere it must look like an identifier and not be the
// name of a property.
func byName(words string, tools []Tool) int {
	best, at := -1, len(words)
	for i := range tools {
		for _, name := range []string{tools[i].Sent, tools[i].Name} {
			if p := nameAt(words, name, tools); p >= 0 && p < at {
				best, at = i, p
			}
		}
	}
	return best
}

// nameAt returns the index of the tool name in the error message, -1 if it does not occur as a tool name.
func nameAt(words, name string, tools []Tool) int {
	if name == "" {
		return -1
	}
	for from := 0; ; {
		p := strings.Index(words[from:], name)
		if p < 0 {
			return -1
		}
		p += from
		from = p + len(name)
		if !standsAlone(words, p, from) {
			continue
		}
		if followsToolWord(words[:p]) || looksLikeName(name) && !isProperty(name, tools) {
			return p
		}
	}
}

// standsAlone reports whether words[start:end] is not part of a longer name or path.
func standsAlone(words string, start, end int) bool {
	if start > 0 && isNameByte(words[start-1]) {
		return false
	}
	if end < len(words) && (words[end] == '.' || words[end] == ':') { // punctuation after the name
		end++
	}
	return end == len(words) || !isNameByte(words[end])
}

func isNameByte(c byte) bool {
	return c == '_' || c == '-' || c == '.' || c == '/' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

// toolWord matches a word for a tool before a name, at the end of a text.
var toolWord = regexp.MustCompile("(?i)(?:tool|function|functiondeclaration|declaration|tools|functions|name)s?[ :=]*[(]?[ ]*[\"'`‘“]?$")

func followsToolWord(before string) bool {
	if len(before) > 40 {
		before = before[len(before)-40:]
	}
	return toolWord.MatchString(before)
}

// looksLikeName reports whether name is an identifier rather than an English word: it has at least 5 bytes, and a
// digit, underscore, hyphen, colon or inner capital.
func looksLikeName(name string) bool {
	return len(name) >= 5 && (strings.ContainsAny(name, "_-:0123456789") || strings.ToLower(name[1:]) != name[1:])
}

// places matches the notations of a tool's index in error messages. The last capture group is the index. An earlier
// group, if any, is the index of Gemini's list functionDeclarations that contains the tool.
var places = []*regexp.Regexp{
	regexp.MustCompile(`tools(?:\[|\.|/)(\d+)\]?[./](?:function_declarations|functionDeclarations)(?:\[|\.|/)(\d+)`),
	regexp.MustCompile(`(?:function_declarations|functionDeclarations|functions)(?:\[|\.|/)(\d+)`),
	regexp.MustCompile(`tools(?:\[|\.|/)(\d+)`),
	regexp.MustCompile(`"path": ?\["tools", ?(\d+)`),
	regexp.MustCompile(`"path": ?\[(\d+), ?"(?:function|parameters|name|input_schema)"`),
	regexp.MustCompile(`(?i)\btool (?:at )?index (\d+)`),
	regexp.MustCompile(`(?i)\btools? at (?:position|index) (\d+)`),
}

// Places returns JSON pointers to the tool whose index is in an error message: one for Gemini's request bodies, one for
// those of other APIs. It returns nil if there is no index.
func Places(words string) []string {
	for _, re := range places {
		m := re.FindStringSubmatch(words)
		if m == nil {
			continue
		}
		if len(m) == 3 {
			return []string{"/tools/" + m[1] + "/functionDeclarations/" + m[2], "/tools/" + m[2]}
		}
		return []string{"/tools/" + m[1], "/tools/0/functionDeclarations/" + m[1]}
	}
	return nil
}

// PlaceNumber returns the tool index at the end of a pointer from Places.
func PlaceNumber(place string) int {
	n, _ := strconv.Atoi(place[strings.LastIndexByte(place, '/')+1:])
	return n
}
