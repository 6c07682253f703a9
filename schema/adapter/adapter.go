package adapter

import (
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/adapter"
)

// Targets lists the targets that Translate accepts.
func Targets() []caps.SchemaTarget {
	targets := adapter.Targets()
	out := make([]caps.SchemaTarget, len(targets))
	for i, t := range targets {
		out[i] = caps.SchemaTarget(t)
	}
	return out
}

// Describe returns a sentence about a target, "" for an unknown one.
func Describe(target caps.SchemaTarget) string { return adapter.Target(target).About() }

// A Translation is a schema in the form of a target. It does not change and is safe for concurrent use.
type Translation struct {
	// Schema is the translated schema. It is nil where the target refuses the parameters of a tool without any. It has
	// the bytes of the original where the target accepts those. The caller must not change it.
	Schema []byte
	// Description holds constraints of the root that Schema cannot express, to be added to the tool's description.
	Description string
	// Dropped lists the keywords of the original that Schema does not express, in the order of their paths.
	Dropped []DroppedKeyword

	translation *adapter.Translation
}

// A DroppedKeyword is a keyword of the original schema that its translation does not express, or expresses otherwise.
type DroppedKeyword struct {
	Path    string // a JSON pointer to the keyword
	Keyword string
	Reason  string
}

// Translate translates a schema of parameters for a target. An empty schema and null stand for an object of any
// members. The error is a *schema.CompileError for an invalid schema, and another error only for an unknown target.
func Translate(target caps.SchemaTarget, parameters []byte) (*Translation, error) {
	t, err := adapter.Translate(adapter.Target(target), parameters)
	if err != nil {
		return nil, err
	}
	out := &Translation{Schema: t.Schema, Description: t.Words, translation: t}
	for _, l := range t.Lost {
		out.Dropped = append(out.Dropped, DroppedKeyword{Path: l.Path, Keyword: l.Keyword, Reason: l.Why})
	}
	return out, nil
}

// Restore returns arguments for the original schema from arguments for the translated one. Members that do not have the
// form of the translated schema stay as they are. Arguments that are not JSON are returned unchanged.
func (t *Translation) Restore(arguments []byte) []byte { return t.translation.Undo(arguments) }

// Names maps the names of tools to names that a target accepts, and back. It does not change.
type Names struct{ names *adapter.Names }

// NewNames returns the mapping for the tools of a request. A name that the target accepts is kept. Any other name has
// the characters replaced that the target rejects, and is cut to the target's limit. A hash of the tool's own name is
// appended only where the result collides with the name of another tool. The order of the tools does not matter. A tool
// may get another name when a tool that it collides with is added or removed.
func NewNames(target caps.SchemaTarget, tools []string) *Names {
	return &Names{adapter.NewNames(adapter.Target(target).ToolNames(), tools)}
}

// SentName returns the name under which a tool is sent.
func (n *Names) SentName(tool string) string { return n.names.SentName(tool) }

// Original returns the name of the tool that was sent under a name.
func (n *Names) Original(sent string) string { return n.names.Original(sent) }
