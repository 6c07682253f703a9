package htmltemplate

import (
	"fmt"
	"text/template/parse"
)

// checkTree determines the place of each value in a template. It returns an error for a value that is not allowed at
// its place, and for a template that ends within markup.
func (s *Set) checkTree(tree *parse.Tree) error {
	k := checker{set: s, tree: tree}
	end, err := k.list(context{}, tree.Root)
	if err != nil {
		return err
	}
	if end.state != inText {
		return fmt.Errorf("template %q: it ends %s", tree.Name, end)
	}
	return nil
}

// A checker determines the markup context of each value in a template, and returns an error for a value at an unsafe
// position.
type checker struct {
	set  *Set
	tree *parse.Tree
}

func (k *checker) errorAt(n parse.Node, err error) error {
	at, _ := k.tree.ErrorContext(n)
	return fmt.Errorf("template %s: %w", at, err)
}

// list returns the markup context after the nodes of a list that begins in the context c. list may be nil.
func (k *checker) list(c context, list *parse.ListNode) (context, error) {
	if list == nil {
		return c, nil
	}
	for _, n := range list.Nodes {
		var err error
		if c, err = k.node(c, n); err != nil {
			return c, err
		}
	}
	return c, nil
}

func (k *checker) node(c context, n parse.Node) (context, error) {
	switch n := n.(type) {
	case *parse.TextNode:
		next, err := c.read(string(n.Text))
		if err != nil {
			return c, k.errorAt(n, err)
		}
		return next, nil
	case *parse.ActionNode:
		if len(n.Pipe.Decl) > 0 {
			return c, nil // writes nothing
		}
		place, err := c.place()
		if err != nil {
			return c, k.errorAt(n, err)
		}
		k.set.places[n] = place
		return c, nil
	case *parse.IfNode:
		return k.branches(c, &n.BranchNode)
	case *parse.WithNode:
		return k.branches(c, &n.BranchNode)
	case *parse.RangeNode:
		return k.loop(c, &n.BranchNode)
	case *parse.TemplateNode:
		if c.state != inText {
			return c, k.errorAt(n, fmt.Errorf("a template is called %s", c))
		}
		if k.set.trees[n.Name] == nil {
			return c, k.errorAt(n, fmt.Errorf("there is no template %q", n.Name))
		}
		return c, nil
	default:
		return c, k.errorAt(n, fmt.Errorf("%s is not supported", n))
	}
}

func (k *checker) branches(c context, n *parse.BranchNode) (context, error) {
	yes, err := k.list(c, n.List)
	if err != nil {
		return c, err
	}
	no, err := k.list(c, n.ElseList)
	if err != nil {
		return c, err
	}
	end, err := join(yes, no)
	if err != nil {
		return c, k.errorAt(n, err)
	}
	return end, nil
}

// loop checks a loop and returns the context after it. It checks the body also from its own end, where the next
// iteration begins.
func (k *checker) loop(c context, n *parse.BranchNode) (context, error) {
	end, err := k.branches(c, n)
	if err != nil {
		return c, err
	}
	if end, err = join(end, c); err != nil {
		return c, k.errorAt(n, err)
	}
	again, err := k.list(end, n.List)
	if err != nil {
		return c, err
	}
	if again, err = join(again, end); err != nil {
		return c, k.errorAt(n, err)
	}
	return again, nil
}
