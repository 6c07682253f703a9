package promptcmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/prompt"
)

// A Variant is a mode with a wording of the prompt that describes the tools.
type Variant struct {
	Mode    caps.Mode
	Wording string // "" in native mode
	Version int    // version of the wording
	// WithUser puts the description in front of the last user message instead of into the system prompt.
	WithUser bool
}

// userMark is the suffix of the names of variants whose WithUser is true.
const userMark = "@user"

func (v Variant) String() string {
	if v.Wording == "" {
		return string(v.Mode)
	}
	name := string(v.Mode) + "/" + v.Wording
	if v.WithUser {
		name += userMark
	}
	return name
}

// variants returns all variants for a model. format is the dialect of its family.
func variants(format string) []Variant {
	out := []Variant{{Mode: caps.Native}}
	for _, t := range prompt.Texts() {
		if t.Formats == "" || slices.Contains(strings.Fields(t.Formats), format) {
			out = append(out, Variant{Mode: caps.Text, Wording: t.Name, Version: t.Version})
		}
	}
	for _, mode := range []caps.Mode{caps.JSONSchema, caps.JSONObject} {
		for _, d := range prompt.Documents() {
			out = append(out, Variant{Mode: mode, Wording: d.Name, Version: d.Version})
		}
	}
	return out
}

// defaults returns the variants that are measured by default: each mode with the wording that callwright uses for the
// model.
func defaults(model callwright.ModelID, format string) (out []Variant) {
	_, name := model.Split()
	text, document := prompt.TextFor("", format, name).Name, prompt.DocumentFor("").Name
	for _, v := range variants(format) {
		if v.Wording == "" || v.Mode == caps.Text && v.Wording == text || v.Mode != caps.Text && v.Wording == document {
			out = append(out, v)
		}
	}
	return out
}

// selectVariants returns the named variants. A name is MODE/WORDING with an optional "@user", a MODE for all its
// wordings, or "all".
func selectVariants(names []string, model callwright.ModelID, format string) ([]Variant, error) {
	if len(names) == 0 {
		return defaults(model, format), nil
	}
	all := variants(format)
	var out []Variant
	for _, name := range names {
		plain, withUser := strings.CutSuffix(name, userMark)
		found := false
		for _, v := range all {
			if plain != "all" && plain != string(v.Mode) && plain != v.String() {
				continue
			}
			found = true
			v.WithUser = withUser && v.Wording != ""
			if !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
		if !found {
			return nil, fmt.Errorf("no variant %q: expected all, a mode, or one of %s; the suffix %s puts the wording before the user's message", name, joinVariants(all), userMark)
		}
	}
	return out, nil
}

func joinVariants(all []Variant) string {
	names := make([]string, len(all))
	for i, v := range all {
		names[i] = v.String()
	}
	return strings.Join(names, ", ")
}

// key returns the key of the answer to a question in the variant.
func (v Variant) key(question string) string { return keyOf(v.String(), v.Version, question) }
