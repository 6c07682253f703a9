// Package turnmemo keeps the histories of the last requests with the results of reading them. A request that repeats a
// history and adds a turn is read from the first difference on.
package turnmemo

import (
	"bytes"
	"container/list"
	"hash/maphash"
	"slices"
	"sync"
)

// DefaultLimit is the bound of a Memo in bytes where none is given.
const DefaultLimit = 16 << 20

// Bounds of a Memo.
const (
	headSize    = 256      // bytes at the beginning of a history that entries are found by
	mostSimilar = 32       // entries with one key
	leastShown  = 64 << 10 // bytes of a history that is kept when its head comes for the second time
	headsSeen   = 512
	share       = 4 // one entry takes at most this part of the limit
)

// A Memo holds entries up to a bound in bytes and drops the least recently used one first. Safe for concurrent use.
// Make one with New.
type Memo struct {
	limit int
	seed  maphash.Seed

	mu     sync.Mutex
	byKey  map[key][]*Entry // the latest first
	latest *list.List       // of *Entry, the latest used in front
	size   int
	seen   [headsSeen]uint64 // heads of long histories, by their hash
}

// New returns a Memo of at most limit bytes, DefaultLimit for 0. It returns nil, which keeps nothing, for a negative
// limit.
func New(limit int) *Memo {
	switch {
	case limit < 0:
		return nil
	case limit == 0:
		limit = DefaultLimit
	}
	return &Memo{limit: limit, seed: maphash.MakeSeed(), byKey: map[key][]*Entry{}, latest: list.New()}
}

// Size returns the bytes that the entries take. A nil Memo has none.
func (m *Memo) Size() int {
	if m == nil {
		return 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.size
}

// Of returns the view of one owner, who finds no other owner's histories. That of a nil Memo keeps nothing.
func (m *Memo) Of(owner string) Owner { return Owner{m, owner} }

// An Owner is the view of one owner on a Memo. The zero Owner keeps nothing.
type Owner struct {
	memo *Memo
	name string
}

// An Entry is a history that was read. It does not change.
type Entry struct {
	// State is the result of reading it.
	State any

	key   key
	text  [][]byte
	size  int // of the text
	bytes int // of everything
	place *list.Element
}

// A key tells the histories apart that cannot continue one another.
type key struct {
	head        uint64
	owner, kind string
}

// Keeps reports whether anything is kept.
func (o Owner) Keeps() bool { return o.memo != nil }

func (o Owner) key(kind string, text []byte) key {
	return key{maphash.Bytes(o.memo.seed, text[:min(len(text), headSize)]), o.name, kind}
}

// Find returns the entry that has the most bytes in common with the beginning of text, and how many. It returns nil
// where no entry begins alike. kind tells readers apart.
func (o Owner) Find(kind string, text []byte) (found *Entry, common int) {
	if o.memo == nil || len(text) < headSize {
		return nil, 0
	}
	var room [mostSimilar]*Entry
	similar, best := o.memo.similar(o.key(kind, text), room[:0]), -1
	for _, e := range similar {
		if n := e.score(text); n > best {
			found, best = e, n
		}
	}
	if found == nil {
		return nil, 0
	}
	o.memo.touch(found)
	return found, found.Common(text)
}

// similar appends the entries with a key to list.
func (m *Memo) similar(k key, list []*Entry) []*Entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append(list, m.byKey[k]...)
}

func (m *Memo) touch(e *Entry) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e.place != nil {
		m.latest.MoveToFront(e.place)
	}
}

// samples is how many places of an entry are compared to guess how much of it is in a text.
const samples = 8

// score guesses how many bytes an entry has in common with text, from samples.
func (e *Entry) score(text []byte) (n int) {
	const width = 32
	for i := 1; i <= samples; i++ {
		at := (e.size - width) * i / samples
		if at+width > len(text) || !e.equal(at, text[at:at+width]) {
			return n
		}
		n = at + width
	}
	return n
}

// equal reports whether the entry has these bytes at a place.
func (e *Entry) equal(at int, want []byte) bool {
	for _, piece := range e.text {
		if at >= len(piece) {
			at -= len(piece)
			continue
		}
		n := min(len(piece)-at, len(want))
		if string(piece[at:at+n]) != string(want[:n]) {
			return false
		}
		if want, at = want[n:], 0; len(want) == 0 {
			return true
		}
	}
	return len(want) == 0
}

// Common returns how many bytes at the beginning the entry has in common with text.
func (e *Entry) Common(text []byte) (n int) {
	for _, piece := range e.text {
		rest := text[n:min(len(text), n+len(piece))]
		if string(rest) != string(piece) {
			return n + commonPrefix(rest, piece)
		}
		n += len(piece)
	}
	return n
}

// commonPrefix returns how many bytes two texts begin with alike.
func commonPrefix(a, b []byte) (n int) {
	most := min(len(a), len(b))
	for block := 4 << 10; block > 0; block /= 16 {
		for n+block <= most && string(a[n:n+block]) == string(b[n:n+block]) {
			n += block
		}
	}
	return n
}

// Keep keeps a history with the state of reading it. cost is the size of the state in bytes. parent is the entry that
// the reading continued after common bytes, nil for none; its text is shared, and it is dropped where most of it is in
// the new one. text is copied. A long history without a parent is kept when one with its head comes for the second
// time, since most of these never come again.
func (o Owner) Keep(kind string, text []byte, parent *Entry, common int, state any, cost int) {
	if o.memo == nil || len(text) < headSize || len(text)+cost > o.memo.limit/share {
		return
	}
	k := o.key(kind, text)
	if parent == nil && len(text) >= leastShown && !o.memo.sawHead(k.head) {
		return
	}
	e := &Entry{State: state, key: k, size: len(text), bytes: len(text) + cost}
	if parent != nil {
		e.text = parent.cut(common)
	} else {
		common = 0
	}
	e.text = grow(e.text, text[common:])
	o.memo.add(e, parent, common)
}

// sawHead reports whether the head of a long history came before.
func (m *Memo) sawHead(head uint64) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	slot := &m.seen[head%headsSeen]
	was := *slot == head
	*slot = head
	return was
}

// cut returns the first n bytes of the text, in pieces of its memory. A piece of which less than half is left is
// copied, so that a short text does not hold the memory of a long one.
func (e *Entry) cut(n int) [][]byte {
	pieces := make([][]byte, 0, len(e.text)+1)
	for _, piece := range e.text {
		switch {
		case n > len(piece):
		case 2*n < cap(piece):
			return append(pieces, bytes.Clone(piece[:n]))
		default:
			return append(pieces, piece[:n])
		}
		pieces, n = append(pieces, piece), n-len(piece)
	}
	return pieces
}

// grow appends a copy of more to the pieces. Pieces at the end that are no longer than the text behind them are joined
// with it, so that a text that grows n times has O(log n) pieces and each byte is copied as often.
func grow(pieces [][]byte, more []byte) [][]byte {
	from, size := len(pieces), len(more)
	for from > 0 && len(pieces[from-1]) <= size {
		from--
		size += len(pieces[from])
	}
	joined := make([]byte, 0, size)
	for _, piece := range pieces[from:] {
		joined = append(joined, piece...)
	}
	return append(pieces[:from:from], append(joined, more...))
}

// add adds an entry. A parent that has little else is dropped.
func (m *Memo) add(e, parent *Entry, common int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if parent != nil && parent.place != nil && parent.size-common <= parent.size/2 {
		m.drop(parent)
	}
	for similar := m.byKey[e.key]; len(similar) >= mostSimilar; similar = m.byKey[e.key] {
		m.drop(similar[len(similar)-1])
	}
	m.byKey[e.key] = slices.Insert(m.byKey[e.key], 0, e)
	e.place = m.latest.PushFront(e)
	for m.size += e.bytes; m.size > m.limit; {
		m.drop(m.latest.Back().Value.(*Entry))
	}
}

// drop removes an entry.
func (m *Memo) drop(e *Entry) {
	m.latest.Remove(e.place)
	e.place, m.size = nil, m.size-e.bytes
	similar := m.byKey[e.key]
	if i := slices.Index(similar, e); i >= 0 {
		similar = slices.Delete(similar, i, i+1) // it clears the place behind the last one, which would hold the entry
	}
	if len(similar) == 0 {
		delete(m.byKey, e.key)
		return
	}
	m.byKey[e.key] = similar
}
