package culprit

import (
	"regexp"
	"strconv"
	"strings"
)

// A Part is the part of a tool that is refused.
type Part uint8

// The parts.
const (
	Schema Part = iota
	Name
	Description
)

// PartOf is the part of a tool that a refusal is about, by its words.
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

// definitions are words of refusals that are about definitions of tools, in lower case.
var definitions = []string{
	"schema", "function declaration", "function_declaration", "functiondeclaration", "function.parameters",
	"function parameters", `"parameters"`, "function_parameters",
	"toolspec", "grammar", "tools[", "tools.", "tool definition", "tool parameters", "tool name", "function name",
	"tool description", "function definition",
	"invalid function", "invalid tool", "lookahead", "lookbehind", "look-around", "lookaround", "regex", "regular expression", "工具名称",
}

// elsewhere are words of refusals that are about other parts of a request, in lower case.
var elsewhere = []string{
	"messages.", "messages[", "tool_call", "tool_use", "tool_result", "tool call", "response_format", "response format",
	"text.format", "response_schema",
	"responseschema", "output_config", "generation", "tool_choice", "context length", "tokens",
}

// IsAboutTools reports whether the words of a refusal are about definitions of tools.
func IsAboutTools(words string) bool {
	low := strings.ToLower(words)
	return containsAny(low, definitions) && !containsAny(low, elsewhere)
}

// unspecific is wording by which providers refuse definitions of tools without a word about them. Gemini's:
// https://github.com/google-gemini/gemini-cli/issues/5270.
var unspecific = []string{"request contains an invalid argument"}

// IsUnspecific reports whether the words of a refusal may be about a tool although they say nothing of tools.
func IsUnspecific(words string) bool { return containsAny(strings.ToLower(words), unspecific) }

func containsAny(text string, words []string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// How is the way in which words name a tool.
type How uint8

// The ways.
const (
	Nothing   How = iota
	ByName        // its name
	ByContent     // a place in its schema that no other one has, or a piece of its text
)

// FindTool is the index of the tool that the words of a refusal name, and how; Nothing where they name none, or several
// alike.
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

// byName is the tool whose name stands first in the words, -1 for none. A name counts where a word for tools stands
// before it, or where it cannot be anything else: it is quoted or stands alone, looks like a name, and is that of no
// property.
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

// nameAt is where a name stands in the words as that of a tool, -1 where it does not.
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

// standsAlone reports whether a piece of the words is no part of a longer name or path.
func standsAlone(words string, start, end int) bool {
	if start > 0 && isNameByte(words[start-1]) {
		return false
	}
	if end < len(words) && (words[end] == '.' || words[end] == ':') { // the end of a sentence, or a sentence about the name
		end++
	}
	return end == len(words) || !isNameByte(words[end])
}

func isNameByte(c byte) bool {
	return c == '_' || c == '-' || c == '.' || c == '/' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

// toolWord is a word for a tool at the end of a text, with the text between it and a name.
var toolWord = regexp.MustCompile("(?i)(?:tool|function|functiondeclaration|declaration|tools|functions|name)s?[ :=]*[(]?[ ]*[\"'`‘“]?$")

func followsToolWord(before string) bool {
	if len(before) > 40 {
		before = before[len(before)-40:]
	}
	return toolWord.MatchString(before)
}

// looksLikeName reports whether a word is hardly one of a language: it has a digit, an underscore, a hyphen, or a
// capital inside.
func looksLikeName(name string) bool {
	return len(name) >= 5 && (strings.ContainsAny(name, "_-:0123456789") || strings.ToLower(name[1:]) != name[1:])
}

// places are the ways in which refusals number tools; the last number is that of the tool, and one before it that of
// its group.
var places = []*regexp.Regexp{
	regexp.MustCompile(`tools(?:\[|\.|/)(\d+)\]?[./](?:function_declarations|functionDeclarations)(?:\[|\.|/)(\d+)`),
	regexp.MustCompile(`(?:function_declarations|functionDeclarations|functions)(?:\[|\.|/)(\d+)`),
	regexp.MustCompile(`tools(?:\[|\.|/)(\d+)`),
	regexp.MustCompile(`"path": ?\["tools", ?(\d+)`),
	regexp.MustCompile(`"path": ?\[(\d+), ?"(?:function|parameters|name|input_schema)"`),
	regexp.MustCompile(`(?i)\btool (?:at )?index (\d+)`),
	regexp.MustCompile(`(?i)\btools? at (?:position|index) (\d+)`),
}

// Places are the places of a tool that the words of a refusal number, as JSON pointers into bodies of all APIs; nil
// where they number none. Gateways count the functions of other APIs alike.
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

// PlaceNumber is the number of a tool among all tools that a pointer of Places ends with.
func PlaceNumber(place string) int {
	n, _ := strconv.Atoi(place[strings.LastIndexByte(place, '/')+1:])
	return n
}
