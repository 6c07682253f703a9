package adapter

import (
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/adapter"
)

// Targets returns the targets that Translate supports.
func Targets() []caps.SchemaTarget {
	targets := adapter.Targets()
	out := make([]caps.SchemaTarget, len(targets))
	for i, t := range targets {
		out[i] = caps.SchemaTarget(t)
	}
	return out
}

// Describe returns a sentence for people about a target's schema subset, "" for an unknown target.
func Describe(target caps.SchemaTarget) string { return adapter.Target(target).About() }

// A Translation is a schema translated for a target. It is immutable and safe for concurrent use.
type Translation struct {
	// Schema is the translated schema. If the target accepts the original, Schema has the same bytes. It is nil if a tool
	// has no parameters and the target accepts only an absent schema. The caller must not modify it.
	Schema []byte
	// Description has constraints of the root schema, in words, that Schema cannot express. Append it to the tool's
	// description.
	Description string
	// Dropped lists the keywords of the original that Schema does not express exactly, in the order of their paths.
	Dropped []DroppedKeyword

	translation *adapter.Translation
}

// A DroppedKeyword is a keyword of the original schema that the translation omits or changes in meaning.
type DroppedKeyword struct {
	Path    string // JSON pointer to the keyword in the original schema
	Keyword string
	Reason  string
}

// Translate translates the parameters schema of a tool for a target. Empty parameters and null mean an object with any
// members. An invalid schema gives a *schema.CompileError. An unknown target gives another error.
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

// Restore converts arguments generated for the translated schema to arguments for the original schema. Members that do
// not match the translated schema stay unchanged. Invalid JSON is returned unchanged.
func (t *Translation) Restore(arguments []byte) []byte { return t.translation.Undo(arguments) }

// Names maps declared tool names to names that a target accepts, and back. It is immutable.
type Names struct{ names *adapter.Names }

// NewNames returns the mapping for the tools of a request. A valid name is kept. In any other name, invalid characters
// are replaced and excess length is cut off. If two results are equal, a hash of the declared name is appended. The
// mapping does not depend on the order of the tools. Adding or removing a tool may change the name of a tool with a
// colliding name.
func NewNames(target caps.SchemaTarget, tools []string) *Names {
	return &Names{adapter.NewNames(adapter.Target(target).ToolNames(), tools)}
}

// SentName returns the name that is sent to the provider for the declared tool name.
func (n *Names) SentName(tool string) string { return n.names.SentName(tool) }

// Original returns the declared tool name for a name that was sent to the provider.
func (n *Names) Original(sent string) string { return n.names.Original(sent) }
