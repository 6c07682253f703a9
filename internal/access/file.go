package access

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright/internal/boundedfile"
)

// A File has keys that change while a gateway runs.
type File struct {
	Path string
	// Parse reads the keys in the file's text.
	Parse func(text []byte) ([]Key, error)
}

// Times of a file of keys.
const (
	fileLook  = time.Second     // how often it is looked at
	fileDoubt = 2 * time.Second // a file that was changed so lately may change again without a new time
)

// maxKeyFile bounds a file of keys.
const maxKeyFile = 1 << 20

// A fileWatch reads a File again when it has changed. It is looked at when keys are asked for, so that nothing runs
// beside.
type fileWatch struct {
	File
	next atomic.Int64 // when it is looked at again, in nanoseconds since 1970

	mu     sync.Mutex
	seen   fs.FileInfo
	text   []byte
	failed string // what was said last about a file that is wrong
}

// read reads the file, whatever it was before. The caller holds mu, or is alone.
func (f *fileWatch) read(now time.Time) ([]Key, error) {
	f.next.Store(now.Add(fileLook).UnixNano())
	info, err := os.Stat(f.Path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: expected a file, got a folder, a pipe or a device", f.Path) // which might have a reader wait
	}
	text, err := boundedfile.Read(f.Path, maxKeyFile)
	if err != nil {
		return nil, err
	}
	f.seen, f.text = info, text
	keys, err := f.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	return keys, nil
}

// hasChanged reports whether the file may differ from the text that was read, without reading it.
func (f *fileWatch) hasChanged(now time.Time) bool {
	info, err := os.Stat(f.Path)
	if err != nil || f.seen == nil {
		return true
	}
	return info.Size() != f.seen.Size() || !info.ModTime().Equal(f.seen.ModTime()) || !os.SameFile(info, f.seen) ||
		now.Sub(info.ModTime()) < fileDoubt
}

// refresh reads the file of keys again where it has changed. A file that is wrong is logged, and the keys that there
// were stay.
func (g *Gate) refresh() {
	f := g.ring.Load().file
	if f == nil {
		return
	}
	now := g.now()
	if now.UnixNano() < f.next.Load() || !f.mu.TryLock() {
		return
	}
	defer f.mu.Unlock()
	f.next.Store(now.Add(fileLook).UnixNano())
	if !f.hasChanged(now) {
		return
	}
	_ = g.reload(f, now) // it is logged
}

// FileProblem returns the file of keys and why it cannot be used now, "" where it can. The keys that there were stay
// until then.
func (g *Gate) FileProblem() (file, why string) {
	g.refresh()
	f := g.ring.Load().file
	if f == nil {
		return "", ""
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.Path, f.failed
}

// Reload reads the file of keys again, where there is one. Where it is wrong the keys that there were stay.
func (g *Gate) Reload() error {
	f := g.ring.Load().file
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return g.reload(f, g.now())
}

// reload is Reload for who holds the file's lock.
func (g *Gate) reload(f *fileWatch, now time.Time) error {
	before := f.text
	keys, err := f.read(now)
	if err == nil && f.failed == "" && bytes.Equal(before, f.text) {
		return nil
	}
	if err == nil {
		err = g.set(f, keys)
	}
	if err != nil {
		if said := err.Error(); said != f.failed {
			f.failed = said
			g.log.Error("the file of keys is wrong: the keys that were read before stay", "file", f.Path, "error", said)
		}
		return err
	}
	f.failed = ""
	g.log.Info("the file of keys was read again", "file", f.Path, "keys", len(keys))
	return nil
}
