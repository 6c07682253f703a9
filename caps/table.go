package caps

import "strings"

// A row holds the shipped facts about some models. Provider lists names of providers, Models beginnings of names, one
// space between two; see covers for how the latter match. An empty Provider stands for every provider, empty Models for
// every model.
type row struct {
	Provider string
	Models   string
	Caps     Caps
}

// ShippedFor returns the shipped facts about a model: the rows of the table that cover the model, the more specific
// laid over the more general. Facts have the source Shipped. A provider or a model that no row covers gives the zero
// Caps: everything unknown.
func ShippedFor(provider, model string) Caps {
	var out Caps
	name := plain(model)
	for _, rows := range [...][]row{families, providers} {
		for i := range rows {
			if r := &rows[i]; r.Provider == "" || lists(r.Provider, provider) {
				if r.Models == "" || covers(r.Models, name) {
					r.Caps.onto(&out)
				}
			}
		}
	}
	only := single(provider, name, &out)
	only.onto(&out)
	return out.From(Shipped)
}

// PlainName returns the name of a model in the form of the table: without its host's additions, in lower case, words
// and version numbers separated by single dashes.
func PlainName(model string) string { return plain(model) }

// lists reports whether the name is one of names.
func lists(names, name string) bool {
	for len(names) > len(name) {
		var first string
		if first, names, _ = strings.Cut(names, " "); first == name {
			return true
		}
	}
	return names == name && name != ""
}

// plain brings the spellings of one model by different providers together: the last segment of the path in lower case,
// words and version numbers parted by single dashes ("meta-llama/Llama-3.3-70B" and "llama3.3:70b" both begin with
// "llama-3-3-70b"; a "p" between digits is a point).
func plain(model string) string {
	model = withoutHost(model)
	out := make([]byte, 0, len(model)+8)
	for i := range len(model) {
		c := model[i]
		switch {
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case c == '.' || c == '_' || c == ':' || c == '@' || c == ' ':
			c = '-'
		}
		if (c == 'p' || c == 'P') && digit(model, i-1) && digit(model, i+1) {
			c = '-'
		}
		before := byte('-')
		if len(out) > 0 {
			before = out[len(out)-1]
		}
		if c == '-' && before == '-' {
			continue
		}
		if '0' <= c && c <= '9' && 'a' <= before && before <= 'z' {
			out = append(out, '-')
		}
		out = append(out, c)
	}
	return string(out)
}

func digit(s string, i int) bool { return i >= 0 && i < len(s) && '0' <= s[i] && s[i] <= '9' }

// covers reports whether one of the patterns occurs in the plain name as whole words. A pattern that begins with "^"
// stands at the beginning of the name, one that ends with "$" at its end.
func covers(patterns, name string) bool {
	for len(patterns) > 0 {
		p := patterns
		if i := strings.IndexByte(patterns, ' '); i >= 0 {
			p, patterns = patterns[:i], patterns[i+1:]
		} else {
			patterns = ""
		}
		if words(p, name) {
			return true
		}
	}
	return false
}

func words(p, name string) bool {
	p, first := strings.CutPrefix(p, "^")
	p, last := strings.CutSuffix(p, "$")
	for from := 0; from+len(p) <= len(name); {
		i := strings.Index(name[from:], p)
		if i < 0 || first && from+i > 0 {
			return false
		}
		start, end := from+i, from+i+len(p)
		if (start == 0 || name[start-1] == '-') && (end == len(name) || name[end] == '-' && !last) {
			return true
		}
		from = start + 1
	}
	return false
}
