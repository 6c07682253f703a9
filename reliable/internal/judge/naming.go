package judge

import (
	"maps"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/adapter"
)

// A Naming has the tool names that differ from the declared names when sent to a model. It is immutable. A nil Naming
// changes no names.
type Naming struct {
	sent     map[string]string // by declared name
	declared map[string]string // by sent name
}

// NewNaming returns a Naming for a map from sent to declared names, nil if the map is empty.
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

// SentName returns the name that is sent for a declared tool name.
func (n *Naming) SentName(name string) string {
	if n != nil {
		if sent, ok := n.sent[name]; ok {
			return sent
		}
	}
	return name
}

// DeclaredName returns the declared tool name for a sent name. It returns any other name unchanged.
func (n *Naming) DeclaredName(sent string) string {
	if n != nil {
		if name, ok := n.declared[sent]; ok {
			return name
		}
	}
	return sent
}

// Table returns the declared names by sent name, nil if none differ. It must not be modified.
func (n *Naming) Table() map[string]string {
	if n == nil {
		return nil
	}
	return n.declared
}

// Choice returns the tool choice c with sent names.
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

// Rename replaces declared names by sent names in the tool choice and history of a request.
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

// renameParts returns parts with sent names. It returns parts itself if nothing changes.
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

// aliases returns the sent names for the name resolver, sorted.
func (n *Naming) aliases() []dialect.Alias {
	out := make([]dialect.Alias, 0, len(n.declared))
	for _, sent := range slices.Sorted(maps.Keys(n.declared)) {
		short, _ := adapter.WithoutTail(sent, n.declared[sent])
		out = append(out, dialect.Alias{Sent: sent, Short: short, Declared: n.declared[sent]})
	}
	return out
}

// named is the cache key for WithNaming.
type named struct{ n *Naming }

// WithNaming returns the toolset for a model that was sent the names in n. Names resolve from sent and declared names.
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
