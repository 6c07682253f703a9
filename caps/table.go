package caps

import "strings"

// A row has shipped facts about some models. Provider lists provider names and Models lists model name patterns (see
// covers), both separated by spaces. An empty Provider means every provider, empty Models means every model.
type row struct {
	Provider string
	Models   string
	Caps     Caps
}

// ShippedFor returns the shipped facts about a model. It combines all table rows that match; later, more specific rows
// override earlier ones. All facts have the source Shipped. It returns the zero Caps, with everything unknown, if no
// row matches.
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

// PlainName returns a model name in the normal form of the table: in lower case, without host-specific prefixes and
// versions, with words and numbers separated by dashes. For example, "meta-llama/Llama-3.3-70B" gives "llama-3-3-70b".
func PlainName(model string) string { return plain(model) }

// lists reports whether name is in names, a space-separated list.
func lists(names, name string) bool {
	for len(names) > len(name) {
		var first string
		if first, names, _ = strings.Cut(names, " "); first == name {
			return true
		}
	}
	return names == name && name != ""
}

// plain normalizes the spellings that providers use for a model: the last path segment in lower case, with words and
// numbers separated by single dashes. "meta-llama/Llama-3.3-70B" and "llama3.3:70b" both give "llama-3-3-70b". A "p"
// between digits is a decimal point.
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

// covers reports whether name, a result of plain, has one of the space-separated patterns as whole words. "^" anchors
// a pattern at the beginning of the name and "$" at its end. For example, "llama-3" matches "llama-3-3-70b".
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
