// Package barename finds the providers of models that are named without one.
package barename

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright/internal/spelling"
)

// A Host is a provider.
type Host struct {
	Name   string
	Models []string // that it is known to have, by their names there
	// Beside says that it is no provider of the configuration: its models are suggested, and not found by their names
	// alone.
	Beside bool
	// Usable says that a request to it has the key that it needs.
	Usable bool
}

// Find returns the model of each host of the configuration that has it, as host/name, in the order of the hosts.
func Find(name string, hosts []Host) []string {
	var found []string
	for i := range hosts {
		h := &hosts[i]
		if !h.Beside && slices.ContainsFunc(h.Models, func(has string) bool { return means(name, has) }) {
			found = append(found, h.Name+"/"+name)
		}
	}
	return found
}

// stamp is the date at the end of the name of a version: -20250929 or -2024-08-06.
var stamp = regexp.MustCompile(`^-(\d{8}|\d{4}-\d{2}-\d{2})$`)

// means reports whether a provider takes a name for a model of its list: the model's own, one without the tag that
// Ollama adds, or one without its date.
func means(name, has string) bool {
	if name == "" {
		return false
	}
	rest, begins := strings.CutPrefix(has, name)
	return begins && (rest == "" || rest == ":latest" || stamp.MatchString(rest))
}

// maxSuggested bounds the names that an error suggests, and maxExpected those that it lists where none is like the
// name.
const (
	maxSuggested = 3
	maxExpected  = 10
)

// Unknown says that a model is not known, and which names are like it.
func Unknown(name string, near []string) string {
	return "model " + QuoteName(name) + " is not known: did you mean " + spelling.Or(near) + "?"
}

// DescribeNames says which names there are: those of entries, and of models of hosts that can be used.
func DescribeNames(entries []string, hosts []Host) string {
	expected := slices.Clone(entries)
	for i := range hosts {
		if hosts[i].Usable {
			expected = append(expected, hosts[i].Name+"/NAME")
		}
	}
	switch more := len(expected) - maxExpected; {
	case len(expected) == 0:
		return "the key of a provider: set for instance GROQ_API_KEY"
	case more > 0:
		expected = append(expected[:maxExpected], strconv.Itoa(more)+" more")
	}
	return spelling.Or(expected)
}

// Ambiguous says that several hosts have a model: found has its names there.
func Ambiguous(name string, found []string, hosts []Host) string {
	isUsable := map[string]bool{}
	for i := range hosts {
		isUsable[hosts[i].Name+"/"+name] = hosts[i].Usable
	}
	shown := slices.DeleteFunc(slices.Clone(found), func(id string) bool { return !isUsable[id] })
	if len(shown) == 0 {
		shown = found
	}
	return fmt.Sprintf("model %s is offered by %d providers: did you mean %s?", QuoteName(name), len(found),
		spelling.Or(shown[:min(len(shown), maxSuggested)]))
}

// QuoteName returns a name as errors have it: in quotes where it is empty or has more than letters, digits and
// punctuation.
func QuoteName(name string) string {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return strconv.Quote(name)
	}
	return name
}

// Near returns the names that may have been meant, at most three, the nearest by edit distance first: of entries, and
// of models of hosts that can be used. Where a model is called so, but for its path and separators, no other one is.
func Near(name string, entries []string, hosts []Host) []string {
	type suggestion struct {
		text     string
		distance int
	}
	var all []suggestion
	add := func(text string, forms ...string) {
		best := -1
		for _, form := range forms {
			if d, ok := spelling.Distance(name, form); ok && (best < 0 || d < best) {
				best = d
			}
		}
		if best >= 0 {
			all = append(all, suggestion{text, best})
		}
	}
	for _, e := range entries {
		add(e, e)
	}
	for i := range hosts {
		if !hosts[i].Usable {
			continue
		}
		for _, model := range hosts[i].Models {
			id := hosts[i].Name + "/" + model
			add(id, id, model, model[strings.LastIndexByte(model, '/')+1:])
		}
	}
	slices.SortStableFunc(all, func(a, b suggestion) int { return cmp.Compare(a.distance, b.distance) })
	var out []string
	for _, s := range all {
		if all[0].distance == 0 && s.distance > 0 { // another name is not meant
			break
		}
		if len(out) < maxSuggested && !slices.Contains(out, s.text) {
			out = append(out, s.text)
		}
	}
	return out
}
