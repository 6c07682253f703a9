package responses

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
)

// clientTool is the client's name and type of a tool whose name in the vocabulary is another, or that has items of its
// own.
type clientTool struct {
	namespace, name string
	form            *items.Form
}

// naming has the tools of a request that need more than their name, by their names in the vocabulary.
type naming struct {
	tools map[string]clientTool
	back  map[clientTool]string
	flat  bool // two tools came to one name, so that answers cannot be told apart by namespaces
}

// vocabulary is the name of a tool in a namespace.
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

// namingOf reads the names of tools that came over this wire.
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

// differ reports whether a call among parts came otherwise than the client knows it, as plain servers get functions for
// all tools.
func (l *lazyNames) differ(parts []callwright.Part) bool {
	for _, p := range parts {
		if c, ok := p.(callwright.Call); ok &&
			l.differs(c.Name, jsonx.TextOf(own.Member(c.Extra, "type")), jsonx.TextOf(own.Member(c.Extra, "namespace"))) {
			return true
		}
	}
	return false
}

// differs reports whether a call of that name came as a function, where the client has a tool in a namespace or one of
// the API's own.
func (l *lazyNames) differs(name, kind, namespace string) bool {
	tool := l.of(name)
	return tool.form != nil && tool.form != items.FormOf(kind) || tool.namespace != "" && namespace == ""
}

// decodeTools decodes the tools and gives those their names in the vocabulary that share one with another.
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

// toolNames are the names of the tools, none where these cannot be read.
func (b *body) toolNames() naming {
	names, _ := b.names.Get(func() (naming, error) {
		tools, err := b.Tools() // the error is reported to whoever asks for the tools
		return namingOf(tools), err
	})
	return names
}

// withFound adds the tools inside items, but for those that are declared or that the provider runs. One that cannot be
// read is passed over: the client did not write it as a tool of the request.
func (b *body) withFound(tools []callwright.Tool) []callwright.Tool {
	if len(b.found) == 0 {
		return tools
	}
	seen := map[string]bool{}
	for _, t := range tools {
		seen[t.Name] = true
	}
	for _, list := range b.found {
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

// foundMember marks, in the Extra of a tool, one that stands inside an item and not in the request's list.
const foundMember = "found"

// isDeclared reports whether a tool stands in the request's list of tools.
func isDeclared(t callwright.Tool) bool { return own.Member(t.Extra, foundMember) == nil }
