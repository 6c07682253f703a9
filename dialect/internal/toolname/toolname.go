// Package toolname resolves tool names as models write them to the declared ones.
package toolname

import (
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// A Resolver resolves tool names as models write them to the declared ones, without ever guessing: only differences
// that lose nothing are bridged, and only where one declared name is left. It is immutable and safe for concurrent use;
// nil resolves nothing.
type Resolver struct {
	exact  map[string]string // declared, or sent to a receiver -> declared
	folded map[string]string // lower case -> declared, "" where two collide
	squash map[string]string // without case and separators -> declared, "" where two collide
	tails  map[string]string // what stands after a name's namespace, squashed -> declared, "" where two collide
	sorted []string          // the keys of squash and tails, for prefixes
	list   []string
	short  map[string]string // sent, without the tail that tells names apart -> declared, "" where two collide

	withheld map[string]string // the letters and digits of withheld names in lower case -> the name
}

// A namePrefix is a prefix that models and servers add to a tool's name, as it is written and squashed.
type namePrefix struct{ text, squashed string }

var prefixes = squashAll("call:default_api:", "declaration:default_api:", "functions.", "function.", "default_api.",
	"default_api:", "tools.", "tool.", "tool:", "tool_", "repo_browser.", "api.", "namespace.", "google:", "functions:",
	"functions/", "mcp__", "mcp.", "call:", "function")

func squashAll(texts ...string) []namePrefix {
	out := make([]namePrefix, len(texts))
	for i, t := range texts {
		out[i] = namePrefix{t, normalizeName(t)}
	}
	return out
}

// An Alias is a name under which a receiver was sent a declared tool, and the same without the tail that tells it apart
// from others, "" where it has none.
type Alias struct{ Sent, Short, Declared string }

// suffixes are the suffixes that models and servers add to a name.
var suffixes = []string{".call", "()", ".default"}

// New returns the resolver of a set of declared names. Withheld names are declared too, and resolved in any spelling of
// their words behind any namespace, where no other declared name is meant.
func New(names []string, withheld ...string) *Resolver {
	n := &Resolver{exact: make(map[string]string, len(names)), folded: map[string]string{}, squash: map[string]string{},
		tails: map[string]string{}}
	n.withhold(withheld)
	for _, name := range slices.Concat(names, withheld) {
		if _, dup := n.exact[name]; dup || name == "" {
			continue
		}
		n.exact[name] = name
		n.list = append(n.list, name)
		n.enter(name, name)
		if loose := sanitizeName(name); loose != name {
			enter(n.squash, normalizeName(loose), name)
		}
	}
	n.sort()
	return n
}

// enter adds a spelling of a declared name.
func (n *Resolver) enter(spelling, name string) {
	enter(n.folded, strings.ToLower(spelling), name)
	enter(n.squash, normalizeName(spelling), name)
	eachTail(spelling, func(tail string) { enter(n.tails, normalizeName(tail), name) })
}

// sort sorts all spellings, for prefixes.
func (n *Resolver) sort() {
	n.sorted = make([]string, 0, len(n.squash)+len(n.tails)+len(n.short))
	for k := range n.squash {
		n.sorted = append(n.sorted, k)
	}
	for k := range n.tails {
		n.sorted = append(n.sorted, k)
	}
	for k := range n.short {
		n.sorted = append(n.sorted, normalizeName(k))
	}
	slices.Sort(n.sorted)
}

// With returns the resolver for a receiver that was sent tools under other names than the declared ones. It resolves
// both.
func (n *Resolver) With(aliases []Alias) *Resolver {
	out := *n
	out.exact, out.folded, out.squash, out.tails = maps.Clone(n.exact), maps.Clone(n.folded), maps.Clone(n.squash), maps.Clone(n.tails)
	out.short = map[string]string{}
	for _, a := range aliases {
		if _, taken := out.exact[a.Sent]; taken {
			continue
		}
		out.exact[a.Sent] = a.Declared
		out.enter(a.Sent, a.Declared)
		if a.Short != "" {
			enter(out.short, a.Short, a.Declared)
		}
	}
	out.sort()
	return &out
}

// cut removes the prefix from s, in any case.
func (p *namePrefix) cut(s string) (rest string, ok bool) {
	if len(s) <= len(p.text) || s[0]|0x20 != p.text[0] || !strings.EqualFold(s[:len(p.text)], p.text) {
		return s, false
	}
	return s[len(p.text):], true
}

// enter maps a key to a name, or to "" when the key already belongs to another name.
func enter(m map[string]string, key, name string) {
	if was, taken := m[key]; taken && was != name {
		name = ""
	}
	m[key] = name
}

// sanitizeName is a name with '_' for each character that no API takes in names, as models write those.
func sanitizeName(name string) string {
	return strings.Map(func(c rune) rune {
		if c < 0x80 && !chars.IsNameByte(byte(c)) || c == ':' || c == '/' {
			return '_'
		}
		return c
	}, name)
}

// normalizeName is a name without case, separators and the escapes that Markdown puts before an underscore.
func normalizeName(s string) string { return string(squash(make([]byte, 0, len(s)), s)) }

func squash(b []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '_' || c == '-' || c == '.' || c == ' ' || c == '\\':
		case chars.IsUpper(c):
			b = append(b, c+'a'-'A')
		default:
			b = append(b, c)
		}
	}
	return b
}

// Resolve returns the declared name that written means. rule is empty for an exact match, else it names how the two
// differ: name.case, name.separators, name.escape, name.prefix, name.suffix.
func (n *Resolver) Resolve(written string) (declared, rule string, ok bool) {
	if n == nil || written == "" || len(n.list) == 0 {
		return "", "", false
	}
	if d, ok := n.exact[written]; ok {
		return d, "", true
	}
	if d, rule, ok := n.resolveVariant(written); ok {
		return d, rule, true
	}
	if d := n.short[written]; d != "" {
		return d, "name.suffix", true
	}
	return n.anyWithheld(written)
}

// resolveVariant resolves a name with a lossless difference from a declared one.
func (n *Resolver) resolveVariant(written string) (declared, rule string, ok bool) {
	s := strings.Trim(written, " \t\r\n\"'`*")
	if d, rule, ok := n.match(s); ok {
		return d, rule, true
	}
	if once := removeRepetition(s); once != s {
		if d, _, ok := n.match(once); ok {
			return d, "name.prefix", true
		}
	}
	cut := cutSuffix(s)
	if cut != s {
		if d, _, ok := n.match(cut); ok {
			return d, "name.suffix", true
		}
	}
	if d, ok := n.behindPrefixes(cut, maxPrefixes); ok {
		return d, "name.prefix", true
	}
	return n.resolveWithoutNamespace(cut)
}

// maxPrefixes bounds how many prefixes stand before a name.
const maxPrefixes = 3

// behindPrefixes resolves a name behind one to most prefixes.
func (n *Resolver) behindPrefixes(s string, most int) (declared string, ok bool) {
	for i := range prefixes {
		rest, ok := prefixes[i].cut(s)
		if !ok {
			continue
		}
		if d, _, ok := n.match(rest); ok {
			return d, true
		}
		if most > 1 {
			if d, ok := n.behindPrefixes(rest, most-1); ok {
				return d, true
			}
		}
	}
	return "", false
}

// minRepeated is the length from which a text that is glued to itself is a name written twice, and no name of its own.
const minRepeated = 3

// removeRepetition is the name that s repeats, glued together or with dots between: a for aa and for a.a.
func removeRepetition(s string) string {
	if s == "" || len(s) > 4*chars.MaxName {
		return s
	}
	if p := period(s, 0); p >= minRepeated {
		return s[:p]
	}
	if p := period(s, 1); p > 1 && s[p-1] == '.' {
		return s[:p-1]
	}
	return s
}

// period is the length of the shortest text that s, with joint more bytes, is a repetition of; 0 when there is none.
func period(s string, joint int) int {
	for p := 1; 2*p <= len(s)+joint; p++ {
		if (len(s)+joint)%p == 0 && s[p:] == s[:len(s)-p] {
			return p
		}
	}
	return 0
}

// match compares without the rules for prefixes and suffixes.
func (n *Resolver) match(s string) (declared, rule string, ok bool) {
	if d, ok := n.exact[s]; ok {
		return d, "name.escape", true
	}
	var buf [chars.MaxName]byte
	if _, any := n.squash[string(squash(buf[:0], s))]; !any && chars.IsASCII(s) {
		return "", "", false // what differs in more than case and separators is another name
	}
	if strings.Contains(s, `\_`) {
		if plain := strings.ReplaceAll(s, `\_`, "_"); plain != s {
			if d, ok := n.exact[plain]; ok {
				return d, "name.escape", true
			}
		}
	}
	if d, found := n.folded[strings.ToLower(s)]; found {
		return d, "name.case", d != ""
	}
	d := n.squash[normalizeName(s)]
	return d, "name.separators", d != "" && sameWords(s, sanitizeName(d))
}

// sameWords reports whether two names with the same letters are also divided into the same words, where both are
// divided: get_co_ordinate is not get_coordinate, but getCoordinate and getcoordinate are.
func sameWords(a, b string) bool {
	x, y := words(a), words(b)
	return x == y || strings.IndexByte(x, ' ') < 0 || strings.IndexByte(y, ' ') < 0
}

// words is a name as lower-case words.
func words(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 4)
	gap := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '_' || c == '-' || c == '.' || c == ' ' || c == '\\':
			gap = b.Len() > 0
			continue
		case chars.IsUpper(c):
			gap = gap || i > 0 && (!chars.IsUpper(s[i-1]) || i+1 < len(s) && chars.IsLower(s[i+1])) && b.Len() > 0
			c += 'a' - 'A'
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteByte(c)
	}
	return b.String()
}

// cutSuffix removes special tokens, call indexes and the like from the end of a name.
func cutSuffix(s string) string {
	if i := strings.IndexAny(s, "<|（\n"); i > 0 {
		s = strings.TrimSpace(s[:i])
	}
	for _, x := range suffixes {
		s = strings.TrimSuffix(s, x)
	}
	digits := strings.TrimRight(s, "0123456789")
	if len(digits) < len(s) && len(digits) > 1 {
		switch digits[len(digits)-1] {
		case ':', '#', '.':
			s = strings.TrimSuffix(digits[:len(digits)-1], ":index")
		}
	}
	return strings.Trim(s, " \t\"'`*:")
}

// eachTail yields the part after each namespace of a name: b for a.b, a__b, a/b and a:b.
func eachTail(name string, yield func(tail string)) {
	for i := 1; i < len(name)-2; i++ {
		switch c := name[i]; {
		case c == '.' || c == '/' || c == ':':
			yield(name[i+1:])
		case c == '_' && name[i+1] == '_':
			yield(name[i+2:])
		}
	}
}

// resolveWithoutNamespace resolves names that lost the namespace of the server they come from: b for server__a__b.
// Exactly one declared name may end in the written one.
func (n *Resolver) resolveWithoutNamespace(s string) (declared, rule string, ok bool) {
	s = strings.TrimPrefix(s, "mcp__")
	if len(s) < 3 {
		return "", "", false
	}
	var buf [chars.MaxName]byte
	d := n.tails[string(squash(buf[:0], s))]
	return d, "name.prefix", d != ""
}

// Begins reports whether s may be the beginning of a written form of a declared name.
func (n *Resolver) Begins(s string) bool {
	if n == nil || len(n.list) == 0 || s == "" {
		return false
	}
	if i := strings.LastIndexByte(s, ':'); i > 0 && strings.Trim(s[i+1:], "0123456789") == "" {
		if _, ok := n.Plain(s[:i]); ok {
			return true
		}
	}
	var buf [chars.MaxName]byte
	q := squash(buf[:0], s)
	if n.prefixOf(q) || n.beginsWithheld(s) {
		return true
	}
	for i := range prefixes {
		p := prefixes[i].squashed
		if p[0] != q[0] {
			continue
		}
		if len(q) <= len(p) {
			if p[:len(q)] == string(q) {
				return true
			}
		} else if string(q[:len(p)]) == p && n.prefixOf(q[len(p):]) {
			return true
		}
	}
	return false
}

// prefixOf reports whether a squashed name begins with q.
func (n *Resolver) prefixOf(q []byte) bool {
	i := sort.Search(len(n.sorted), func(i int) bool { return n.sorted[i] >= string(q) })
	return i < len(n.sorted) && len(n.sorted[i]) >= len(q) && n.sorted[i][:len(q)] == string(q)
}

// Has reports whether a name is declared, or was sent, just so.
func (n *Resolver) Has(s string) bool {
	if n == nil {
		return false
	}
	_, ok := n.exact[s]
	return ok
}

// Plain is Resolve without namespaces: for names that stand bare in a text.
func (n *Resolver) Plain(s string) (declared string, ok bool) {
	if n == nil || len(n.list) == 0 || len(s) < 2 {
		return "", false
	}
	if d, _, ok := n.match(s); ok {
		return d, true
	}
	cut := s
	if i := strings.LastIndexByte(s, ':'); i > 0 && strings.Trim(s[i+1:], "0123456789") == "" {
		cut = s[:i]
	}
	for i := range prefixes {
		if rest, ok := prefixes[i].cut(cut); ok {
			cut = rest
			break
		}
	}
	if len(cut) < len(s) {
		if d, _, ok := n.match(cut); ok {
			return d, true
		}
	}
	if d, _, ok := n.resolveWithoutNamespace(cut); ok {
		return d, true
	}
	if d := n.short[cut]; d != "" {
		return d, true
	}
	d, _, ok := n.anyWithheld(cut)
	return d, ok
}

// InID is the tool's name in a call id such as functions.name:3.
func InID(id string) (name string, ok bool) {
	i := strings.LastIndexByte(id, ':')
	if i <= 0 || i == len(id)-1 || strings.Trim(id[i+1:], "0123456789") != "" {
		return "", false
	}
	return strings.TrimPrefix(id[:i], "functions."), true
}
