package trace

import (
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/callwright/callwright/internal/outcome"
)

// A Sketch is a compact description of a Summary: the start of the request, its outcome, and a Bloom filter of its
// models, rules, tools, key, session and kind of error. With a Sketch per request, a Log can skip most summaries that a
// query does not match; see Filter.
type Sketch struct {
	began   int64
	words   words
	outcome uint8 // index in outcomeCodes, or otherOutcome
}

// SketchOf returns the Sketch of the request that s describes.
func SketchOf(s *Summary) Sketch {
	k := Sketch{began: s.Time.UnixNano(), outcome: otherOutcome}
	if code := slices.Index(outcomeCodes, s.Outcome); code >= 0 {
		k.outcome = uint8(code)
	}
	k.words.add(wordModel, string(s.Model))
	k.words.add(wordModel, string(s.Served))
	k.words.add(wordKey, s.Key)
	k.words.add(wordSession, s.Session)
	k.words.add(wordKind, string(s.Kind))
	for _, tool := range s.Tools {
		k.words.add(wordTool, tool)
	}
	if len(s.Tools) >= SummaryTools {
		k.words = words{math.MaxUint64, math.MaxUint64, math.MaxUint64} // the summary does not list all tools
	}
	for _, rule := range s.Rules {
		k.words.add(wordRule, rule)
		for i := range len(rule) {
			if rule[i] == '.' {
				k.words.add(wordRule, rule[:i+1]) // the rule's family
			}
		}
	}
	return k
}

// Began returns the start of the request in Unix nanoseconds.
func (k *Sketch) Began() int64 { return k.began }

// outcomeCodes are the outcomes by their code in sketches. Code 0 is no outcome.
var outcomeCodes = []outcome.Outcome{"", outcome.Answered, outcome.Healed, outcome.Passed, outcome.Failed, outcome.Unfinished,
	outcome.Translated}

// otherOutcome is the code of an outcome of a later version. It may match any query.
const otherOutcome = math.MaxUint8

// A Filter selects requests by their sketches. It accepts every request that a query matches and few others.
type Filter struct {
	words   words
	oldest  int64 // minimum start, Unix nanoseconds
	before  int64 // exclusive maximum start, Unix nanoseconds
	allowed [1 << 8]bool
}

// NewFilter returns the filter of a query.
func NewFilter(q Query) *Filter {
	f := &Filter{oldest: math.MinInt64, before: math.MaxInt64}
	f.words.add(wordModel, string(q.Model))
	f.words.add(wordRule, strings.TrimSuffix(q.Rule, "*"))
	f.words.add(wordKey, q.Key)
	f.words.add(wordSession, q.Session)
	f.words.add(wordKind, string(q.Kind))
	for _, tool := range q.Tools {
		f.words.add(wordTool, tool)
	}
	if !q.Since.IsZero() {
		f.oldest = nanos(q.Since)
	}
	if !q.Before.IsZero() {
		f.before = nanos(q.Before)
	}
	f.allowed[otherOutcome] = true
	for code, came := range outcomeCodes {
		s := Summary{Outcome: came}
		f.allowed[code] = (&Query{Outcome: q.Outcome}).MayMatch(&s)
	}
	return f
}

// nanos returns a time in Unix nanoseconds, limited to the range of int64.
func nanos(t time.Time) int64 {
	switch {
	case t.Before(time.Unix(0, math.MinInt64)):
		return math.MinInt64
	case t.After(time.Unix(0, math.MaxInt64)):
		return math.MaxInt64
	}
	return t.UnixNano()
}

// MayMatch reports whether the query may match a request with the sketch k.
func (f *Filter) MayMatch(k *Sketch) bool {
	return f.at(k.began) && f.allowed[k.outcome] && k.words.has(f.words)
}

// at reports whether the query may match a request that began at a time in Unix nanoseconds.
func (f *Filter) at(began int64) bool { return began >= f.oldest && began < f.before }

// words is a Bloom filter. Each word sets one bit in each of the three integers.
type words [3]uint64

// Prefixes of words in the Bloom filter, by field.
const (
	wordModel   = "m"
	wordRule    = "r"
	wordKey     = "k"
	wordSession = "s"
	wordKind    = "e"
	wordTool    = "t"
)

func (w *words) add(of, word string) {
	if word == "" {
		return
	}
	h := hashOf([]byte(of + word))
	for i := range w {
		w[i] |= 1 << (h & 63)
		h >>= 6
	}
}

// has reports whether the filter may contain all words of another filter.
func (w *words) has(all words) bool {
	return w[0]&all[0] == all[0] && w[1]&all[1] == all[1] && w[2]&all[2] == all[2]
}

func hashOf(text []byte) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(text) // never fails
	return h.Sum64()
}
