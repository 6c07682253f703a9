// Package terms selects items of a list by words that people write: ids, further names such as tags, patterns,
// exclusions.
package terms

import (
	"slices"
	"strings"
)

// An Item is something that terms may ask for.
type Item struct {
	ID   string
	Also []string // names that it may share with others
}

// A Selection is the set of entries that terms select.
type Selection struct {
	Items   []int    // places in the list
	Unknown []string // terms that no item fits
	Unused  []string // exclusions that no item fits
}

// Select gives the items that terms with commas between them ask for. A term is the id of an item, which is that item
// alone; a name that several may have; a pattern, in which an asterisk stands for any characters; or all, full or *,
// which are every item. A term behind an exclamation mark leaves items out, wherever it stands; where all do so, the
// others are every item. Case does not matter.
//
// The items of a term that stands before another come first, those of one term in the order of the list, and each comes
// once.
func Select(text string, list []Item) Selection {
	var s Selection
	var out []int
	included := false
	for term := range strings.SplitSeq(text, ",") {
		term = strings.ToLower(strings.TrimSpace(term))
		bare, excludes := strings.CutPrefix(term, "!")
		switch bare = strings.TrimSpace(bare); {
		case bare == "" && excludes: // a name is missing, and all items are not meant
			s.Unknown = append(s.Unknown, term)
			included = true
			continue
		case bare == "":
			continue
		}
		found := fitting(bare, list)
		switch {
		case excludes:
			out = append(out, found...)
			if found == nil {
				s.Unused = append(s.Unused, term)
			}
			continue
		case found == nil:
			s.Unknown = append(s.Unknown, term)
		}
		included = true
		for _, at := range found {
			if !slices.Contains(s.Items, at) {
				s.Items = append(s.Items, at)
			}
		}
	}
	if !included {
		s.Items = fitting("*", list)
	}
	s.Items = slices.DeleteFunc(s.Items, func(at int) bool { return slices.Contains(out, at) })
	return s
}

// fitting are the places of the items that a term in small letters means.
func fitting(term string, list []Item) (found []int) {
	if term == "all" || term == "full" {
		term = "*"
	}
	if at := slices.IndexFunc(list, func(i Item) bool { return strings.EqualFold(i.ID, term) }); at >= 0 {
		return []int{at}
	}
	for at, i := range list {
		if Matches(term, i.ID) || slices.ContainsFunc(i.Also, func(name string) bool { return Matches(term, name) }) {
			found = append(found, at)
		}
	}
	return found
}

// Matches reports whether a name fits a pattern, in which an asterisk stands for any characters. Case does not matter.
func Matches(pattern, name string) bool {
	pattern, name = strings.ToLower(pattern), strings.ToLower(name)
	before, rest, wild := strings.Cut(pattern, "*")
	if !wild {
		return pattern == name
	}
	name, ok := strings.CutPrefix(name, before)
	for ok && wild {
		before, rest, wild = strings.Cut(rest, "*")
		if !wild {
			return strings.HasSuffix(name, before)
		}
		_, name, ok = strings.Cut(name, before)
	}
	return false
}
