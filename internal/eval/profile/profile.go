// Package profile lists profiles of sampling parameters: values by which models are asked, under names, with the models
// that they are for.
package profile

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/eval/internal/terms"
	"github.com/callwright/callwright/internal/spelling"
)

// Default is the profile that sends no parameters.
const Default = "default"

// A Profile is a set of sampling parameters.
type Profile struct {
	ID     string
	Tags   []string
	Params []Param
	Source string // where the values come from

	models, except []string // patterns of ids at OpenRouter; none: it is for all
}

// A Param is a member of a request's body.
type Param struct {
	Name  string
	Value json.RawMessage
}

// For reports whether the profile is for a model, by its id at OpenRouter. The names of other providers' models do not
// say their makers: "for" is then decided by their last part.
func (p *Profile) For(model string) bool {
	base, _, _ := strings.Cut(model, ":")
	return len(p.models) == 0 || (fits(p.models, model) || fits(p.models, base)) && !fits(p.except, model)
}

// fits reports whether one of the patterns fits an id, or its last part where it is not one of OpenRouter.
func fits(patterns []string, model string) bool {
	last := model[strings.LastIndexByte(model, '/')+1:]
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		return terms.Matches(pattern, model) || terms.Matches(pattern[strings.LastIndexByte(pattern, '/')+1:], last)
	})
}

// Profiles are all profiles, in their order. The slice is the caller's.
func Profiles() []Profile {
	out := make([]Profile, len(table))
	for i, r := range table {
		out[i] = Profile{ID: r.id, Tags: strings.Fields(r.tags), Params: r.params, Source: r.source,
			models: strings.Fields(r.models), except: strings.Fields(r.except)}
	}
	return out
}

// Lookup is the profile of an id.
func Lookup(id string) (Profile, bool) {
	all := Profiles()
	at := slices.IndexFunc(all, func(p Profile) bool { return p.ID == id })
	if at < 0 {
		return Profile{}, false
	}
	return all[at], true
}

// Select gives the profiles that terms with commas between them ask for, in the order of the terms and then of the
// table, each once: ids, tags, patterns with an asterisk, "all", and any of these behind an exclamation mark for those
// that are left out. No terms are [Default]. A term that none fits is an error, an exclusion that leaves nothing out is
// a note.
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
			return nil, nil, fmt.Errorf("no sampling profile fits %q: did you mean %s?", term, near)
		}
		return nil, nil, fmt.Errorf("no sampling profile fits %q: expected an id such as %s, a tag, a pattern or all", term, table[1].id)
	}
	for _, at := range s.Items {
		profiles = append(profiles, all[at])
	}
	for _, term := range s.Unused {
		notes = append(notes, term+" leaves nothing out: no sampling profile fits it")
	}
	if len(profiles) == 0 {
		return nil, nil, fmt.Errorf("%q selects no sampling profile", filter)
	}
	return profiles, notes, nil
}
