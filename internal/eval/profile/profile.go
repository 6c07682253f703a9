// Package profile lists named sets of sampling parameters, such as temperature and top_p, with the models that they
// apply to.
package profile

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/eval/internal/terms"
	"github.com/callwright/callwright/internal/spelling"
)

// Default is the id of the profile that sends no parameters.
const Default = "default"

// A Profile is a set of sampling parameters.
type Profile struct {
	ID     string
	Tags   []string
	Params []Param
	Source string // where the values come from

	models, except []string // patterns of OpenRouter ids; models is empty for all models
}

// A Param is a member of a request body.
type Param struct {
	Name  string
	Value json.RawMessage
}

// For reports whether the profile applies to a model with an OpenRouter id. For the id of another provider, only the
// part after the last slash is compared.
func (p *Profile) For(model string) bool {
	base, _, _ := strings.Cut(model, ":")
	return len(p.models) == 0 || (fits(p.models, model) || fits(p.models, base)) && !fits(p.except, model)
}

// fits reports whether a pattern matches an id, or the last segments of both match.
func fits(patterns []string, model string) bool {
	last := model[strings.LastIndexByte(model, '/')+1:]
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		return terms.Matches(pattern, model) || terms.Matches(pattern[strings.LastIndexByte(pattern, '/')+1:], last)
	})
}

// Profiles returns all profiles in the order of the table. The caller may modify the slice.
func Profiles() []Profile {
	out := make([]Profile, len(table))
	for i, r := range table {
		out[i] = Profile{ID: r.id, Tags: strings.Fields(r.tags), Params: r.params, Source: r.source,
			models: strings.Fields(r.models), except: strings.Fields(r.except)}
	}
	return out
}

// Lookup returns the profile with an id. ok is false if there is none.
func Lookup(id string) (Profile, bool) {
	all := Profiles()
	at := slices.IndexFunc(all, func(p Profile) bool { return p.ID == id })
	if at < 0 {
		return Profile{}, false
	}
	return all[at], true
}

// Select returns the profiles selected by comma-separated terms, in the order of the terms and then of the table,
// without duplicates. A term is an id, a tag, a pattern with "*", "all", or one of these after "!" for an exclusion. No
// terms mean [Default]. A term that matches nothing is an error; an exclusion that matches nothing adds a note.
func Select(filter string) (profiles []Profile, notes []string, err error) {
	if strings.Trim(filter, ", ") == "" {
		filter = Default
	}
	all := Profiles()
	items, names := make([]terms.Item, len(all)), []string{"all"}
	for i := range all {
		items[i] = terms.Item{ID: all[i].ID, Also: all[i].Tags}
		names = append(append(names, all[i].ID), all[i].Tags...)
	}
	s := terms.Select(filter, items)
	if len(s.Unknown) > 0 {
		term := s.Unknown[0]
		if near := spelling.Nearest(term, names); near != "" {
			return nil, nil, fmt.Errorf("no sampling profile matches %q: did you mean %s?", term, near)
		}
		return nil, nil, fmt.Errorf("no sampling profile matches %q: expected an id such as %s, a tag, a pattern or all", term, table[1].id)
	}
	for _, at := range s.Items {
		profiles = append(profiles, all[at])
	}
	for _, term := range s.Unused {
		notes = append(notes, term+" excludes nothing: it matches no sampling profile")
	}
	if len(profiles) == 0 {
		return nil, nil, fmt.Errorf("%q selects no sampling profile", filter)
	}
	return profiles, notes, nil
}
