package judge

import (
	"maps"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/adapter"
)

// A Naming has the names under which a receiver was sent tools that could not keep their own. It does not change; nil
// changes no name.
type Naming struct {
	sent     map[string]string // by the declared names
	declared map[string]string // by the names as sent
}

// NewNaming returns the naming of names as sent, to the declared ones: nil where there are none.
func NewNaming(declared map[string]string) *Naming {
	if len(declared) == 0 {
		return nil
	}
	n := &Naming{sent: make(map[string]string, len(declared)), declared: declared}
	for sent, name := range declared {
		n.sent[name] = sent
	}
	return n
}

// SentName returns the name under which the receiver knows a declared tool.
func (n *Naming) SentName(name string) string {
	if n != nil {
		if sent, ok := n.sent[name]; ok {
			return sent
		}
	}
	return name
}

// DeclaredName returns the declared name of the tool that the receiver knows under a name, the name itself where it is
// no name that was sent.
func (n *Naming) DeclaredName(sent string) string {
	if n != nil {
		if name, ok := n.declared[sent]; ok {
			return name
		}
	}
	return sent
}

// Table returns the declared names by the names as sent, nil where none differ. It is not to be changed.
func (n *Naming) Table() map[string]string {
	if n == nil {
		return nil
	}
	return n.declared
}

// Choice returns a choice with the names as sent.
func (n *Naming) Choice(c callwright.Choice) callwright.Choice {
	if n == nil || len(c.Names) == 0 {
		return c
	}
	c.Names = slices.Clone(c.Names)
	for i, name := range c.Names {
		c.Names[i] = n.SentName(name)
	}
	return c
}

// Rename puts the names as sent into the choice and the history of a request.
func (n *Naming) Rename(out *callwright.Request) error {
	if n == nil {
		return nil
	}
	out.Params.Choice = n.Choice(out.Params.Choice)
	msgs, err := out.History()
	if err != nil {
		return err
	}
	renamed := slices.Clone(msgs)
	for i, m := range renamed {
		renamed[i].Parts = n.renameParts(m.Parts)
	}
	out.Messages = renamed
	return nil
}

// renameParts are parts with the names as sent. Parts without such a name are returned as they are.
func (n *Naming) renameParts(parts []callwright.Part) []callwright.Part {
	out, copied := parts, false
	for k, p := range parts {
		var ok bool
		switch q := p.(type) {
		case callwright.Call:
			q.Name, ok = n.sent[q.Name]
			p = q
		case callwright.Result:
			q.Name, ok = n.sent[q.Name]
			p = q
		}
		if ok && !copied {
			out, copied = slices.Clone(parts), true
		}
		if ok {
			out[k] = p
		}
	}
	return out
}

// aliases are the names as sent, for the resolver of names, in a fixed order.
func (n *Naming) aliases() []dialect.Alias {
	out := make([]dialect.Alias, 0, len(n.declared))
	for _, sent := range slices.Sorted(maps.Keys(n.declared)) {
		short, _ := adapter.WithoutTail(sent, n.declared[sent])
		out = append(out, dialect.Alias{Sent: sent, Short: short, Declared: n.declared[sent]})
	}
	return out
}

// named is the cache key of Named.
type named struct{ n *Naming }

// WithNaming is the toolset as a receiver knows it: names resolve from those that it was sent and from the declared
// ones.
func (s *Toolset) WithNaming(n *Naming) *Toolset {
	if n == nil {
		return s
	}
	return s.LoadOrMake(named{n}, func() any {
		out := *s
		out.made, out.Naming, out.Names = nil, n, s.Names.With(n.aliases())
		return &out
	}).(*Toolset)
}
