// Package terms selects items of a list by a search expression of ids, tags, patterns and exclusions, such as
// "claude*,!free".
package terms

import (
	"slices"
	"strings"
)

// An Item is an element that terms can select.
type Item struct {
	ID   string
	Also []string // further names such as tags, which items may share
}

// A Selection is the result of Select.
type Selection struct {
	Items   []int    // indices of the selected items
	Unknown []string // terms that match no item
	Unused  []string // exclusions that match no item
}

// Select returns the items selected by comma-separated terms. A term is the id of an item, which selects only that
// item; a further name; a pattern, in which "*" matches any characters; or all, full or *, which select every item. A
// term after "!" excludes items, regardless of its position. If all terms are exclusions, every other item is selected.
// Case is ignored.
//
// The items are in the order of the terms that select them, then of the list, without duplicates.
func Select(text string, list []Item) Selection {
	var s Selection
	var out []int
	included := false
	for term := range strings.SplitSeq(text, ",") {
		term = strings.ToLower(strings.TrimSpace(term))
		bare, excludes := strings.CutPrefix(term, "!")
		switch bare = strings.TrimSpace(bare); {
		case bare == "" && excludes: // a lone "!" is an error and does not mean all items
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

// fitting returns the indices of the items that match a term in lower case.
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

// Matches reports whether a name matches a pattern, in which "*" matches any characters. Case is ignored.
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
