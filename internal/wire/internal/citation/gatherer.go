package citation

import (
	"bytes"
	"cmp"
	"container/heap"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Gatherer follows the events of an answer and gathers the sources that came over other wires than Own, until they
// are taken. Its work is linear in the answer but for sorting. The zero Gatherer with a wire is ready for use; not safe
// for concurrent use.
type Gatherer struct {
	Own     callwright.WireName
	words   words
	from    int                // the byte at which the text under way begins
	refuses bool               // it is a refusal, which is none of the words
	goesOn  bool               // the last part was a piece of it, or of the one that comes
	open    []Source           // that cover the text under way
	ready   sources            // with places in characters of all words
	later   sources            // with places in bytes, of words that may yet come
	order   int                // of the next source
	seen    map[sourceKey]bool // what was named by lists that may come again
	parts   []int              // the bytes at which Gemini's parts begin, where they are known
	begin   []byte             // what came with the Begin
}

// A sourceKey tells sources of one list apart.
type sourceKey struct {
	url        string
	start, end int
}

// Event takes the next event.
func (g *Gatherer) Event(ev callwright.Event) {
	if t, is := ev.(callwright.TextDelta); is { // as most are
		if g.goesOn = false; !g.refuses {
			g.words.add(t.Text)
		}
		return
	}
	g.beside(ev)
}

// beside takes an event that is not a piece of text.
func (g *Gatherer) beside(ev callwright.Event) {
	switch ev := ev.(type) {
	case callwright.Begin:
		g.begin = ev.Extra.JSON
		g.read(ev.Extra)
	case callwright.TextBegin:
		if g.goesOn && len(ev.Extra.JSON) == 0 {
			return
		}
		g.endText()
		g.refuses = (callwright.Text{Extra: ev.Extra}).IsRefusal()
		g.read(ev.Extra)
	case callwright.OpaquePart:
		ahead := IsAhead(ev.Extra)
		goesOn := ahead || GoesOn(ev.Extra)
		if !goesOn || ahead && len(g.words.text) > g.from {
			g.endText()
		}
		g.goesOn = goesOn
		g.read(ev.Extra)
	case callwright.End:
		g.endText()
		if !bytes.Equal(ev.Extra.JSON, g.begin) { // the end of a whole answer has what its begin had
			g.read(ev.Extra)
		}
	case callwright.CallDelta, callwright.CallEnd, callwright.UsageDelta:
	default:
		g.endText()
	}
}

// GoesOn reports whether a part is a piece of the text before it, which goes on after it: a source that the text names.
func GoesOn(x callwright.Extra) bool { return isDelta(x) && !hasAhead(x) }

// IsAhead reports whether a part is a piece of a text that has yet to begin.
func IsAhead(x callwright.Extra) bool { return isDelta(x) && hasAhead(x) }

// isDelta reports whether a part is a piece of a text block in a stream of Anthropic's.
func isDelta(x callwright.Extra) bool {
	_, is := jsonx.Find(x.JSON, citationsDelta)
	return is && x.Wire == callwright.WireAnthropic
}

func hasAhead(x callwright.Extra) bool {
	v, _ := jsonx.Find(x.JSON, AheadKey)
	return jsonx.IsTrue(v)
}

// Names reports whether a part of another wire names sources and is nothing else.
func Names(x callwright.Extra) bool {
	_, delta := jsonx.Find(x.JSON, citationsDelta)
	_, notes := jsonx.Find(x.JSON, annotations)
	return delta || notes
}

// endText says where the text under way ends, and with it the sources that cover it.
func (g *Gatherer) endText() {
	for _, s := range g.open {
		s.Start, s.End, s.unit = g.words.before(g.from), g.words.total(), inAll
		heap.Push(&g.ready, s)
	}
	g.open, g.from, g.refuses, g.goesOn = g.open[:0], len(g.words.text), false, false
}

// read adds the sources in the members beside words.
func (g *Gatherer) read(x callwright.Extra) {
	if !namesIn(x, g.Own) {
		return
	}
	var fresh []Source
	var named map[string]int // places in fresh of sources that are known by their URL alone
	Walk(x.JSON, func(k jsonx.Key, m []byte) bool {
		read, once := reader(k)
		if read == nil {
			return false
		}
		read(m, ofOpenAI(x.Wire, g.Own), func(s Source) {
			if s.unit == covers && x.Wire != callwright.WireAnthropic { // objects in the list that Chat Completions has beside the choices
				s.unit = inAll
			}
			switch i, is := named[s.URL]; {
			case !once || s.unit == covers:
			case is && s.unit == inAll: // in citations and in search_results, which have its title
				fresh[i].Title = cmp.Or(fresh[i].Title, s.Title)
				return
			case g.cameBefore(s):
				return
			case s.unit == inAll:
				if named == nil {
					named = map[string]int{}
				}
				named[s.URL] = len(fresh)
			}
			if k.Is(annotations) && x.Wire == callwright.WireResponses {
				s.unit = inText
			}
			fresh = append(fresh, s)
		})
		return true
	})
	if len(fresh) > 0 {
		g.add(fresh, countAt(x.JSON, lengthKey))
	}
}

// cameBefore reports whether a source of a list that may come again was given to it before.
func (g *Gatherer) cameBefore(s Source) bool {
	key := sourceKey{s.URL, s.Start, s.End}
	if g.seen[key] {
		return true
	}
	if g.seen == nil {
		g.seen = map[sourceKey]bool{}
	}
	g.seen[key] = true
	return false
}

// add takes sources that were read. Length is how many characters the text has to which they belong where it ends
// before them, 0 where it follows.
func (g *Gatherer) add(list []Source, length int) {
	for _, s := range list {
		s.order = g.order
		g.order++
		switch s.unit {
		case covers:
			g.open = append(g.open, s)
		case inBytes:
			heap.Push(&g.later, s)
		case inText:
			by := g.words.total() - length
			s.Start, s.End, s.unit = max(s.Start+by, 0), max(s.End+by, 0), inAll
			heap.Push(&g.ready, s)
		case inAll:
			heap.Push(&g.ready, s)
		}
	}
}

// Waits reports whether there are sources to take. There are none without a Gatherer.
func (g *Gatherer) Waits() bool { return g != nil && len(g.ready)+len(g.later) > 0 }

// HasWords reports whether the answer has had any words.
func (g *Gatherer) HasWords() bool { return len(g.words.text) > 0 }

// Length is how many characters were said.
func (g *Gatherer) Length() int { return g.words.total() }

// Release says that the answer was written: the memory of its words is for the next.
func (g *Gatherer) Release() { g.words.release() }

// Take gives the sources whose places are among the words so far, or all, in the order in which they came.
func (g *Gatherer) Take(all bool) []Source {
	if !g.Waits() {
		return nil
	}
	for len(g.later) > 0 && (all || g.later[0].End <= len(g.words.text)) {
		heap.Push(&g.ready, g.inCharacters(heap.Pop(&g.later).(Source)))
	}
	var out []Source
	to := g.words.total()
	for len(g.ready) > 0 && (all || g.ready[0].belongs(to)) {
		out = append(out, heap.Pop(&g.ready).(Source))
	}
	slices.SortFunc(out, func(a, b Source) int { return cmp.Compare(a.order, b.order) })
	return out
}

// belongs reports whether a source belongs to the text that ends with so many characters: it begins there, or is a mark
// at the end.
func (s *Source) belongs(to int) bool { return s.Start < to || s.End <= to }

// inCharacters returns a source with its place in characters of all words: the place that holds its quotation, where
// that came with it. It covers nothing where there is no such place.
func (g *Gatherer) inCharacters(s Source) Source {
	start, end := s.Start, s.End
	s.Start, s.End, s.unit = 0, 0, inAll
	base := 0
	if s.part > 0 && s.part < len(g.parts) {
		base = g.parts[s.part]
	}
	for _, base := range [...]int{base, 0} {
		if start > end || end > len(g.words.text)-base {
			continue
		}
		if from, to := base+start, base+end; s.quoted == "" || s.quoted == string(g.words.text[from:to]) {
			s.Start, s.End = g.words.before(from), g.words.before(to)
			break
		}
	}
	return s
}

// sources is a heap of those by where they begin and end; sources in bytes by where they end.
type sources []Source

func (l sources) Len() int      { return len(l) }
func (l sources) Swap(i, j int) { l[i], l[j] = l[j], l[i] }
func (l sources) Less(i, j int) bool {
	a, b := &l[i], &l[j]
	if a.unit == inBytes {
		return a.End < b.End
	}
	return a.Start < b.Start || a.Start == b.Start && a.End < b.End
}

// Push is for package heap.
func (l *sources) Push(v any) { *l = append(*l, v.(Source)) }

// Pop is for package heap.
func (l *sources) Pop() any {
	last := (*l)[len(*l)-1]
	*l = (*l)[:len(*l)-1]
	return last
}
