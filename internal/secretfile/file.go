// Package secretfile reads secrets from files that change, such as those that Kubernetes and Docker mount.
//
// A file is looked at when its secret is asked for, at most once a second, so that nothing runs beside. Kubernetes
// changes a mounted secret by exchanging a symbolic link: the file under the same name is another one then, by its
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

// MaxSize bounds the bytes of a file.
const MaxSize = 64 << 10

const (
	lookEvery = time.Second     // how often a file is looked at
	doubt     = 2 * time.Second // a file that was changed so lately may change again without a new time
)

// A File is a secret in a file. It is safe for concurrent use.
type File struct {
	path string
	now  func() time.Time
	next atomic.Int64 // when the file is looked at again, in nanoseconds since 1970
	last atomic.Pointer[reading]

	mu   sync.Mutex
	seen fs.FileInfo // of the text that was read last, nil where the last look failed
}

// A reading holds the known state of a file.
type reading struct {
	text, before string // the secret, and the one that it replaced
	err          error  // why the last look failed
}

// New makes a File. now is the source of time, nil for time.Now. Nothing is read before the secret is asked for.
func New(path string, now func() time.Time) *File {
	if now == nil {
		now = time.Now
	}
	f := &File{path: path, now: now}
	f.last.Store(&reading{})
	return f
}

// Path returns the name of the file.
func (f *File) Path() string { return f.path }

// Get returns the secret, without the line break at its end. Where the file cannot be read any more it is the last one
// that was; the error is for a file that could not be read yet.
func (f *File) Get() (string, error) {
	r := f.look()
	if r.text == "" {
		return "", r.err
	}
	return r.text, nil
}

// Text returns the secret, empty where there is none.
func (f *File) Text() string { return f.look().text }

// Err returns why the file could not be read when it was looked at last, nil where it could be.
func (f *File) Err() error { return f.look().err }

// Texts returns the secret and the one that it replaced, as far as there are any: requests with the old one may be
// under way.
func (f *File) Texts() []string {
	var out []string
	for r, i := f.last.Load(), 0; i < 2; i++ {
		if text := [...]string{r.text, r.before}[i]; text != "" {
			out = append(out, text)
		}
	}
	return out
}

// look returns the state of the file, after a look at it where that is due. One caller looks; the others get the last
// state.
func (f *File) look() *reading {
	now := f.now()
	last := f.last.Load()
	first := last.text == "" && last.err == nil
	switch {
	case now.UnixNano() < f.next.Load():
		return last
	case first:
		f.mu.Lock() // there is no secret to continue with
	case !f.mu.TryLock():
		return last
	}
	defer f.mu.Unlock()
	if now.UnixNano() < f.next.Load() {
		return f.last.Load()
	}
	next := f.read(now, f.last.Load())
	f.last.Store(next)
	f.next.Store(now.Add(lookEvery).UnixNano())
	return next
}

// read looks at the file, and reads it where it may have changed.
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

// load reads a secret.
func load(path string, info fs.FileInfo) (string, error) {
	if !info.Mode().IsRegular() {
		return "", errors.New("expected a file, got a folder, a pipe or a device") // which might have a reader wait
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

// plain returns the cause of an error of the file system, without the operation and the name of the file.
func plain(err error) error {
	if of, ok := errors.AsType[*fs.PathError](err); ok {
		return of.Err
	}
	return err
}
