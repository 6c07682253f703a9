package trace

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/callwright/callwright"
)

// Sizes of a [Folder].
const (
	folderFile  = 64 << 20 // bytes of a file from which on the next request begins another
	folderKept  = 16       // files that are kept
	folderQueue = 32 << 20 // bytes that wait to be written
	// folderQuiet is how long a file must not have been written to before it may be removed: another program may still write to it.
	folderQuiet = time.Hour
)

// ErrFull says that an entry was left out, as too much waits to be written. A Writer goes on behind it, with an entry of KindLost that counts what is missing.
var ErrFull = errors.New("too much waits to be written")

// A Folder is where a Writer writes that must not wait for a disk: its files are written beside, and what does not fit into its queue is left out.
// Each program writes to files of its own, with mode 0600 and named after the time at which they were begun; a new one is begun by the first request of a day (UTC),
// and by one behind 64 MiB. Of the files in the folder the newest sixteen are kept, and those that were written to within an hour.
type Folder struct {
	dir string
	now func() time.Time

	mu      sync.Mutex
	more    sync.Cond // something waits, or the folder is closed
	waiting []piece
	queued  int // bytes of waiting
	size    int // bytes given to the file at hand
	day     string
	name    string // of the file that is written to now
	err     error
	closed  bool
	done    chan struct{}
}

// A piece is a line, or the beginning of a file.
type piece struct {
	line  []byte
	begin bool
}

// OpenFolder makes a folder, with mode 0700 where there is none, and begins a file in it. now tells the time; nil: the clock of the machine. The
// caller closes it.
func OpenFolder(dir string, now func() time.Time) (*Folder, error) {
	if now == nil {
		now = time.Now
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	f := &Folder{dir: dir, now: now, done: make(chan struct{})}
	f.more.L = &f.mu
	file, err := f.next()
	if err != nil {
		return nil, err
	}
	f.day = f.today()
	go f.write(file)
	return f, nil
}

// Name is the file that is written to now.
func (f *Folder) Name() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.name
}

// Write takes a line. It does not wait for the disk: it fails with ErrFull where too much waits, and with the error of an earlier line.
func (f *Folder) Write(line []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.err != nil:
		return 0, f.err
	case f.closed:
		return 0, fs.ErrClosed
	case f.queued > 0 && f.queued+len(line) > folderQueue:
		return 0, ErrFull
	}
	f.put(piece{line: slices.Clone(line)})
	f.size += len(line)
	return len(line), nil
}

// put has a piece wait, under the lock.
func (f *Folder) put(p piece) {
	f.waiting = append(f.waiting, p)
	f.queued += len(p.line)
	f.more.Signal()
}

// turn begins another file where it is time to, and reports whether it did.
func (f *Folder) turn() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	today := f.today()
	if f.closed || f.err != nil || f.size == 0 || f.size < folderFile && f.day == today {
		return false
	}
	f.size, f.day = 0, today
	f.put(piece{begin: true})
	return true
}

func (f *Folder) today() string { return f.now().UTC().Format(time.DateOnly) }

// write writes what waits until the folder is closed and nothing waits any more.
func (f *Folder) write(file *os.File) {
	defer close(f.done)
	for {
		f.mu.Lock()
		for len(f.waiting) == 0 && !f.closed {
			f.more.Wait()
		}
		list := f.waiting
		f.waiting = nil
		f.mu.Unlock()
		if len(list) == 0 {
			f.keep(file.Close())
			return
		}
		for _, p := range list {
			if p.begin {
				f.keep(file.Close())
				next, err := f.next()
				if err != nil {
					f.keep(err)
				} else {
					file = next
				}
			} else if f.sound() {
				_, err := file.Write(p.line)
				f.keep(err)
			}
			f.mu.Lock()
			f.queued -= len(p.line)
			f.mu.Unlock()
		}
	}
}

func (f *Folder) sound() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err == nil
}

// keep keeps the first error.
func (f *Folder) keep(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err = cmp.Or(f.err, err)
}

// Close writes what waits and closes the file.
func (f *Folder) Close() error {
	f.mu.Lock()
	f.closed = true
	f.more.Signal()
	f.mu.Unlock()
	<-f.done
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

const (
	folderPrefix = "trace-"
	folderSuffix = ".jsonl"
)

// folderName are the names of the files: others in the folder are someone else's.
var folderName = regexp.MustCompile(`^` + folderPrefix + `\d{8}T\d{6}\.\d{3}-\d+-\d+\` + folderSuffix + `$`)

// next begins a file that no program has, and removes old ones.
func (f *Folder) next() (*os.File, error) {
	at := f.now().UTC().Format("20060102T150405.000")
	for n := 0; ; n++ {
		name := filepath.Join(f.dir, fmt.Sprintf("%s%s-%d-%d%s", folderPrefix, at, os.Getpid(), n, folderSuffix))
		file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		f.mu.Lock()
		f.name = name
		f.mu.Unlock()
		f.prune()
		return file, nil
	}
}

// prune removes the oldest files beyond those that are kept. What cannot be removed stays.
func (f *Folder) prune() {
	files, err := folderFiles(f.dir)
	if err != nil {
		return
	}
	for _, name := range files[:max(0, len(files)-folderKept)] {
		if info, err := os.Stat(name); err == nil && f.now().Sub(info.ModTime()) > folderQuiet {
			_ = os.Remove(name)
		}
	}
}

// folderFiles are the files of a folder that a Folder wrote, in the order in which they were begun.
func folderFiles(dir string) ([]string, error) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range list {
		if name := e.Name(); e.Type().IsRegular() && folderName.MatchString(name) {
			out = append(out, filepath.Join(dir, name))
		}
	}
	return out, nil
}

// ReadFolder opens the files that a Folder wrote as one trace. The last line of each is left out where a crash cut it. A folder without
// such files is an error of KindInvalid.
func ReadFolder(dir string) (io.ReadCloser, error) {
	names, err := folderFiles(dir)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, callwright.Errorf(opFile, callwright.KindInvalid, "", "%s is a folder without a trace", dir)
	}
	return &folderReader{names: names}, nil
}

// A folderReader reads files one after the other.
type folderReader struct {
	names []string
	f     *os.File
	rest  io.Reader // of f; nil before the first and behind the last file
}

func (r *folderReader) Read(p []byte) (int, error) {
	for {
		if r.rest == nil {
			if len(r.names) == 0 {
				return 0, io.EOF
			}
			if err := r.open(r.names[0]); err != nil {
				return 0, err
			}
			r.names = r.names[1:]
		}
		n, err := r.rest.Read(p)
		if n > 0 || err != nil && !errors.Is(err, io.EOF) {
			return n, err
		}
		if err != nil {
			r.rest = nil
			if err := r.f.Close(); err != nil {
				return 0, err
			}
		}
	}
}

// open begins to read a file.
func (r *folderReader) open(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	var end int64
	info, err := f.Stat()
	if err == nil {
		end, err = wholeEnd(f, info.Size())
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	r.f, r.rest = f, io.LimitReader(f, end)
	return nil
}

func (r *folderReader) Close() error {
	if r.rest == nil {
		return nil
	}
	r.rest = nil
	return r.f.Close()
}
