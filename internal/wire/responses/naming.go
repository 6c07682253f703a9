package responses

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
)

// clientTool is the client's view of a tool that is not a plain function: its namespace and name, or its item type.
type clientTool struct {
	namespace, name string      // "" for a tool outside namespaces
	form            *items.Form // item type of an API-defined tool, nil for others
}

// naming maps the callwright names of tools to the client's names and types, and back. Plain functions are not in it.
type naming struct {
	tools map[string]clientTool // by callwright name
	back  map[clientTool]string // to callwright names
	flat  bool                  // two tools would have the same name: namespaces are sent as plain functions
}

// vocabulary returns the callwright name of a tool in a namespace, such as NAMESPACE__NAME.
func (n naming) vocabulary(namespace, name string) string {
	joined := items.JoinedName(namespace, name)
	if !n.flat {
		return joined
	}
	if in, ok := n.back[clientTool{namespace: namespace, name: name}]; ok {
		return in
	}
	return joined
}

// namingOf returns the mapping between callwright names and client names for tools that were received over this API.
func namingOf(tools []callwright.Tool) naming {
	var n naming
	for _, t := range tools {
		c := clientTool{}
		if ns := own.Member(t.Extra, "namespace"); ns != nil {
			c.namespace, c.name = kit.TextAt(ns, "name"), jsonx.TextOf(own.Member(t.Extra, "name"))
			n.flat = n.flat || t.Name != items.JoinedName(c.namespace, c.name)
		} else if t.Type == callwright.FunctionTool {
			c.form = items.FormByTool(jsonx.TextOf(own.Member(t.Extra, "type")))
		}
		if c == (clientTool{}) {
			continue
		}
		if n.tools == nil {
			n.tools, n.back = map[string]clientTool{}, map[clientTool]string{}
		}
		n.tools[t.Name], n.back[c] = c, t.Name
	}
	return n
}

// differ reports whether a call among parts has another item type or namespace than the client's tool. This happens for
// providers that get all tools as plain functions.
func (l *lazyNames) differ(parts []callwright.Part) bool {
	for _, p := range parts {
		if c, ok := p.(callwright.Call); ok &&
			l.differs(c.Name, jsonx.TextOf(own.Member(c.Extra, "type")), jsonx.TextOf(own.Member(c.Extra, "namespace"))) {
			return true
		}
	}
	return false
}

// differs reports whether a call of name has another item type or namespace than the client's tool of that name.
func (l *lazyNames) differs(name, kind, namespace string) bool {
	tool := l.of(name)
	return tool.form != nil && tool.form != items.FormOf(kind) || tool.namespace != "" && namespace == ""
}

// decodeTools decodes the tools of the request. A tool in a namespace whose name is already in use gets a suffix.
func (b *body) decodeTools() ([]callwright.Tool, error) {
	tools, err := decodeTools(b.toolList())
	if err != nil {
		return nil, err
	}
	tools = b.withFound(tools)
	seen := make(map[string]bool, len(tools))
	var later []int
	for i, t := range tools {
		switch {
		case t.Type == callwright.HostedTool:
		case seen[t.Name] || own.Member(t.Extra, "namespace") != nil:
			later = append(later, i)
		default:
			seen[t.Name] = true
		}
	}
	for _, i := range later {
		t := &tools[i]
		ns := own.Member(t.Extra, "namespace")
		if seen[t.Name] && ns != nil {
			t.Name = items.WithTail(t.Name, kit.TextAt(ns, "name")+"\x00"+jsonx.TextOf(own.Member(t.Extra, "name")))
		}
		seen[t.Name] = true
	}
	return tools, nil
}

// toolNames returns the mapping between callwright and client names of the tools, empty if they cannot be decoded.
func (b *body) toolNames() naming {
	names, _ := b.names.Get(func() (naming, error) {
		tools, err := b.Tools() // the encoder reports this error
		return namingOf(tools), err
	})
	return names
}

// withFound appends the tools that are defined inside input items, except those that are declared or that the provider
// runs. Definitions that cannot be decoded are skipped.
func (b *body) withFound(tools []callwright.Tool) []callwright.Tool {
	if len(b.itemTools) == 0 {
		return tools
	}
	seen := map[string]bool{}
	for _, t := range tools {
		seen[t.Name] = true
	}
	for _, list := range b.itemTools {
		inItem, err := decodeTools(list)
		if err != nil {
			continue
		}
		for _, t := range inItem {
			if t.Type != callwright.HostedTool && !seen[t.Name] {
				seen[t.Name] = true
				t.Extra = own.Keep(t.Extra, foundMember, []byte("true"))
				tools = append(tools, t)
			}
		}
	}
	return tools
}

// foundMember is a member of a tool's Extra. It means that an input item, not the list of tools, defines the tool.
const foundMember = "found"

// isDeclared reports whether the tool is in the list of tools of the request.
func isDeclared(t callwright.Tool) bool { return own.Member(t.Extra, foundMember) == nil }
