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

// A File is a file of keys that may change while a gateway runs.
type File struct {
	Path string
	// Parse parses the text of the file.
	Parse func(text []byte) ([]Key, error)
}

// Intervals of the checks of a key file.
const (
	fileLook  = time.Second     // interval of the checks
	fileDoubt = 2 * time.Second // a file changed within this time may change again without a new modification time
)

// maxKeyFile is the maximum size of a key file in bytes.
const maxKeyFile = 1 << 20

// A fileWatch reloads a File when it has changed. It checks the file when a key is looked up, so that it needs no
// goroutine.
type fileWatch struct {
	File
	next atomic.Int64 // time of the next check, in Unix nanoseconds

	mu     sync.Mutex
	seen   fs.FileInfo
	text   []byte
	failed string // the last logged error of the file; "" for none
}

// read reads the file unconditionally. The caller holds mu, or no other goroutine uses f.
func (f *fileWatch) read(now time.Time) ([]Key, error) {
	f.next.Store(now.Add(fileLook).UnixNano())
	info, err := os.Stat(f.Path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: expected a file, got a folder, a pipe or a device", f.Path) // reading a pipe might block
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

// hasChanged reports whether the file may differ from the text that was read. It does not read the file.
func (f *fileWatch) hasChanged(now time.Time) bool {
	info, err := os.Stat(f.Path)
	if err != nil || f.seen == nil {
		return true
	}
	return info.Size() != f.seen.Size() || !info.ModTime().Equal(f.seen.ModTime()) || !os.SameFile(info, f.seen) ||
		now.Sub(info.ModTime()) < fileDoubt
}

// refresh reloads the key file if it has changed. If the file is invalid, it logs the error and keeps the previous
// keys.
func (g *Gate) refresh() {
	f := g.ring.Load().file
	if f == nil {
		return
	}
	now := g.now()
	left := f.next.Load() - now.UnixNano() // above fileLook if the clock was set back
	if left > 0 && left <= int64(fileLook) || !f.mu.TryLock() {
		return
	}
	defer f.mu.Unlock()
	f.next.Store(now.Add(fileLook).UnixNano())
	if !f.hasChanged(now) {
		return
	}
	_ = g.reload(f, now) // the error is logged
}

// FileProblem returns the path of the key file and the reason why it is invalid. why is "" for a valid file, and both
// are "" without a key file. The previous keys remain in use while it is invalid.
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

// Reload reloads the key file, if there is one. If the file is invalid, it returns the error and keeps the previous
// keys.
func (g *Gate) Reload() error {
	f := g.ring.Load().file
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return g.reload(f, g.now())
}

// reload is Reload for a caller that holds f.mu.
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
			g.log.Error("keys_file is invalid: the previous keys stay in use", "file", f.Path, "error", said)
		}
		return err
	}
	f.failed = ""
	g.log.Info("keys_file was read again", "file", f.Path, "keys", len(keys))
	return nil
}
