// Package barename finds the providers of models that a request names without a provider.
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

// A Host is a provider with its models.
type Host struct {
	Name   string
	Models []string // names of its known models at the provider
	// Beside reports whether the provider is not in the configuration. Its models are suggested in errors, but requests
	// cannot name them without the provider.
	Beside bool
	// Usable reports whether the provider's API key is set, or not needed.
	Usable bool
}

// Find returns the model as host/name for each configured host that has it, in the order of the hosts.
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

// stamp matches the date at the end of the name of a model version: -20250929 or -2024-08-06.
var stamp = regexp.MustCompile(`^-(\d{8}|\d{4}-\d{2}-\d{2})$`)

// means reports whether name stands for the model has in a provider's list: name equals has, has without ":latest" (a
// tag of Ollama) or has without its date.
func means(name, has string) bool {
	if name == "" {
		return false
	}
	rest, begins := strings.CutPrefix(has, name)
	return begins && (rest == "" || rest == ":latest" || stamp.MatchString(rest))
}

// maxSuggested is the maximum number of names that an error suggests. maxExpected is the maximum number that it lists
// if no name is similar.
const (
	maxSuggested = 3
	maxExpected  = 10
)

// Unknown returns the message for an unknown model, with the similar names near.
func Unknown(name string, near []string) string {
	return "model " + QuoteName(name) + " is not known: did you mean " + spelling.Or(near) + "?"
}

// DescribeNames returns a list of the permitted model names for an error: the names of entries, and HOST/NAME for each
// usable host.
func DescribeNames(entries []string, hosts []Host) string {
	expected := slices.Clone(entries)
	for i := range hosts {
		if hosts[i].Usable {
			expected = append(expected, hosts[i].Name+"/NAME")
		}
	}
	switch more := len(expected) - maxExpected; {
	case len(expected) == 0:
		return "the key of a provider: set a variable such as GROQ_API_KEY"
	case more > 0:
		expected = append(expected[:maxExpected], strconv.Itoa(more)+" more")
	}
	return spelling.Or(expected)
}

// Ambiguous returns the message for a model that several hosts have. found has its names as host/name.
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

// QuoteName returns a name for an error. The name is in quotes if it is empty or contains a space, a control character
// or a character outside ASCII.
func QuoteName(name string) string {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return strconv.Quote(name)
	}
	return name
}

// Near returns at most three names that resemble name, the nearest by edit distance first: names in entries, and
// host/model for the models of usable hosts. If a name differs only in its path or separators, Near returns only such
// names.
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
		if all[0].distance == 0 && s.distance > 0 { // an exact match excludes similar names
			break
		}
		if len(out) < maxSuggested && !slices.Contains(out, s.text) {
			out = append(out, s.text)
		}
	}
	return out
}
