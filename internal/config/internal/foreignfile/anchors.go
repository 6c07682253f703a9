package foreignfile

import "github.com/goccy/go-yaml/ast"

// maxValues bounds the values of a file with those that its aliases repeat: a few anchors can stand for more than
// memory holds.
const maxValues = 200_000

// valuesOf returns how many values a node stands for, at most a little above maxValues. sizes has those of the anchors
// before it.
func valuesOf(n ast.Node, sizes map[string]int) int {
	total := 1
	add := func(n ast.Node) {
		if total <= maxValues {
			total += valuesOf(n, sizes)
		}
	}
	switch n := n.(type) {
	case *ast.MappingNode:
		for _, v := range n.Values {
			add(v)
		}
	case *ast.MappingValueNode:
		add(n.Key)
		add(n.Value)
	case *ast.SequenceNode:
		for _, v := range n.Values {
			add(v)
		}
	case *ast.AnchorNode:
		add(n.Value)
		sizes[n.Name.String()] = total
	case *ast.AliasNode:
		total += sizes[n.Value.String()]
	case *ast.TagNode:
		add(n.Value)
	}
	return total
}
