// Package toolname resolves tool names as models write them to declared names.
package toolname

import (
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// A Resolver resolves tool names as models write them to declared names. It accepts only lossless differences, such as
// case, and only if exactly one declared name matches. It is immutable and safe for concurrent use. A nil Resolver
// resolves nothing.
type Resolver struct {
	exact  map[string]string // declared name by declared or sent name
	folded map[string]string // declared name by name in lower case, "" for a collision
	squash map[string]string // declared name by name without case and separators, "" for a collision
	tails  map[string]string // declared name by name without namespace, case and separators, "" for a collision
	sorted []string          // sorted keys of squash and tails, for prefix search
	list   []string
	short  map[string]string // declared name by sent name without its distinguishing suffix, "" for a collision

	withheld map[string]string // withheld name by its letters and digits in lower case
}

// A namePrefix is a prefix that models and servers add to tool names, as written and without case and separators.
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

// An Alias is a name under which a declared tool was sent to a model, and this name without its distinguishing suffix,
// "" if it has none.
type Alias struct{ Sent, Short, Declared string }

// suffixes are suffixes that models and servers add to tool names.
var suffixes = []string{".call", "()", ".default"}

// New returns a resolver of the declared names. Withheld names are also declared; they are resolved in any spelling
// and with any namespace, unless another declared name matches.
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

// sort sorts all spellings for prefix search.
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

// With returns a resolver that also accepts the names under which tools were sent to a model.
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

// cut removes the prefix, in upper or lower case, from s. ok is false if s does not begin with it or has nothing else.
func (p *namePrefix) cut(s string) (rest string, ok bool) {
	if len(s) <= len(p.text) || s[0]|0x20 != p.text[0] || !strings.EqualFold(s[:len(p.text)], p.text) {
		return s, false
	}
	return s[len(p.text):], true
}

// enter maps key to name, or to "" if key already belongs to another name.
func enter(m map[string]string, key, name string) {
	if was, taken := m[key]; taken && was != name {
		name = ""
	}
	m[key] = name
}

// sanitizeName replaces each character that no API accepts in names by '_', as models do.
func sanitizeName(name string) string {
	return strings.Map(func(c rune) rune {
		if c < 0x80 && !chars.IsNameByte(byte(c)) || c == ':' || c == '/' {
			return '_'
		}
		return c
	}, name)
}

// normalizeName returns s without case, separators and Markdown escapes of underscores.
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

// Resolve returns the declared name for a written name. rule is "" for an exact match, otherwise the difference:
// name.case, name.separators, name.escape, name.prefix or name.suffix. ok is false if no declared name matches.
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

// resolveVariant resolves a name that differs from a declared one.
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

// maxPrefixes is the maximum number of prefixes of a name.
const maxPrefixes = 3

// behindPrefixes resolves a name after removing prefixes: at least one, and at most the number most.
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

// minRepeated is the minimum length of a name that may be written twice without a separator.
const minRepeated = 3

// removeRepetition returns the name that s repeats: f for ff and f.f. It returns any other s unchanged.
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

// period returns the length of the shortest string whose repetition is s followed by joint bytes, 0 if there is none.
func period(s string, joint int) int {
	for p := 1; 2*p <= len(s)+joint; p++ {
		if (len(s)+joint)%p == 0 && s[p:] == s[:len(s)-p] {
			return p
		}
	}
	return 0
}

// match resolves a name without removing prefixes and suffixes.
func (n *Resolver) match(s string) (declared, rule string, ok bool) {
	if d, ok := n.exact[s]; ok {
		return d, "name.escape", true
	}
	var buf [chars.MaxName]byte
	if _, any := n.squash[string(squash(buf[:0], s))]; !any && chars.IsASCII(s) {
		return "", "", false // a name that differs in more than case and separators
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

// sameWords reports whether two names with equal letters have the same word boundaries, if both have any.
// get_co_ordinate differs from get_coordinate, but getCoordinate and getcoordinate do not.
func sameWords(a, b string) bool {
	x, y := words(a), words(b)
	return x == y || strings.IndexByte(x, ' ') < 0 || strings.IndexByte(y, ' ') < 0
}

// words returns the name as lower-case words separated by spaces.
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

// cutSuffix removes special tokens, call indexes and similar suffixes from a name.
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

// resolveWithoutNamespace resolves a name without the namespace of its server, such as b for server__a__b. Exactly one
// declared name must match.
func (n *Resolver) resolveWithoutNamespace(s string) (declared, rule string, ok bool) {
	s = strings.TrimPrefix(s, "mcp__")
	if len(s) < 3 {
		return "", "", false
	}
	var buf [chars.MaxName]byte
	d := n.tails[string(squash(buf[:0], s))]
	return d, "name.prefix", d != ""
}

// Begins reports whether s is a prefix of an accepted spelling of a declared name.
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

// prefixOf reports whether a normalized name begins with q.
func (n *Resolver) prefixOf(q []byte) bool {
	i := sort.Search(len(n.sorted), func(i int) bool { return n.sorted[i] >= string(q) })
	return i < len(n.sorted) && len(n.sorted[i]) >= len(q) && n.sorted[i][:len(q)] == string(q)
}

// Has reports whether s exactly is a declared or sent name.
func (n *Resolver) Has(s string) bool {
	if n == nil {
		return false
	}
	_, ok := n.exact[s]
	return ok
}

// Plain resolves a name outside markers. It accepts fewer spellings than Resolve: at most one prefix, a call index, and
// no other suffix.
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

// InID returns the tool name in a call ID such as functions.name:3. ok is false for an ID without an index.
func InID(id string) (name string, ok bool) {
	i := strings.LastIndexByte(id, ':')
	if i <= 0 || i == len(id)-1 || strings.Trim(id[i+1:], "0123456789") != "" {
		return "", false
	}
	return strings.TrimPrefix(id[:i], "functions."), true
}
