package trace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/callwright/callwright"
)

// Sizes of a [Folder].
const (
	folderFile  = 64 << 20 // the most bytes of a file from which on the next request begins another
	folderLeast = 64 << 10 // the least
	folderParts = 16       // so many files share the bytes that are kept
	folderMost  = 256      // files that are kept, however small
	folderQueue = 32 << 20 // bytes that wait to be written
	// folderQuiet is how long a file must not have been written to before it may be removed: another program may still
	// write to it.
	folderQuiet = time.Hour
)

// ErrFull says that an entry was left out, as too much waits to be written. A Writer continues with an entry of
// KindLost that counts the missing ones.
var ErrFull = errors.New("too much waits to be written")

// A Folder is a destination of a Writer that must not wait for a disk: files are written in the background, and entries
// that do not fit into its queue are left out. Each program writes to files of its own, with mode 0600 and named after
// the time at which they were begun; a new one is begun by the first request of a day (UTC), and by one behind 64 MiB,
// or a sixteenth of the byte limit where that is less. Of the files in the folder the newest are kept that LogLimits
// have room for, at most 256, and those of other programs that were written to within an hour.
//
// While a line cannot be written, as on a disk that is full, it waits, with those behind it, and is tried again each
// second.
//
// A Folder is a Log, too: beside each file stands its index, see FolderReader.
type Folder struct {
	*FolderReader

	mu      sync.Mutex
	more    sync.Cond // something waits, or the folder is closed
	settled sync.Cond // what waited is written
	waiting []piece
	queued  int    // bytes of waiting
	taken   uint64 // pieces
	written uint64 // pieces of those
	size    int    // bytes given to the file at hand
	day     string
	name    string        // of the file that is written to now
	err     error         // why what waits cannot be written for now
	failed  []func(error) // told of it once for each time
	closed  bool
	ending  chan struct{} // closed when closed is set
	done    chan struct{}

	// Of the goroutine that writes.
	index  *indexer
	own    []string // files that were written before
	serial int      // of the file that is written to: it grows, so that names are in the order of files that are begun at the same time
}

var _ Log = (*Folder)(nil)

// A piece is a line, or the beginning of a file.
type piece struct {
	line  []byte
	begin bool
}

// OpenFolder makes a folder, with mode 0700 where there is none, and begins a file in it. now tells the time; nil: the
// clock of the machine. The caller closes it.
func OpenFolder(dir string, now func() time.Time, l LogLimits) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	f := &Folder{FolderReader: NewFolderReader(dir, now, l), index: newIndexer(), ending: make(chan struct{}), done: make(chan struct{})}
	f.more.L, f.settled.L = &f.mu, &f.mu
	files, err := f.next(beginOfIndex())
	if err != nil {
		return nil, err
	}
	f.day = f.today()
	go f.write(files)
	return f, nil
}

// Name is the file that is written to now.
func (f *Folder) Name() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.name
}

// Write takes a line. It does not wait for the disk: it fails with ErrFull where too much waits.
func (f *Folder) Write(line []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
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
	f.taken++
	f.queued += len(p.line)
	f.more.Signal()
}

// turn begins another file where it is time to, and reports whether it did.
func (f *Folder) turn() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	today := f.today()
	if f.closed || f.size == 0 || f.size < f.fileSize() && f.day == today {
		return false
	}
	f.size, f.day = 0, today
	f.put(piece{begin: true})
	return true
}

func (f *Folder) today() string { return f.now().UTC().Format(time.DateOnly) }

// fileSize is how many bytes a file has before another is begun.
func (f *Folder) fileSize() int {
	return int(min(max(f.limits.Bytes/folderParts, folderLeast), folderFile))
}

// Append adds an entry, see Log.
func (f *Folder) Append(e Entry) error {
	if e.Kind == KindModel || e.Kind == KindRequest {
		f.turn()
	}
	text, err := e.Line()
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return err
}

// Entries returns the entries of a request, see LogReader.
func (f *Folder) Entries(ctx context.Context, id string) ([]Entry, error) {
	f.settle()
	return f.FolderReader.Entries(ctx, id)
}

// List returns the latest requests that a query asks for, see LogReader.
func (f *Folder) List(ctx context.Context, q Query) ([]Summary, error) {
	f.settle()
	return f.FolderReader.List(ctx, q)
}

// settle waits until all earlier entries are written, unless they cannot be for now.
func (f *Folder) settle() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for upto := f.taken; f.written < upto && f.err == nil; {
		f.settled.Wait()
	}
}

// writtenFiles are a file of a folder, its index and the keys of that, nil where these cannot be written: readers do
// without.
type writtenFiles struct{ lines, index, keys *os.File }

// close closes them.
func (w writtenFiles) close() error {
	for _, f := range []*os.File{w.index, w.keys} {
		if f != nil {
			_ = f.Close()
		}
	}
	return w.lines.Close()
}

// appendIndex adds to the index, and then its keys, which say of nothing that is not there.
func (w *writtenFiles) appendIndex(text indexText) {
	if w.index = writeOrClose(w.index, text.lines); w.index == nil && w.keys != nil {
		_ = w.keys.Close()
		w.keys = nil
	}
	w.keys = writeOrClose(w.keys, text.keys)
}

// writeOrClose adds to a file; where that fails it is closed, and nil is returned.
func writeOrClose(f *os.File, text []byte) *os.File {
	if f == nil || len(text) == 0 {
		return f
	}
	if _, err := f.Write(text); err != nil {
		_ = f.Close()
		return nil
	}
	return f
}

// write writes waiting entries until the folder is closed and nothing waits.
func (f *Folder) write(files writtenFiles) {
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
			f.fail(cmp.Or(f.Err(), files.close()))
			return
		}
		f.writeAll(&files, list)
	}
}

// writeAll writes pieces, and then their lines of the index.
func (f *Folder) writeAll(files *writtenFiles, list []piece) {
	var index indexText
	for _, p := range list {
		if p.begin {
			f.begin(files, &index)
		} else if f.writeLine(files, &index, p.line) {
			f.index.line(&index, p.line)
		}
		f.mu.Lock()
		f.queued -= len(p.line)
		f.mu.Unlock()
	}
	files.appendIndex(index)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.written += uint64(len(list))
	f.settled.Broadcast()
}

// begin ends the file at hand with its last lines of the index, and begins the next one, as soon as that is possible.
func (f *Folder) begin(files *writtenFiles, index *indexText) {
	files.appendIndex(*index)
	index.clear()
	name := f.Name()
	old, head := f.index.turn(filepath.Base(name))
	files.appendIndex(old)
	_ = files.close() // its lines are written
	f.own = append(f.own, name)
	for {
		next, err := f.next(head)
		if err == nil {
			*files = next
			f.fail(nil)
			return
		}
		if !f.pause(err) {
			return
		}
	}
}

// Close writes the waiting entries and closes the file.
func (f *Folder) Close() error {
	f.mu.Lock()
	if !f.closed {
		f.closed = true
		close(f.ending)
	}
	f.more.Signal()
	f.mu.Unlock()
	<-f.done
	return f.Err()
}

const (
	folderPrefix = "trace-"
	folderSuffix = ".jsonl"
)

// folderName are the names of the files: others in the folder are someone else's.
var folderName = regexp.MustCompile(`^` + folderPrefix + `\d{8}T\d{6}\.\d{3}-\d+-\d+\` + folderSuffix + `$`)

// next begins a file that no program has, with an index, and removes old ones.
func (f *Folder) next(index indexText) (writtenFiles, error) {
	at := f.now().UTC().Format("20060102T150405.000")
	for ; ; f.serial++ {
		name := filepath.Join(f.dir, fmt.Sprintf("%s%s-%d-%03d%s", folderPrefix, at, os.Getpid(), f.serial, folderSuffix))
		file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return writtenFiles{}, err
		}
		f.serial++
		files := writtenFiles{lines: file, index: beside(indexOf(name)), keys: beside(keysOf(name))}
		files.appendIndex(index)
		f.mu.Lock()
		f.name = name
		f.mu.Unlock()
		f.prune()
		return files, nil
	}
}

// beside makes an empty file, and returns nil where it cannot.
func beside(name string) *os.File {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil
	}
	return f
}

// indexOf is the name of the index of a file, and keysOf that of its keys.
func indexOf(name string) string { return strings.TrimSuffix(name, folderSuffix) + ".index" }
func keysOf(name string) string  { return strings.TrimSuffix(name, folderSuffix) + ".keys" }

// prune removes the oldest files beyond those that are kept. Files that cannot be removed stay.
func (f *Folder) prune() {
	files, err := folderFiles(f.dir)
	if err != nil {
		return
	}
	now, left, kept := f.now(), f.limits.Bytes-int64(f.fileSize()), 0
	for i := len(files) - 1; i >= 0; i-- {
		info, err := os.Stat(files[i])
		if err != nil || files[i] == f.Name() {
			continue
		}
		old := f.limits.IsExpired(info.ModTime(), now) || left < info.Size() || kept >= folderMost
		if old && (slices.Contains(f.own, files[i]) || now.Sub(info.ModTime()) > folderQuiet) {
			_ = os.Remove(files[i])
			_ = os.Remove(indexOf(files[i]))
			_ = os.Remove(keysOf(files[i]))
			continue
		}
		left -= info.Size()
		kept++
	}
	f.own = slices.DeleteFunc(f.own, func(name string) bool { return !slices.Contains(files, name) })
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

// ReadFolder opens the files that a Folder wrote as one trace. The last line of each is left out where a crash cut it.
// A folder without such files is an error of KindInvalid.
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
