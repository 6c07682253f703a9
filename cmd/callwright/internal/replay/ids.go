package replay

import (
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

// differences compares documents whose ids differ where they were made.
func (n ids) differences(was, now []byte) []trace.Difference {
	const all = 10_000
	names := renaming{}
	list := trace.Differences(n.numbered(was), n.numbered(now), all)
	list = slices.DeleteFunc(list, func(d trace.Difference) bool { return n.renames(names, d) })
	return list[:min(len(list), MostDifferences)]
}

// prefix and digits are those of the ids that clients make: a prefix, and a UUID without hyphens.
const (
	prefix = "call_"
	digits = 32
)

// numbered has numbers in place of ids that were made, in the order in which they first appear.
func (n ids) numbered(doc []byte) []byte {
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
	if len(then) != len(today) || len(then) == 0 {
		return entries
	}
	var pairs []string
	for i := range then {
		pairs = append(pairs, today[i], then[i])
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

// renaming has the ids that were made now by those that were made then.
type renaming map[string]string

// idMembers are the members that have an id of a call.
var idMembers = []string{"/id", "/tool_call_id", "/tool_use_id", "/call_id"}

// renames reports whether a difference is that of two ids of one call, each made when the request was: such as those that an API wants in
// a form of its own.
func (n ids) renames(names renaming, d trace.Difference) bool {
	if !slices.ContainsFunc(idMembers, func(m string) bool { return strings.HasSuffix(d.Path, m) }) {
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
	if strings.Contains(n.came, was) || strings.Contains(n.came, now) {
		return false
	}
	names[was] = now
	return true
}
