package keyring

import (
	"context"
	"sync"

	"github.com/callwright/callwright"
)

// An Entry is an entry of a Log: a change of one subject, such as a key.
type Entry struct {
	Number uint64 // number in the log, at least 1 and increasing
	Data   []byte // must not be modified
}

// A Log stores changes in their order, for several processes. Its methods are safe for concurrent use. It keeps at
// least the last 64 entries of each subject. Errors are [*callwright.Error].
type Log interface {
	// Append adds an entry to a subject, an arbitrary string, and returns the number of the entry. last is the expected
	// number of the subject's last entry, 0 for none. If the subject has another last entry, Append adds nothing and
	// returns an error of KindConflict. After an error of KindUnavailable the entry may have been added.
	Append(ctx context.Context, subject string, last uint64, data []byte) (number uint64, err error)
	// Follow calls heard with all entries in order, from one goroutine at a time: the existing entries and all later ones,
	// including those of Append. It calls read once after the existing entries. Follow must be called once, and returns
	// soon.
	Follow(heard func(Entry), read func())
	// Read calls heard with the existing entries in order. Very recent entries may be missing.
	Read(ctx context.Context, heard func(Entry)) error
}

// keptEntries is the number of entries of a subject that a MemoryLog keeps.
const keptEntries = 64

// A MemoryLog is a Log in memory, for one process. The zero MemoryLog is empty.
type MemoryLog struct {
	mu      sync.Mutex
	number  uint64
	last    map[string]uint64
	count   map[string]int
	entries []memoryEntry
	heard   []func(Entry)
}

type memoryEntry struct {
	Entry
	subject string
}

var _ Log = (*MemoryLog)(nil)

// Append implements [Log].
func (l *MemoryLog) Append(ctx context.Context, subject string, last uint64, data []byte) (uint64, error) {
	if err := ctx.Err(); err != nil {
		return 0, &callwright.Error{Op: "keyring.append", Kind: callwright.KindCanceled, Err: err}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last == nil {
		l.last, l.count = map[string]uint64{}, map[string]int{}
	}
	if l.last[subject] != last {
		return 0, ErrMoved
	}
	l.number++
	e := Entry{l.number, data}
	l.last[subject] = e.Number
	l.entries = append(l.entries, memoryEntry{e, subject})
	if l.count[subject]++; l.count[subject] > keptEntries {
		l.dropFirst(subject)
	}
	for _, heard := range l.heard {
		heard(e)
	}
	return e.Number, nil
}

// dropFirst removes the first entry of a subject. The caller holds mu.
func (l *MemoryLog) dropFirst(subject string) {
	for i := range l.entries {
		if l.entries[i].subject == subject {
			l.entries = append(l.entries[:i:i], l.entries[i+1:]...)
			l.count[subject]--
			return
		}
	}
}

// Follow implements [Log].
func (l *MemoryLog) Follow(heard func(Entry), read func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.entries {
		heard(e.Entry)
	}
	l.heard = append(l.heard, heard)
	read()
}

// Read implements [Log].
func (l *MemoryLog) Read(_ context.Context, heard func(Entry)) error {
	l.mu.Lock()
	entries := l.entries[:len(l.entries):len(l.entries)]
	l.mu.Unlock()
	for _, e := range entries {
		heard(e.Entry)
	}
	return nil
}

// ErrMoved is the error of an Append whose subject has another last entry than expected.
var ErrMoved = &callwright.Error{Op: "keyring.append", Kind: callwright.KindConflict,
	Message: "it was changed at the same time by another request: read it, and change it again"}
