package replay

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/trace"
)

// ids tells ids that were made for a request, and are others each time, from those that came with it or with an answer.
type ids struct {
	came string          // the request and the answers, as text
	made map[string]bool // what in it has the form of ids that are made
}

func idsOf(q *request) ids {
	var b strings.Builder
	b.Write(q.entry.Data)
	b.Write(q.entry.Body)
	for i := range q.turns {
		if e := &q.turns[i]; e.Kind == trace.KindReceived {
			b.Write(e.Data)
		}
	}
	n := ids{b.String(), map[string]bool{}}
	for rest := n.came; ; rest = rest[len(prefix):] {
		at := strings.Index(rest, prefix)
		if at < 0 {
			return n
		}
		rest = rest[at:]
		if id := rest[:idEnd(rest)]; len(id) == len(prefix)+digits {
			n.made[id] = true
		}
	}
}

// idEnd is the end of an id that text begins with, of at most so many digits as are made.
func idEnd(text string) int {
	end := len(prefix)
	for end < len(text) && end < len(prefix)+digits && isHex(text[end]) {
		end++
	}
	return end
}

// mostCompared bounds the differences among which those of ids are looked for.
const mostCompared = 10_000

// differences compares documents whose ids differ where they were made.
func (n ids) differences(was, now []byte) []trace.Difference {
	was, now = n.numberIDs(n.renaming(was, now).today(was)), n.numberIDs(now)
	names := n.renaming(was, now) // of ids that are too short to be looked for in texts
	list := trace.Differences(was, now, mostCompared)
	list = slices.DeleteFunc(list, func(d trace.Difference) bool { return n.renames(names, d) })
	return list[:min(len(list), MostDifferences)]
}

// renaming finds which ids two documents have at the same places. A program that has its own ids, as an evaluation has,
// makes them in a form of its own.
func (n ids) renaming(was, now []byte) renaming {
	names := renaming{}
	for _, d := range trace.Differences(was, now, mostCompared) {
		n.renames(names, d)
	}
	return names
}

// prefix and digits are those of the ids that clients make: a prefix, and a UUID without hyphens.
const (
	prefix = "call_"
	digits = 32
)

// numberIDs has numbers in place of ids that were made, in the order in which they first appear.
func (n ids) numberIDs(doc []byte) []byte {
	var pairs []string
	for i, id := range n.madeIn(doc) {
		pairs = append(pairs, id, prefix+"#"+strconv.Itoa(i+1))
	}
	return []byte(strings.NewReplacer(pairs...).Replace(string(doc)))
}

// madeIn are the ids in a document that were made for it, each once, in the order in which they first appear.
func (n ids) madeIn(doc []byte) []string {
	var out []string
	for text := string(doc); ; {
		at := strings.Index(text, prefix)
		if at < 0 {
			return out
		}
		end := at + idEnd(text[at:])
		if id := text[at:end]; len(id) == len(prefix)+digits && !n.made[id] && !slices.Contains(out, id) {
			out = append(out, id)
		}
		text = text[end:]
	}
}

// asThen has the entries that a document now was made of name calls as they were named then, where as many were made.
func (n ids) asThen(entries []trace.Entry, was, now []byte) []trace.Entry {
	then, today := n.madeIn(was), n.madeIn(now)
	var pairs []string
	if len(then) == len(today) && len(then) > 0 {
		for i := range then {
			pairs = append(pairs, today[i], then[i])
		}
	} else {
		for then, today := range n.renaming(was, now).longestFirst() {
			pairs = append(pairs, today, then)
		}
	}
	if len(pairs) == 0 {
		return entries
	}
	r := strings.NewReplacer(pairs...)
	for i := range entries {
		if e := &entries[i]; e.Kind == trace.KindSent || e.Kind == trace.KindAnswer || e.Kind == trace.KindError {
			e.Data = []byte(r.Replace(string(e.Data)))
		}
	}
	return entries
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' }

// has reports whether an id came as a whole text, in JSON or in JSON within a text.
func (n ids) has(id string) bool {
	quoted := `"` + id
	return strings.Contains(n.came, quoted+`"`) || strings.Contains(n.came, quoted+`\`)
}

// renaming has the ids that were made now by those that were made then.
type renaming map[string]string

// minWritten is the length from which an id is looked for in texts: a shorter one stands in them by chance.
const minWritten = 8

// today is a document then with the ids of now, in texts too.
func (r renaming) today(doc []byte) []byte {
	var pairs []string
	for was, now := range r.longestFirst() {
		if len(was) >= minWritten {
			pairs = append(pairs, was, now)
		}
	}
	if len(pairs) == 0 {
		return doc
	}
	return []byte(strings.NewReplacer(pairs...).Replace(string(doc)))
}

// longestFirst are the pairs in an order in which no id is taken for the beginning of another.
func (r renaming) longestFirst() iter.Seq2[string, string] {
	return func(yield func(was, now string) bool) {
		keys := slices.SortedFunc(maps.Keys(r), func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
		for _, was := range keys {
			if !yield(was, r[was]) {
				return
			}
		}
	}
}

// idMembers are the members that have an id of a call.
var idMembers = []string{"/id", "/tool_call_id", "/tool_use_id", "/call_id"}

// renames reports whether a difference is that of two ids of one call, each made when the request was: such as those
// that an API wants in a form of its own.
func (n ids) renames(names renaming, d trace.Difference) bool {
	about := strings.HasSuffix(d.Path, "/call") // of a note, which names a tool or an id
	if !about && !slices.ContainsFunc(idMembers, func(m string) bool { return strings.HasSuffix(d.Path, m) }) {
		return false
	}
	was, ok := jsonx.String(d.Was)
	now, both := jsonx.String(d.Now)
	if !ok || !both {
		return false
	}
	if known, ok := names[was]; ok {
		return known == now
	}
	if about || n.has(was) || n.has(now) {
		return false
	}
	names[was] = now
	return true
}
