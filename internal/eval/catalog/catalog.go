// Package catalog lists models served by OpenRouter, with tags for their selection and presets for some of them.
// Evaluations use it if no model is named. Models that are not listed can be evaluated too.
package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/eval/internal/terms"
	"github.com/callwright/callwright/internal/spelling"
)

// A Model is an entry of the catalog.
type Model struct {
	ID      string   // OpenRouter's id: maker/name or maker/name:variant
	Tags    []string // lower-case letters, digits and underscores
	Context int      // context length in tokens; 0 if unknown
	Preset  Preset
	Listed  bool // false if the id was entered by the user and is not in the catalog
}

// A Preset has settings of a model that apply unless they are configured.
type Preset struct {
	Mode       caps.Mode // mode for tool calls; "" for the default of the model
	Transforms []string  // names of transforms of package transform
	Request    string    // members of the request body as a JSON object; "" for none
}

// Settings returns each setting of the preset as text, such as "mode text". It is empty for an empty preset.
func (p *Preset) Settings() (out []string) {
	if p.Mode != "" {
		out = append(out, "mode "+string(p.Mode))
	}
	if len(p.Transforms) > 0 {
		out = append(out, "transforms "+strings.Join(p.Transforms, ", "))
	}
	if p.Request != "" {
		out = append(out, "request "+p.Request)
	}
	return out
}

// Base returns the id without its variant.
func (m *Model) Base() string { return baseOf(m.ID) }

// Provider returns the maker of the model, the part of the id before the slash.
func (m *Model) Provider() string {
	maker, _, _ := strings.Cut(m.ID, "/")
	return maker
}

func baseOf(id string) string {
	base, _, _ := strings.Cut(id, ":")
	return base
}

// Models returns all models in the order of the catalog. The caller may modify the slice.
func Models() []Model {
	out := make([]Model, len(table))
	for i, r := range table {
		out[i] = Model{ID: r.id, Tags: strings.Fields(r.tags), Context: r.context, Preset: presetOf(r.id), Listed: true}
	}
	return out
}

// Stable is the tag of the models that are selected by default.
const Stable = "stable"

// Select returns the models selected by comma-separated terms, in the order of the terms and then of the catalog,
// without duplicates. A term is
//
//   - an id, which selects that model;
//   - an id without a variant, a provider or a tag, which selects all models that have it;
//   - a pattern of these, in which "*" matches any characters;
//   - "all", which selects every model;
//   - one of these after "!", which excludes models, regardless of its position. If all terms are exclusions, every
//     other model is selected.
//
// No terms mean the tag [Stable]. An unknown term of the form maker/name selects a model that is not in the catalog,
// after the others and with the preset of matching models, and adds a note. Any other unknown term is an error.
func Select(filter string) (models []Model, notes []string, err error) {
	if strings.Trim(filter, ", ") == "" {
		filter = Stable
	}
	rows := Models()
	items, names := make([]terms.Item, len(rows)), []string{Stable, "all"}
	for i := range rows {
		m := &rows[i]
		items[i] = terms.Item{ID: m.ID, Also: append([]string{m.Base(), m.Provider()}, m.Tags...)}
		names = append(append(names, m.ID), items[i].Also...)
	}
	s := terms.Select(filter, items)
	for _, at := range s.Items {
		models = append(models, rows[at])
	}
	for _, term := range s.Unknown {
		maker, name, _ := strings.Cut(term, "/")
		if maker == "" || name == "" || strings.ContainsAny(term, "* \t") {
			return nil, nil, unknown(term, names)
		}
		models = append(models, Model{ID: term, Preset: presetOf(term)})
		note := term + " is not in the catalogue: the id is used unchanged"
		if near := spelling.Nearest(term, names); near != "" && baseOf(term) != baseOf(near) {
			note += " (did you mean " + near + "?)"
		}
		notes = append(notes, note)
	}
	for _, term := range s.Unused {
		notes = append(notes, term+" excludes nothing: it matches no model of the catalogue")
	}
	if len(models) == 0 {
		return nil, nil, fmt.Errorf("%q selects no model", filter)
	}
	return models, notes, nil
}

func unknown(term string, names []string) error {
	if near := spelling.Nearest(term, names); near != "" {
		return fmt.Errorf("no model matches %q: did you mean %s?", term, near)
	}
	return fmt.Errorf("no model matches %q: expected an id such as %s, a provider, a tag, a pattern such as qwen/* or all", term, table[0].id)
}

// presetOf returns the combined presets for a model id.
func presetOf(id string) Preset {
	var out Preset
	for _, p := range presets {
		if slices.ContainsFunc(strings.Fields(p.models), func(pattern string) bool { return terms.Matches(pattern, baseOf(id)) }) {
			out.Transforms = append(out.Transforms, p.Transforms...)
			if p.Mode != "" {
				out.Mode = p.Mode
			}
			if p.Request != "" {
				out.Request = p.Request
			}
		}
	}
	return out
}
