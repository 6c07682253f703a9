package citation

import (
	"bytes"
	"cmp"
	"container/heap"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Gatherer collects the sources that a response cites, and the text that they cover, from the events of the response.
// It ignores sources in the format of the API Own, which need no conversion. Its work is linear in the response, except
// for sorting. A Gatherer with only Own set is ready for use. Not safe for concurrent use.
type Gatherer struct {
	Own         callwright.WireName // API of the client
	words       words
	from        int                // byte offset at which the current text part starts
	refuses     bool               // the current text part is a refusal, which is not in words
	goesOn      bool               // the last event was a citation of the current or the next text part
	open        []Source           // sources that cover the whole current text part
	ready       sources            // sources with known character offsets
	byteSources sources            // sources with byte offsets, whose text may not have arrived yet
	order       int                // number of the next source
	seen        map[sourceKey]bool // sources of lists that a stream may repeat
	parts       []int              // byte offsets at which Gemini's parts start, nil if unknown
	begin       []byte             // JSON of the Extra of the Begin event
}

// A sourceKey identifies a source in a list that a stream may send several times.
type sourceKey struct {
	url        string
	start, end int
}

// Event processes the next event of the response: it collects its text and its sources.
func (g *Gatherer) Event(ev callwright.Event) {
	if t, is := ev.(callwright.TextDelta); is { // most events are
		if g.goesOn = false; !g.refuses {
			g.words.add(t.Text)
		}
		return
	}
	g.beside(ev)
}

// beside updates the state for an event other than a text delta, and collects the sources of the event.
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
		ahead := IsEarlyCitation(ev.Extra)
		goesOn := ahead || IsInlineCitation(ev.Extra)
		if !goesOn || ahead && len(g.words.text) > g.from {
			g.endText()
		}
		g.goesOn = goesOn
		g.read(ev.Extra)
	case callwright.End:
		g.endText()
		if !bytes.Equal(ev.Extra.JSON, g.begin) { // the End of a whole response repeats the Extra of its Begin
			g.read(ev.Extra)
		}
	case callwright.CallDelta, callwright.CallEnd, callwright.UsageDelta:
	default:
		g.endText()
	}
}

// IsInlineCitation reports whether an opaque part is a citation in the middle of a text part, so that the text may
// continue after it.
func IsInlineCitation(x callwright.Extra) bool { return isDelta(x) && !hasAhead(x) }

// IsEarlyCitation reports whether an opaque part is a citation of a text part that has not started yet.
func IsEarlyCitation(x callwright.Extra) bool { return isDelta(x) && hasAhead(x) }

// isDelta reports whether an opaque part is a citations_delta of Anthropic's streams.
func isDelta(x callwright.Extra) bool {
	_, is := jsonx.Find(x.JSON, citationsDelta)
	return is && x.Wire == callwright.WireAnthropic
}

func hasAhead(x callwright.Extra) bool {
	v, _ := jsonx.Find(x.JSON, AheadKey)
	return jsonx.IsTrue(v)
}

// Names reports whether an opaque part of a response is a citation or has annotations.
func Names(x callwright.Extra) bool {
	_, delta := jsonx.Find(x.JSON, citationsDelta)
	_, notes := jsonx.Find(x.JSON, annotations)
	return delta || notes
}

// endText ends the current text part, and sets the offsets of the sources that cover it.
func (g *Gatherer) endText() {
	for _, s := range g.open {
		s.Start, s.End, s.unit = g.words.before(g.from), g.words.total(), inAll
		heap.Push(&g.ready, s)
	}
	g.open, g.from, g.refuses, g.goesOn = g.open[:0], len(g.words.text), false, false
}

// read adds the sources that the members of x name.
func (g *Gatherer) read(x callwright.Extra) {
	if !namesIn(x, g.Own) {
		return
	}
	var fresh []Source
	var named map[string]int // URL -> index in fresh, for sources without offsets
	Walk(x.JSON, func(k jsonx.Key, m []byte) bool {
		read, once := reader(k)
		if read == nil {
			return false
		}
		read(m, ofOpenAI(x.Wire, g.Own), func(s Source) {
			if s.unit == wholeText && x.Wire != callwright.WireAnthropic { // the list beside the choices of Chat Completions may have objects
				s.unit = inAll
			}
			switch i, is := named[s.URL]; {
			case !once || s.unit == wholeText:
			case is && s.unit == inAll: // it is in citations and in search_results, which has the title
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

// cameBefore reports whether an equal source was read before, from a list that a stream may repeat.
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

// add adds sources that were read from one response member. For sources whose offsets refer to one text part, length is
// the number of characters of that text part if it has ended; 0 means that the text part follows.
func (g *Gatherer) add(list []Source, length int) {
	for _, s := range list {
		s.order = g.order
		g.order++
		switch s.unit {
		case wholeText:
			g.open = append(g.open, s)
		case inBytes:
			heap.Push(&g.byteSources, s)
		case inText:
			by := g.words.total() - length
			s.Start, s.End, s.unit = max(s.Start+by, 0), max(s.End+by, 0), inAll
			heap.Push(&g.ready, s)
		case inAll:
			heap.Push(&g.ready, s)
		}
	}
}

// HasPendingSources reports whether there are sources that Take has not returned. It returns false for a nil Gatherer.
func (g *Gatherer) HasPendingSources() bool { return g != nil && len(g.ready)+len(g.byteSources) > 0 }

// HasWords reports whether the response has had text so far.
func (g *Gatherer) HasWords() bool { return len(g.words.text) > 0 }

// Length returns the number of characters of text that the response has had so far.
func (g *Gatherer) Length() int { return g.words.total() }

// Release puts the text buffer back into the pool. The Gatherer must not be used afterwards.
func (g *Gatherer) Release() { g.words.release() }

// Take removes and returns the sources whose text has arrived, in the order in which they arrived. If all is set, it
// returns all sources.
func (g *Gatherer) Take(all bool) []Source {
	if !g.HasPendingSources() {
		return nil
	}
	for len(g.byteSources) > 0 && (all || g.byteSources[0].End <= len(g.words.text)) {
		heap.Push(&g.ready, g.inCharacters(heap.Pop(&g.byteSources).(Source)))
	}
	var out []Source
	to := g.words.total()
	for len(g.ready) > 0 && (all || g.ready[0].belongs(to)) {
		out = append(out, heap.Pop(&g.ready).(Source))
	}
	slices.SortFunc(out, func(a, b Source) int { return cmp.Compare(a.order, b.order) })
	return out
}

// belongs reports whether s belongs to a text that ends at the character offset to: s starts before this offset, or it
// ends there or earlier.
func (s *Source) belongs(to int) bool { return s.Start < to || s.End <= to }

// inCharacters converts the byte offsets of s to character offsets. If the source came with a quotation, the text at
// the offsets must equal it. If the offsets are invalid or the text differs, both results are 0.
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

// sources is a heap: sources with character offsets are ordered by start, then end; sources with byte offsets by end.
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

// Push appends v to the heap, for package container/heap.
func (l *sources) Push(v any) { *l = append(*l, v.(Source)) }

// Pop removes the last element of the heap, for package container/heap.
func (l *sources) Pop() any {
	last := (*l)[len(*l)-1]
	*l = (*l)[:len(*l)-1]
	return last
}
