// Package catalog lists models that OpenRouter serves, with tags by which they are selected and presets of some of
// them. Evaluations use it when no model is named. A model that is not in it can be asked all the same.
package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/eval/internal/terms"
	"github.com/callwright/callwright/internal/spelling"
)

// A Model is a row of the catalogue.
type Model struct {
	ID      string   // as OpenRouter names it: maker/name, or maker/name:variant
	Tags    []string // small letters, digits and underscores
	Context int      // tokens; 0 where it is not known
	Preset  Preset
	Listed  bool // whether it is in the catalogue, rather than a name that was taken for an id
}

// A Preset holds the settings of a model where nothing else was set.
type Preset struct {
	Mode       caps.Mode // how tools are conveyed where that is left open, "" for what is known of the model otherwise
	Transforms []string  // of package transform
	Request    string    // members of the request's body as a JSON object, "" for none
}

// Settings returns the settings of the preset, a text each: none for an empty one.
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

// Base is the id without its variant.
func (m *Model) Base() string { return baseOf(m.ID) }

// Provider is the maker of the model: the part of its name before the slash.
func (m *Model) Provider() string {
	maker, _, _ := strings.Cut(m.ID, "/")
	return maker
}

func baseOf(id string) string {
	base, _, _ := strings.Cut(id, ":")
	return base
}

// Models are the rows of the catalogue, in its order. The slice is the caller's.
func Models() []Model {
	out := make([]Model, len(table))
	for i, r := range table {
		out[i] = Model{ID: r.id, Tags: strings.Fields(r.tags), Context: r.context, Preset: presetOf(r.id), Listed: true}
	}
	return out
}

// Stable is the tag of the models that are selected where no terms are given.
const Stable = "stable"

// Select gives the models that terms with commas between them ask for, in the order of the terms and then of the
// catalogue, each once. A term is
//
//   - an id, which is that model alone;
//   - an id without a variant, a provider or a tag, which are all models that have it;
//   - a pattern of these, in which an asterisk stands for any characters;
//   - "all": every model;
//   - any of these behind an exclamation mark: those are left out, wherever it stands. Where all terms are such, the others are every model.
//
// No terms are the tag [Stable]. A term that none of this fits is taken for the id of a model to be asked where it has
// the form maker/name: it stands behind the others, with the preset that it would have, and a note says so. Others are
// an error.
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
		note := term + " is not in the catalogue: it is asked as it stands"
		if near := spelling.Nearest(term, names); near != "" && baseOf(term) != baseOf(near) {
			note += " (did you mean " + near + "?)"
		}
		notes = append(notes, note)
	}
	for _, term := range s.Unused {
		notes = append(notes, term+" leaves nothing out: no model of the catalogue fits it")
	}
	if len(models) == 0 {
		return nil, nil, fmt.Errorf("%q selects no model", filter)
	}
	return models, notes, nil
}

func unknown(term string, names []string) error {
	if near := spelling.Nearest(term, names); near != "" {
		return fmt.Errorf("no model fits %q: did you mean %s?", term, near)
	}
	return fmt.Errorf("no model fits %q: expected an id such as %s, a provider, a tag, a pattern such as qwen/* or all", term, table[0].id)
}

// presetOf joins the presets that are for a model.
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
