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
	folderFile  = 64 << 20 // maximum size in bytes at which the next request begins a new file
	folderLeast = 64 << 10 // minimum of that size
	folderParts = 16       // number of files that share the byte limit
	folderMost  = 256      // maximum number of files
	folderQueue = 32 << 20 // maximum number of bytes in the queue
	// folderQuiet is how long a file must be unchanged before it may be removed, because another program may still write
	// to it.
	folderQuiet = time.Hour
)

// ErrFull is returned for an entry that was dropped because the write queue is full. A Writer then adds an entry of
// KindLost with the number of dropped entries.
var ErrFull = errors.New("the queue of entries to write is full")

// A Folder is a [Log] in a directory. It can also be the destination of a Writer. A goroutine writes the files, so that
// Write never waits for the disk. Entries that do not fit into its queue are dropped. Each program writes its own
// files, with mode 0600 and named after their start time. The first request of a day (UTC) begins a new file, and so
// does the first request after 64 MiB or a sixteenth of the byte limit, whichever is less. The newest files within
// LogLimits are kept, at most 256. Files of other programs that were changed in the last hour are kept too.
//
// If a line cannot be written, for example because the disk is full, it stays in the queue and is retried every second.
//
// Each file has an index next to it; see FolderReader.
type Folder struct {
	*FolderReader

	mu      sync.Mutex
	more    sync.Cond // the queue has an element, or the folder is closed
	settled sync.Cond // the queued entries were written
	waiting []piece
	queued  int    // bytes in waiting
	taken   uint64 // number of pieces queued so far
	written uint64 // number of pieces written so far
	size    int    // bytes queued for the current file
	day     string
	name    string        // path of the current file
	err     error         // why writing fails at present
	failed  []func(error) // called when writing begins to fail
	closed  bool
	ending  chan struct{} // closed when closed is set
	done    chan struct{}

	// Used only by the writing goroutine.
	index  *indexer
	own    []string // paths of earlier files of this Folder
	serial int      // increases for each file, so that files begun at the same time sort in order
}

var _ Log = (*Folder)(nil)

// A piece is a queued line, or the request to begin a new file.
type piece struct {
	line  []byte
	begin bool
}

// OpenFolder opens a directory as a Folder, creates it with mode 0700 if necessary, and begins a file in it. now
// returns the current time; nil means time.Now. The caller must call Close.
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

// Name returns the path of the current file.
func (f *Folder) Name() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.name
}

// Write queues a line without waiting for the disk. It returns ErrFull if the queue is full.
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

// put queues a piece. The caller holds f.mu.
func (f *Folder) put(p piece) {
	f.waiting = append(f.waiting, p)
	f.taken++
	f.queued += len(p.line)
	f.more.Signal()
}

// turn begins a new file if the current one is large enough or from an earlier day. It reports whether it did.
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

// fileSize returns the size in bytes at which a new file is begun.
func (f *Folder) fileSize() int {
	return int(min(max(f.limits.Bytes/folderParts, folderLeast), folderFile))
}

// Append implements Log.
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

// Entries implements LogReader.
func (f *Folder) Entries(ctx context.Context, id string) ([]Entry, error) {
	f.settle()
	return f.FolderReader.Entries(ctx, id)
}

// List implements LogReader.
func (f *Folder) List(ctx context.Context, q Query) ([]Summary, error) {
	f.settle()
	return f.FolderReader.List(ctx, q)
}

// settle waits until all queued entries are written or writing fails.
func (f *Folder) settle() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for upto := f.taken; f.written < upto && f.err == nil; {
		f.settled.Wait()
	}
}

// writtenFiles are a file of a folder, its index, and the keys of the index. index and keys are nil if they cannot be
// written; readers then rebuild the missing lines.
type writtenFiles struct{ lines, index, keys *os.File }

// close closes the files.
func (w writtenFiles) close() error {
	for _, f := range []*os.File{w.index, w.keys} {
		if f != nil {
			_ = f.Close()
		}
	}
	return w.lines.Close()
}

// appendIndex appends to the index and then to its keys, so that no key refers to a missing line.
func (w *writtenFiles) appendIndex(text indexText) {
	if w.index = writeOrClose(w.index, text.lines); w.index == nil && w.keys != nil {
		_ = w.keys.Close()
		w.keys = nil
	}
	w.keys = writeOrClose(w.keys, text.keys)
}

// writeOrClose appends text to f and returns f. If that fails, it closes f and returns nil.
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

// write writes queued pieces until the folder is closed and the queue is empty.
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

// writeAll writes pieces and then their index lines.
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

// begin completes the index of the current file and begins a new file, with retries until the folder is closed.
func (f *Folder) begin(files *writtenFiles, index *indexText) {
	files.appendIndex(*index)
	index.clear()
	name := f.Name()
	old, head := f.index.turn(filepath.Base(name))
	files.appendIndex(old)
	_ = files.close() // all its lines were written
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

// Close writes the queued entries and closes the current file. It returns an error if some could not be written.
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

// folderName matches the names of trace files. Other files in the directory are ignored.
var folderName = regexp.MustCompile(`^` + folderPrefix + `\d{8}T\d{6}\.\d{3}-\d+-\d+\` + folderSuffix + `$`)

// next creates a file with a unique name and its index, and removes old files.
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
		files := writtenFiles{lines: file, index: createEmpty(indexOf(name)), keys: createEmpty(keysOf(name))}
		files.appendIndex(index)
		f.mu.Lock()
		f.name = name
		f.mu.Unlock()
		f.prune()
		return files, nil
	}
}

// createEmpty creates an empty file. It returns nil if that fails.
func createEmpty(name string) *os.File {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil
	}
	return f
}

// indexOf and keysOf return the paths of a file's index and of the keys of the index.
func indexOf(name string) string { return strings.TrimSuffix(name, folderSuffix) + ".index" }
func keysOf(name string) string  { return strings.TrimSuffix(name, folderSuffix) + ".keys" }

// prune removes the oldest files beyond the limits. It ignores errors.
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

// folderFiles returns the paths of the trace files in a directory, oldest first.
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

// ReadFolder opens all files of a Folder as one trace. It omits an incomplete last line of a file, as a crash leaves
// it. A directory without trace files is an error of KindInvalid.
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

// A folderReader reads several files as one.
type folderReader struct {
	names []string
	f     *os.File
	rest  io.Reader // rest of f; nil before the first and after the last file
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

// open opens the next file.
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
