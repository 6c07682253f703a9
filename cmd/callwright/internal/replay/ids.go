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

// ids distinguishes generated ids, which differ in each run, from ids in the request or in a response.
type ids struct {
	came string          // the request and the responses as text
	made map[string]bool // ids in came that have the format of generated ids
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

// idEnd returns the end offset of the id at the start of text, which begins with prefix. It reads at most digits
// hexadecimal digits after the prefix, the number of digits in a generated id.
func idEnd(text string) int {
	end := len(prefix)
	for end < len(text) && end < len(prefix)+digits && isHex(text[end]) {
		end++
	}
	return end
}

// mostCompared is the maximum number of differences that are examined for ids.
const mostCompared = 10_000

// differences compares two documents. It ignores differences that are only generated ids.
func (n ids) differences(was, now []byte) []trace.Difference {
	was, now = n.numberIDs(n.renaming(was, now).today(was)), n.numberIDs(now)
	names := n.renaming(was, now) // of ids too short to replace in texts
	list := trace.Differences(was, now, mostCompared)
	list = slices.DeleteFunc(list, func(d trace.Difference) bool { return n.renames(names, d) })
	return list[:min(len(list), MostDifferences)]
}

// renaming returns the ids that differ at equal paths of two documents. It also finds ids in other formats, which
// programs such as evaluations generate.
func (n ids) renaming(was, now []byte) renaming {
	names := renaming{}
	for _, d := range trace.Differences(was, now, mostCompared) {
		n.renames(names, d)
	}
	return names
}

// prefix and digits define the format of ids that clients generate: the prefix and a UUID without hyphens.
const (
	prefix = "call_"
	digits = 32
)

// numberIDs replaces generated ids by numbers in the order of their first occurrence.
func (n ids) numberIDs(doc []byte) []byte {
	var pairs []string
	for i, id := range n.madeIn(doc) {
		pairs = append(pairs, id, prefix+"#"+strconv.Itoa(i+1))
	}
	return []byte(strings.NewReplacer(pairs...).Replace(string(doc)))
}

// madeIn returns the distinct generated ids in a document in the order of their first occurrence.
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

// asThen replaces the generated ids in the entries of a replay by the recorded ones, in order. was and now are the
// documents of both runs. If they have different numbers of ids, it replaces only ids that differ at equal paths.
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

// has reports whether an id occurs as a whole string in the request or a response, also in JSON within a string.
func (n ids) has(id string) bool {
	quoted := `"` + id
	return strings.Contains(n.came, quoted+`"`) || strings.Contains(n.came, quoted+`\`)
}

// renaming maps recorded ids to the ids of the replay.
type renaming map[string]string

// minWritten is the minimum length of an id that is replaced in texts. A shorter one could occur by chance.
const minWritten = 8

// today returns a recorded document with its ids replaced by those of the replay.
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

// longestFirst yields the pairs by descending length of the recorded id, so that no id is replaced as the prefix of
// another.
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

// idMembers are the members that contain the id of a call.
var idMembers = []string{"/id", "/tool_call_id", "/tool_use_id", "/call_id"}

// renames reports whether a difference consists of two generated ids of the same call, and records the pair in names.
// Some APIs require ids in a format of their own.
func (n ids) renames(names renaming, d trace.Difference) bool {
	about := strings.HasSuffix(d.Path, "/call") // a note's call is a tool name or an id
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
