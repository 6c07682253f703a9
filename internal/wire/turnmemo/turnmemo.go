// Package turnmemo caches the conversation histories of recent requests together with the result of decoding them. A
// request that repeats a history and adds a turn is then decoded only from the first difference on.
package turnmemo

import (
	"bytes"
	"container/list"
	"hash/maphash"
	"slices"
	"sync"
)

// DefaultLimit is the size limit of a Memo, a cache of histories, in bytes if none is given.
const DefaultLimit = 16 << 20

// Limits of a Memo, a cache of histories.
const (
	headSize    = 256      // bytes at the start of a history (its head), whose hash is part of the key
	mostSimilar = 32       // entries with the same key
	leastShown  = 64 << 10 // bytes from which on a history is cached only when its head occurs a second time
	headsSeen   = 512      // hashes of heads that are remembered
	share       = 4        // an entry uses at most 1/share of the limit
)

// A Memo is a cache of histories, limited by its size in bytes. It drops the least recently used entry first. Safe for
// concurrent use. Create one with New.
type Memo struct {
	limit int
	seed  maphash.Seed

	mu     sync.Mutex
	byKey  map[key][]*Entry  // most recently added first
	latest *list.List        // of *Entry, most recently used first
	size   int               // bytes of all entries
	seen   [headsSeen]uint64 // hashes of the heads of long histories; the index is the hash modulo headsSeen
}

// New returns a Memo of at most limit bytes, or DefaultLimit if limit is 0. For a negative limit it returns nil, a
// valid Memo that caches nothing.
func New(limit int) *Memo {
	switch {
	case limit < 0:
		return nil
	case limit == 0:
		limit = DefaultLimit
	}
	return &Memo{limit: limit, seed: maphash.MakeSeed(), byKey: map[key][]*Entry{}, latest: list.New()}
}

// Size returns the size of all cached histories in bytes. It is 0 for a nil Memo.
func (m *Memo) Size() int {
	if m == nil {
		return 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.size
}

// Of returns the part of the cache for one owner, such as a client. Owners do not find each other's histories.
func (m *Memo) Of(owner string) Owner { return Owner{m, owner} }

// An Owner gives access to the cached histories of one owner, such as a client, in a Memo. The zero Owner caches
// nothing.
type Owner struct {
	memo *Memo
	name string
}

// An Entry is a cached conversation history with the result of decoding it. It is immutable.
type Entry struct {
	// State is the result of decoding the history.
	State any

	key   key
	text  [][]byte      // the history, in pieces that entries may share
	size  int           // bytes of text
	bytes int           // bytes of text and State
	place *list.Element // in Memo.latest, nil once dropped
}

// A key groups entries that may start with the same messages. head is the hash of their first 256 bytes.
type key struct {
	head        uint64
	owner, kind string
}

// Keeps reports whether o caches anything. It is false for the zero Owner.
func (o Owner) Keeps() bool { return o.memo != nil }

func (o Owner) key(kind string, text []byte) key {
	return key{maphash.Bytes(o.memo.seed, text[:min(len(text), headSize)]), o.name, kind}
}

// Find returns the entry that probably has the most bytes in common with the start of text, and the number of these
// bytes. found is nil if no entry starts like text. kind separates the entries of different decoders.
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

// similar appends the cached entries with the key k to list.
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

// samples is the number of offsets at which an entry is compared with a text to estimate how much they have in common.
const samples = 8

// score estimates the number of bytes that e and text have in common at their start, by comparing samples.
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

// equal reports whether the cached history has the bytes want at offset at.
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

// Common returns the number of bytes that the history and text have in common at their start.
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

// commonPrefix returns the length of the common prefix of a and b.
func commonPrefix(a, b []byte) (n int) {
	most := min(len(a), len(b))
	for block := 4 << 10; block > 0; block /= 16 {
		for n+block <= most && string(a[n:n+block]) == string(b[n:n+block]) {
			n += block
		}
	}
	return n
}

// Keep caches a history with the result of decoding it. text is copied. cost is the size of state in bytes. It caches
// nothing shorter than 256 bytes or larger than a quarter of the limit. parent is the entry after whose first common
// bytes decoding continued, nil for none. The new entry shares these bytes; the parent is dropped if they are most of
// it. A history of 64 KiB or more without a parent is cached only when its first 256 bytes occur a second time.
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

// sawHead records the hash of the first bytes (the head) of a long history, and reports whether it was recorded before.
func (m *Memo) sawHead(head uint64) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	slot := &m.seen[head%headsSeen]
	was := *slot == head
	*slot = head
	return was
}

// cut returns the first n bytes of the history as pieces that share its memory. A piece of which less than half is used
// is copied, so that a short history does not keep the memory of a long one alive.
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

// grow appends a copy of more to pieces. It joins the last pieces with more if they are not longer than the text after
// them. So a text that grows n times has O(log n) pieces, and each byte is copied O(log n) times.
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

// add adds e to the cache. It drops parent if at least half of it is in e, and other entries to stay within the limits.
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

// drop removes e from the cache.
func (m *Memo) drop(e *Entry) {
	m.latest.Remove(e.place)
	e.place, m.size = nil, m.size-e.bytes
	similar := m.byKey[e.key]
	if i := slices.Index(similar, e); i >= 0 {
		similar = slices.Delete(similar, i, i+1) // Delete clears the unused last element, so that it does not keep e alive
	}
	if len(similar) == 0 {
		delete(m.byKey, e.key)
		return
	}
	m.byKey[e.key] = similar
}
