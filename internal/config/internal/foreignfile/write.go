package foreignfile

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/goccy/go-yaml"
)

// A member is a key of the result with its value in YAML.
type member struct{ key, value string }

// plain matches texts that are strings in YAML without quotes.
var plain = regexp.MustCompile(`^(env:)?[A-Za-z][A-Za-z0-9_./-]*$`)

// words are texts that match plain but that YAML parsers read as a Boolean or null.
var words = map[string]bool{"true": true, "false": true, "null": true, "yes": true, "no": true, "on": true, "off": true,
	"y": true, "n": true}

// nameOf returns name as a YAML key, in quotes if needed.
func nameOf(name string) string {
	if plain.MatchString(name) && !strings.HasPrefix(name, "env:") && !words[strings.ToLower(name)] {
		return name
	}
	return string(jsonx.AppendQuote(nil, name))
}

// textOf returns text as a YAML string. A "${" in it is escaped.
func textOf(text string) string { return expanding(strings.ReplaceAll(text, "${", "$${")) }

// expanding returns text as a YAML string in which ${NAME} refers to a variable.
func expanding(text string) string {
	if plain.MatchString(text) && !words[strings.ToLower(text)] {
		return text
	}
	return string(jsonx.AppendQuote(nil, text))
}

// flow returns a mapping in YAML on one line: {a: 1, b: 2}.
func flow(members []member) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(nameOf(m.key) + ": " + m.value)
	}
	return b.String() + "}"
}

// listOf returns a list of strings in YAML on one line: [a, b].
func listOf(texts []string) string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = textOf(t)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// valueOf returns a value in YAML on one line. ok is false for a value that cannot be written, such as a number with an
// exponent.
func valueOf(v any) (text string, ok bool) {
	switch v := v.(type) {
	case string:
		return string(jsonx.AppendQuote(nil, strings.ReplaceAll(v, "${", "$${"))), true
	case bool:
		return fmt.Sprint(v), true
	case yaml.MapSlice:
		var members []member
		for _, m := range v {
			value, ok := valueOf(m.Value)
			if !ok {
				return "", false
			}
			members = append(members, member{fmt.Sprint(m.Key), value})
		}
		return flow(members), true
	case []any:
		out := make([]string, len(v))
		for i := range v {
			if out[i], ok = valueOf(v[i]); !ok {
				return "", false
			}
		}
		return "[" + strings.Join(out, ", ") + "]", true
	}
	text = number(v)
	return text, text != ""
}

// quoteName returns a name for a comment or a message. A name that does not match plain or has more than 100 characters
// is put in quotes, truncated to 100 characters.
func quoteName(name string) string {
	if plain.MatchString(name) && len(name) <= 100 {
		return name
	}
	return fmt.Sprintf("%.100q", name)
}

// comment writes lines to b as YAML comments.
func comment(b *strings.Builder, indent string, lines ...string) {
	for _, l := range lines {
		b.WriteString(indent + "# " + l + "\n")
	}
}

// write returns the configuration in YAML.
func (d *draft) write(program string) []byte {
	var b strings.Builder
	comment(&b, "", "From a configuration of "+program+", by callwright config import.")
	if d.listen.value != "" {
		comment(&b, "", d.listen.from...)
		b.WriteString("listen: " + d.listen.value + "\n")
	}
	if len(d.keys) > 0 {
		b.WriteString("keys:\n")
		for _, k := range d.keys {
			comment(&b, "  ", k.from...)
			b.WriteString("  - " + k.value + "\n")
		}
	}
	b.WriteString("providers:\n")
	for _, e := range d.endpoints {
		comment(&b, "  ", e.comments()...)
		b.WriteString("  " + nameOf(e.name) + ": " + flow(e.members()) + "\n")
	}
	if len(d.entries) > 0 {
		b.WriteString("models:\n")
	}
	for _, e := range d.entries {
		comment(&b, "  ", e.from...)
		b.WriteString("  " + nameOf(e.name) + ": " + flow(e.buildMembers()) + "\n")
	}
	return []byte(b.String())
}
