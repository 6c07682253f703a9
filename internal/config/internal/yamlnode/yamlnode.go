// Package yamlnode describes YAML values for error messages.
package yamlnode

import (
	"strconv"
	"strings"

	"github.com/callwright/callwright/internal/config/internal/variable"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// Key returns the text of a mapping key. It returns false if the key is not a scalar.
func Key(n ast.MapKeyNode) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode:
		return n.GetToken().Value, true
	}
	return "", false
}

// Join returns the path of the key name below path: models, fast -> models.fast. A name with special characters is
// quoted: models["a/b"].
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

// Kind returns the type of a value for an error, such as "a mapping".
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
		return "an anchor or an alias, which is not supported"
	case *ast.TagNode:
		return "a tag, which is not supported"
	}
	return "something else"
}

// Plainer returns a hint on how to write text as a number or a Boolean, such as " (write true)", or "" for none.
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

// MissingSpaceHint returns a hint if a string looks like a key and a value without a space after the colon, as in
// "key:value", else "".
func MissingSpaceHint(n ast.Node) string {
	s, ok := n.(*ast.StringNode)
	if !ok || IsQuoted(n) {
		return ""
	}
	if key, _, found := strings.Cut(s.Value, ":"); found && variable.IsName(key) {
		return " (add a space after the colon)"
	}
	return ""
}

// IsQuoted reports whether a scalar is written in quotes.
func IsQuoted(n ast.Node) bool {
	t := n.GetToken().Type
	return t == token.SingleQuoteType || t == token.DoubleQuoteType
}

// Number returns text if it is a JSON number, and the default value other if not.
func Number(text, other string) string {
	if text != "" && (text[0] == '-' || '0' <= text[0] && text[0] <= '9') && jsonx.Valid([]byte(text)) == nil {
		return text
	}
	return other
}
