package foreignfile

import "github.com/goccy/go-yaml/ast"

// maxValues is the maximum number of values in a file, with YAML aliases expanded. Without a limit, a few anchors could
// expand to more than fits into memory.
const maxValues = 200_000

// valuesOf returns the number of values in a node with its aliases expanded. It stops a little above maxValues. sizes
// has the numbers for the anchors that precede the node.
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
