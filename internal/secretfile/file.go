// Package secretfile reads secrets from files that may change, such as those mounted by Kubernetes and Docker.
//
// A file is checked for changes when its secret is requested, at most once a second. There is no background goroutine.
// Kubernetes updates a mounted secret by replacing a symbolic link, so that the path then refers to a file with another
// inode (https://kubernetes.io/docs/concepts/configuration/secret/#mounted-secrets-are-updated-automatically).
package secretfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright/internal/boundedfile"
)

// MaxSize is the maximum size of a file in bytes.
const MaxSize = 64 << 10

const (
	lookEvery = time.Second     // minimum time between two checks of a file
	doubt     = 2 * time.Second // a file modified more recently is read again: its time stamp may be too coarse
)

// A File is a secret in a file. It is safe for concurrent use.
type File struct {
	path string
	now  func() time.Time
	next atomic.Int64 // time of the next check, in Unix nanoseconds
	last atomic.Pointer[reading]

	mu   sync.Mutex
	seen fs.FileInfo // the file that was read last, nil after an error
}

// A reading is the result of the last check of a file.
type reading struct {
	text, before string // the secret and the previous secret
	err          error  // error of the last check
}

// New returns a File. now returns the current time; nil means time.Now. The file is not read before the secret is
// requested.
func New(path string, now func() time.Time) *File {
	if now == nil {
		now = time.Now
	}
	f := &File{path: path, now: now}
	f.last.Store(&reading{})
	return f
}

// Path returns the path of the file.
func (f *File) Path() string { return f.path }

// Get returns the secret without a final line break. If the file has become unreadable, Get returns the last secret. It
// returns an error only if the file has never been readable.
func (f *File) Get() (string, error) {
	r := f.look()
	if r.text == "" {
		return "", r.err
	}
	return r.text, nil
}

// Text returns the secret, or "" if there is none.
func (f *File) Text() string { return f.look().text }

// Err returns the error of the last check of the file, or nil.
func (f *File) Err() error { return f.look().err }

// Texts returns the secret and the previous secret, if they exist. Requests with the previous secret may still be in
// progress.
func (f *File) Texts() []string {
	var out []string
	for r, i := f.last.Load(), 0; i < 2; i++ {
		if text := [...]string{r.text, r.before}[i]; text != "" {
			out = append(out, text)
		}
	}
	return out
}

// look returns the state of the file and checks the file if necessary. Only one goroutine checks it; the others get the
// previous state.
func (f *File) look() *reading {
	now := f.now()
	last := f.last.Load()
	first := last.text == "" && last.err == nil
	switch {
	case !f.isDue(now):
		return last
	case first:
		f.mu.Lock() // there is no earlier secret to return
	case !f.mu.TryLock():
		return last
	}
	defer f.mu.Unlock()
	if !f.isDue(now) {
		return f.last.Load()
	}
	next := f.read(now, f.last.Load())
	f.last.Store(next)
	f.next.Store(now.Add(lookEvery).UnixNano())
	return next
}

// isDue reports whether the file must be checked. It must if the clock was set back since the last check.
func (f *File) isDue(now time.Time) bool {
	left := f.next.Load() - now.UnixNano()
	return left <= 0 || left > int64(lookEvery)
}

// read checks the file and reads it if it may have changed.
func (f *File) read(now time.Time, last *reading) *reading {
	info, err := os.Stat(f.path)
	switch {
	case err != nil:
		f.seen = nil
		return &reading{text: last.text, before: last.before, err: plain(err)}
	case f.seen != nil && info.Size() == f.seen.Size() && info.ModTime().Equal(f.seen.ModTime()) && os.SameFile(info, f.seen) &&
		now.Sub(info.ModTime()) >= doubt:
		return last
	}
	text, err := load(f.path, info)
	if err != nil {
		f.seen = nil
		return &reading{text: last.text, before: last.before, err: err}
	}
	f.seen = info
	if text == last.text {
		return &reading{text: text, before: last.before}
	}
	return &reading{text: text, before: last.text}
}

// load reads the secret from the file.
func load(path string, info fs.FileInfo) (string, error) {
	if !info.Mode().IsRegular() {
		return "", errors.New("expected a file, got a folder, a pipe or a device") // reading a pipe could block
	}
	raw, err := boundedfile.Read(path, MaxSize)
	switch {
	case info.Size() > MaxSize:
		return "", fmt.Errorf("expected a file of at most %d bytes", MaxSize)
	case err != nil:
		return "", plain(err)
	}
	text := strings.TrimSuffix(strings.TrimSuffix(string(raw), "\n"), "\r")
	switch {
	case text == "":
		return "", errors.New("the file is empty: write the secret into it")
	case strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }):
		return "", errors.New("expected a secret on one line, without control characters")
	}
	return text, nil
}

// plain returns the cause of a file system error, without the operation and the path.
func plain(err error) error {
	if of, ok := errors.AsType[*fs.PathError](err); ok {
		return of.Err
	}
	return err
}
