package config

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/callwright/callwright/internal/config/internal/variable"
	"github.com/callwright/callwright/internal/config/internal/yamlnode"
	"github.com/goccy/go-yaml/ast"
)

// members returns the members of a mapping. A missing value, as in "groq:", is an empty mapping. Any other value is
// reported as an error.
func (d *decoder) members(at location) []location {
	var values []*ast.MappingValueNode
	switch n := at.node.(type) {
	case *ast.MappingNode:
		values = n.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	case *ast.NullNode:
	default:
		d.fail(at, "expected a mapping ({key: value}), got %s%s", yamlnode.Kind(at.node), yamlnode.MissingSpaceHint(at.node))
	}
	seen := map[string]ast.Node{}
	var out []location
	for _, v := range values {
		name, ok := yamlnode.Key(v.Key)
		if !ok {
			d.failKey(v.Key, at.path, "expected a name as key, got %s", yamlnode.Kind(v.Key))
			continue
		}
		m := location{node: v.Value, path: joinPath(at.path, name), key: name, name: v.Key, depth: at.depth + 1}
		if first, twice := seen[name]; twice {
			d.failKey(v.Key, m.path, "%q is already in line %d", name, positionOf(first).line)
			continue
		}
		seen[name] = v.Key
		out = append(out, m)
	}
	return out
}

// elements returns the elements of a list, or nil if the value is missing. Any other value is reported as an error.
func (d *decoder) elements(at location) []ast.Node {
	switch n := at.node.(type) {
	case *ast.SequenceNode:
		out := make([]ast.Node, len(n.Values))
		for i, e := range n.Values {
			out[i] = restoreScalar(e)
		}
		return out
	case *ast.NullNode:
		return nil
	}
	d.fail(at, "expected a list ([one, two]), got %s", yamlnode.Kind(at.node))
	return nil
}

// readText returns the string value of a node, with variables such as ${NAME} replaced. loose reports whether the value
// came from a variable, so that it may also stand for a number or a Boolean. ok is false if the node is not a string or
// a variable is not set.
func (d *decoder) readText(at location) (text string, loose, ok bool) {
	switch n := at.node.(type) {
	case *ast.StringNode:
		text = n.Value
	case *ast.LiteralNode:
		text = n.Value.Value
	default:
		return "", false, false
	}
	if d.literal {
		return text, true, true
	}
	text, loose, err := variable.Expand(text, d.env)
	if err != nil {
		d.fail(at, "%v", err)
		return "", true, false
	}
	return text, loose, true
}

// text returns the string value at a location. It reports any other value as an error and returns false.
func (d *decoder) text(at location) (string, bool) {
	before := len(d.errs)
	text, _, ok := d.readText(at)
	if !ok && len(d.errs) == before {
		hint, want := "", "text"
		switch _, scalar := at.node.(ast.ScalarNode); {
		case at.example != "":
			want = "text such as " + at.example
		case scalar && yamlnode.Kind(at.node) != "nothing":
			hint = " (put it into quotes)"
		}
		d.fail(at, "expected %s, got %s%s", want, yamlnode.Kind(at.node), hint)
	}
	return text, ok
}

// count returns the whole number, 0 or more, at a location. It reports any other value as an error and returns false.
func (d *decoder) count(at location) (int, bool) {
	text, ok := d.loose(at, "a whole number")
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	switch {
	case errors.Is(err, strconv.ErrRange):
		d.fail(at, "expected a whole number, got %s, which is too large", text)
	case err != nil || n < 0:
		d.fail(at, "expected a whole number from 0, got %s", text)
	default:
		return n, true
	}
	return 0, false
}

// amount returns the number, 0 or more, at a location. It reports any other value as an error and returns false.
func (d *decoder) amount(at location) (float64, bool) {
	text, ok := d.number(at, false)
	if !ok {
		return 0, false
	}
	n, err := text.Float64()
	switch {
	case err != nil:
		d.fail(at, "expected a number, got %s, which is too large", text)
	case n < 0:
		d.fail(at, "expected a number from 0, got %s", text)
	default:
		return n, true
	}
	return 0, false
}

func (d *decoder) boolean(at location) (value, ok bool) {
	text, ok := d.loose(at, "true or false")
	if !ok {
		return false, false
	}
	if text != "true" && text != "false" {
		d.fail(at, "expected true or false, got %s", text)
		return false, false
	}
	return text == "true", true
}

// loose returns the text of a number or a Boolean, which may also come from a variable such as ${PORT}. It reports any
// other value as an error that names want, such as "a whole number".
func (d *decoder) loose(at location, want string) (string, bool) {
	switch n := at.node.(type) {
	case *ast.IntegerNode:
		return fmt.Sprint(n.Value), true
	case *ast.BoolNode, *ast.FloatNode:
		return at.node.GetToken().Value, true
	}
	before := len(d.errs)
	text, fromVariable, ok := d.readText(at)
	switch {
	case len(d.errs) > before:
		return "", false
	// the YAML parser returns a very long number as a string
	case ok && (fromVariable || !yamlnode.IsQuoted(at.node) && yamlnode.Number(text, "") != ""):
		return text, true
	case ok:
		d.fail(at, "expected %s, got the text %q%s", want, text, yamlnode.Plainer(text, yamlnode.IsQuoted(at.node)))
	default:
		d.fail(at, "expected %s, got %s", want, yamlnode.Kind(at.node))
	}
	return "", false
}

// joinPath returns the path of the key name below path, such as models.fast.
func joinPath(path, name string) string { return yamlnode.Join(path, name) }
