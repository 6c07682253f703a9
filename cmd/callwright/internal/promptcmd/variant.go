package promptcmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/prompt"
)

// A Variant is a mode and the words in which a model is told of tools.
type Variant struct {
	Mode    caps.Mode
	Wording string // "" in mode native
	Version int    // of the wording
	// WithUser puts the words before the last message of the user, in place of the system prompt.
	WithUser bool
}

// userMark stands behind the name of a variant whose words are with the user.
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

// variants are all that a model can be asked in. format is the dialect of its family.
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

// defaults are the variants that are measured where none is named: the modes, each in the words in which the model is
// asked in it.
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

// selectVariants finds variants by their names: mode/wording, with @user behind it or not, a mode for all its wordings,
// or all.
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
			return nil, fmt.Errorf("no variant %q: expected all, a mode, or one of %s; %s behind one puts its words before the message of the user", name, joinVariants(all), userMark)
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

// key is the key of the answer to a question in the variant.
func (v Variant) key(question string) string { return keyOf(v.String(), v.Version, question) }
