package culprit

import (
	"slices"
	"sort"
	"strings"
)

// A trait is a property of tools that some providers reject.
type trait struct {
	label string   // description for people
	words []string // words of error messages about the trait, in lower case
	has   func(*subject) bool
}

// A subject is a tool with its subschemas.
type subject struct {
	*Tool
	nodes []node
	depth int
}

// A node is a subschema of a tool's schema. root reports whether it is the whole schema.
type node struct {
	at   map[string]any
	root bool
}

// traits lists the known traits, with the URL of a report or documentation.
var traits = []trait{
	// https://github.com/codefuturist/email-mcp/issues/58, https://github.com/vercel/ai/issues/16021
	{"`pattern` with a lookahead", []string{"lookahead", "lookbehind", "look-around", "lookaround", "look around", "pattern",
		"regex", "regular expression", "grammar"}, anyNode(func(n node) bool {
		p := str(n.at, "pattern")
		return strings.Contains(p, "(?=") || strings.Contains(p, "(?!") || strings.Contains(p, "(?<")
	})},
	// https://github.com/containers/kubernetes-mcp-server/issues/758
	{"`pattern` without anchors", []string{"pattern", "regex", "grammar", "must start with '^'"}, anyNode(func(n node) bool {
		p := str(n.at, "pattern")
		return p != "" && (!strings.HasPrefix(p, "^") || !strings.HasSuffix(p, "$"))
	})},
	{"`pattern`", []string{"pattern", "regex", "grammar"}, hasKeyword("pattern")},
	// https://github.com/Automattic/wordpress-mcp/issues/103
	{"an array without `items`", []string{"missing items", "items", "array"},
		anyNode(func(n node) bool { return isType(n.at, "array") && n.at["items"] == nil && n.at["prefixItems"] == nil })},
	// https://github.com/vercel/ai/issues/3371, https://github.com/janhq/jan/issues/7017
	{"an object without `properties`", []string{"missing properties", "non-empty", "properties"}, anyNode(func(n node) bool {
		p, _ := n.at["properties"].(map[string]any)
		return isType(n.at, "object") && len(p) == 0 && n.at["additionalProperties"] == nil
	})},
	// https://github.com/anomalyco/opencode/issues/11889
	{"`properties` of a value that is no object", []string{"only allowed for object", "properties"}, anyNode(func(n node) bool {
		t := str(n.at, "type")
		return t != "" && !strings.EqualFold(t, "object") && (n.at["properties"] != nil || n.at["required"] != nil)
	})},
	// https://github.com/google-gemini/gemini-cli/issues/1458, https://github.com/usestrix/strix/issues/1088
	{"`required` of a property that is not declared", []string{"required"}, anyNode(func(n node) bool {
		p, _ := n.at["properties"].(map[string]any)
		list, _ := n.at["required"].([]any)
		return slices.ContainsFunc(list, func(v any) bool { name, _ := v.(string); return p[name] == nil })
	})},
	// https://github.com/langchain-ai/langchain/issues/31132
	{"`required` that is no list", []string{"required", "expected array"},
		anyNode(func(n node) bool { _, ok := n.at["required"].(bool); return ok })},
	// https://github.com/anthropics/claude-code/issues/5319, https://github.com/nspady/google-calendar-mcp/issues/39
	{"alternatives at the root", []string{"top level", "oneof", "anyof", "allof", "root"}, anyNode(func(n node) bool {
		return n.root && (n.at["anyOf"] != nil || n.at["oneOf"] != nil || n.at["allOf"] != nil || n.at["not"] != nil || n.at["enum"] != nil)
	})},
	// https://github.com/FTShare-Lab/FTShare-MCP/issues/7
	{"`type` beside alternatives", []string{"anyof", "oneof", "parent schema"},
		anyNode(func(n node) bool { return n.at["type"] != nil && (n.at["anyOf"] != nil || n.at["oneOf"] != nil) })},
	{"`oneOf`", []string{"oneof"}, hasKeyword("oneOf")},
	{"`anyOf`", []string{"anyof"}, hasKeyword("anyOf")},
	{"`allOf`", []string{"allof"}, hasKeyword("allOf")},
	{"`not`", []string{"not"}, hasKeyword("not")},
	{"`if`", []string{"if"}, hasKeyword("if")},
	// https://github.com/MoonshotAI/kimi-cli/issues/1903
	{"a keyword beside `$ref`", []string{"$ref", "conflicting"}, anyNode(func(n node) bool { return n.at["$ref"] != nil && len(n.at) > 1 })},
	// https://github.com/CommandCodeAI/command-code/issues/594
	{"`$ref` elsewhere than below #/$defs", []string{"$ref", "references", "$defs"}, anyNode(func(n node) bool {
		r := str(n.at, "$ref")
		return r != "" && !strings.HasPrefix(r, "#/$defs/")
	})},
	{"`$ref`", []string{"$ref", "reference", "recursi", "circular"}, hasKeyword("$ref")},
	// https://github.com/zed-industries/zed/issues/44875
	{"a list of types", []string{"not repeating", "cannot start list", "\"type\"", "type"},
		anyNode(func(n node) bool { _, ok := n.at["type"].([]any); return ok })},
	// https://github.com/google-gemini/gemini-cli/issues/15798
	{"an unknown `type`", []string{"type"}, anyNode(func(n node) bool {
		t, ok := n.at["type"].(string)
		return ok && !slices.Contains([]string{"string", "number", "integer", "boolean", "object", "array", "null"}, strings.ToLower(t))
	})},
	// https://github.com/kirodotdev/Kiro/issues/11026
	{"a root that is no object", []string{"must be one of the following: object", "type 'object'", "type: \"object\"", "root"},
		anyNode(func(n node) bool { return n.root && !isType(n.at, "object") })},
	// https://github.com/zereight/gitlab-mcp/issues/166
	{"a value without `type`", []string{"type", "must be specified"}, anyNode(func(n node) bool {
		return !n.root && n.at["type"] == nil && n.at["anyOf"] == nil && n.at["oneOf"] == nil && n.at["allOf"] == nil &&
			n.at["$ref"] == nil && n.at["enum"] == nil && n.at["const"] == nil
	})},
	{"`enum` with an empty text", []string{"enum", "empty"},
		anyNode(func(n node) bool { return slices.Contains(list(n.at, "enum"), any("")) })},
	{"`enum` of values that are no texts", []string{"enum"}, anyNode(func(n node) bool {
		return slices.ContainsFunc(list(n.at, "enum"), func(v any) bool { _, ok := v.(string); return !ok })
	})},
	{"`enum`", []string{"enum"}, hasKeyword("enum")},
	{"`const`", []string{"const"}, hasKeyword("const")},
	// https://github.com/beautyfree/appstore-connect-mcp/issues/2
	{"the name of a property", []string{"property key", "property name", "match pattern"}, func(s *subject) bool {
		return slices.ContainsFunc(s.nodes, func(n node) bool {
			p, _ := n.at["properties"].(map[string]any)
			for name := range p {
				if len(name) > 64 || strings.ContainsFunc(name, func(r rune) bool { return !isNameRune(r) }) {
					return true
				}
			}
			return false
		})
	}},
	{"`patternProperties`", []string{"patternproperties"}, hasKeyword("patternProperties")},
	{"`propertyNames`", []string{"propertynames"}, hasKeyword("propertyNames")},
	{"`prefixItems`", []string{"prefixitems", "tuple"}, hasKeyword("prefixItems")},
	{"`multipleOf`", []string{"multipleof"}, hasKeyword("multipleOf")},
	{"`dependentRequired`", []string{"dependent"}, hasKeyword("dependentRequired")},
	{"`dependentSchemas`", []string{"dependent"}, hasKeyword("dependentSchemas")},
	{"`additionalProperties`", []string{"additionalproperties"}, hasKeyword("additionalProperties")},
	// https://github.com/z-lab/paroquant/issues/31
	{"`format`", []string{"format"}, hasKeyword("format")},
	{"`default`", []string{"default"}, hasKeyword("default")},
	{"`minLength` or `maxLength`", []string{"minlength", "maxlength", "grammar"},
		anyNode(func(n node) bool { return n.at["minLength"] != nil || n.at["maxLength"] != nil })},
	{"`minItems` or `maxItems`", []string{"minitems", "maxitems", "grammar"},
		anyNode(func(n node) bool { return n.at["minItems"] != nil || n.at["maxItems"] != nil })},
	// https://github.com/google-gemini/gemini-cli/issues/5030
	{"deep nesting", []string{"nest", "deep", "depth", "recursi", "complex"}, func(s *subject) bool { return s.depth > 5 }},
	{"a large schema", []string{"large", "complex", "size", "too many"}, func(s *subject) bool { return len(s.Schema) > 16<<10 }},
	// https://github.com/getsentry/sentry-mcp/issues/106
	{"a long description", []string{"description", "too long"}, func(s *subject) bool { return len(s.Description) > 1024 }},
	{"the name", []string{"name"}, func(s *subject) bool {
		return len(s.Sent) > 64 || s.Sent == "" || !isLetter(s.Sent[0]) ||
			strings.ContainsFunc(s.Sent, func(r rune) bool { return r == '.' || !isNameRune(r) })
	}},
}

// mentioned is the factor for a trait whose words are in the error message.
const mentioned = 50

// declaredOnly is the factor for a trait that the declared schema has but the sent one does not.
const declaredOnly = 0.3

// least is the weight of a tool without traits.
const least = 0.001

// A Suspect is a tool with the total weight of its traits, and its trait with the highest weight.
type Suspect struct {
	Tool   int
	Weight float64
	Trait  string // "" if it has none
}

// Rank sorts the tools of a rejected request by their traits, the most suspect tool first. A trait weighs more if few
// tools have it, or if the error message (words) mentions it.
func Rank(words string, tools []Tool) []Suspect {
	low := strings.ToLower(words)
	type holder struct {
		tool  int
		share float64
	}
	holders := make([][]holder, len(traits))
	for i := range tools {
		sent, declared := subjectOf(&tools[i], tools[i].Schema), subjectOf(&tools[i], tools[i].Declared)
		for k := range traits {
			switch {
			case traits[k].has(&sent):
				holders[k] = append(holders[k], holder{i, 1})
			case traits[k].has(&declared):
				holders[k] = append(holders[k], holder{i, declaredOnly})
			}
		}
	}
	out := make([]Suspect, len(tools))
	best := make([]float64, len(tools))
	for i := range out {
		out[i] = Suspect{Tool: i, Weight: least}
	}
	for k, list := range holders {
		for _, h := range list {
			i, w := h.tool, h.share/float64(len(list)*len(list))
			if containsAny(low, traits[k].words) {
				w *= mentioned
			}
			out[i].Weight += w
			if w > best[i] {
				best[i], out[i].Trait = w, traits[k].label
			}
		}
	}
	sort.SliceStable(out, func(a, b int) bool { return out[a].Weight > out[b].Weight })
	return out
}

// Reason returns the label of a trait of the tool that the error message (words) mentions, "" if there is none.
func Reason(words string, t *Tool) string {
	low := strings.ToLower(words)
	for _, schema := range schemas {
		s := subjectOf(t, schema(t))
		for k := range traits {
			if traits[k].has(&s) && containsAny(low, traits[k].words) {
				return traits[k].label
			}
		}
	}
	return ""
}

// subjectOf parses a schema of a tool and collects its subschemas.
func subjectOf(t *Tool, schema []byte) subject {
	s := subject{Tool: t}
	s.walk(decodeJSON(schema), 0, true)
	return s
}

// maxNodes is the maximum number of subschemas of a tool that are examined.
const maxNodes = 5000

// below lists the keywords whose values are schemas, arrays of schemas or objects of schemas.
var below = []string{
	"items", "prefixItems", "additionalProperties", "anyOf", "oneOf", "allOf", "not", "if", "then", "else", "contains",
	"propertyNames", "properties",
	"patternProperties", "$defs", "definitions", "dependentSchemas",
}

// walk adds a schema and its subschemas.
func (s *subject) walk(v any, depth int, root bool) {
	at, ok := v.(map[string]any)
	if !ok || len(s.nodes) == maxNodes {
		return
	}
	s.nodes, s.depth = append(s.nodes, node{at, root}), max(s.depth, depth)
	for _, k := range below {
		switch v := at[k].(type) {
		case []any:
			for _, e := range v {
				s.walk(e, depth+1, false)
			}
		case map[string]any:
			if !holdsSchemas(k) {
				s.walk(v, depth+1, false)
				continue
			}
			for _, e := range v {
				s.walk(e, depth+1, false)
			}
		}
	}
}

// holdsSchemas reports whether the keyword's value is an object of schemas.
func holdsSchemas(keyword string) bool {
	switch keyword {
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
		return true
	}
	return false
}

func anyNode(holds func(node) bool) func(*subject) bool {
	return func(s *subject) bool { return slices.ContainsFunc(s.nodes, holds) }
}

func hasKeyword(k string) func(*subject) bool {
	return anyNode(func(n node) bool { return n.at[k] != nil })
}

func str(at map[string]any, k string) string { s, _ := at[k].(string); return s }

func list(at map[string]any, k string) []any { l, _ := at[k].([]any); return l }

func isType(at map[string]any, name string) bool { return strings.EqualFold(str(at, "type"), name) }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }

func isNameRune(r rune) bool {
	return r < 0x80 && (isLetter(byte(r)) || r >= '0' && r <= '9' || r == '.' || r == '-')
}
