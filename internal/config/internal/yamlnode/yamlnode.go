// Package yamlnode describes the values of a tree of YAML in words.
package yamlnode

import (
	"strconv"
	"strings"

	"github.com/callwright/callwright/internal/config/internal/variable"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// Key returns the text of a key, where it is a name.
func Key(n ast.MapKeyNode) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode:
		return n.GetToken().Value, true
	}
	return "", false
}

// Join returns the path of a value by its name below another path.
func Join(path, name string) string {
	plain := name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-')
	})
	switch {
	case !plain:
		return path + "[" + strconv.Quote(name) + "]"
	case path == "":
		return name
	}
	return path + "." + name
}

// Kind names the type of the value.
func Kind(n ast.Node) string {
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.StringNode, *ast.LiteralNode:
		return "text"
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return "a number"
	case *ast.BoolNode:
		return "true or false"
	case *ast.NullNode, nil:
		return "nothing"
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode:
		return "an anchor or an alias, which are not read here"
	case *ast.TagNode:
		return "a tag, which is not read here"
	}
	return "something else"
}

// Plainer says how a text would be written that was meant for a number, or for true or false.
func Plainer(text string, quoted bool) string {
	switch said := strings.ToLower(text); {
	case quoted && (Number(text, "") != "" || said == "true" || said == "false"):
		return " (write it without quotes)"
	case said == "yes" || said == "on" || said == "true":
		return " (write true)"
	case said == "no" || said == "off" || said == "false":
		return " (write false)"
	}
	return ""
}

// MissingSpaceHint says that a text looks like a key and its value without the blank between them.
func MissingSpaceHint(n ast.Node) string {
	s, ok := n.(*ast.StringNode)
	if !ok || IsQuoted(n) {
		return ""
	}
	if key, _, found := strings.Cut(s.Value, ":"); found && variable.IsName(key) {
		return " (a blank belongs behind the colon)"
	}
	return ""
}

// IsQuoted reports whether a scalar stands in quotes.
func IsQuoted(n ast.Node) bool {
	t := n.GetToken().Type
	return t == token.SingleQuoteType || t == token.DoubleQuoteType
}

// Number returns text if that is a number as JSON writes it, other otherwise.
func Number(text, other string) string {
	if text != "" && (text[0] == '-' || '0' <= text[0] && text[0] <= '9') && jsonx.Valid([]byte(text)) == nil {
		return text
	}
	return other
}
