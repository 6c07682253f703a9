package trace

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// folderBytes is the default byte limit of a Folder.
const folderBytes = 1 << 30

// A FolderReader reads the files of a [Folder], including files that other programs are writing. It reads an index only
// when needed. It is safe for concurrent use.
type FolderReader struct {
	dir    string
	now    func() time.Time
	limits LogLimits
	single bool // dir is a single trace file

	mu           sync.Mutex
	missingLines map[string]missingLines // by path, for files whose index is incomplete
}

// missingLines holds the index lines that a file lacks from the offset upto, computed when the file had size bytes.
type missingLines struct {
	size, upto int64
	lines      []byte
}

var _ LogReader = (*FolderReader)(nil)

// NewFolderReader returns a reader of a directory, or of a single trace file. It ignores requests older than the
// limits. now returns the current time; nil means time.Now.
func NewFolderReader(dir string, now func() time.Time, l LogLimits) *FolderReader {
	if now == nil {
		now = time.Now
	}
	info, err := os.Stat(dir)
	return &FolderReader{dir: dir, now: now, limits: l.or(folderBytes), single: err == nil && !info.IsDir(), missingLines: map[string]missingLines{}}
}

// files returns the paths of the files.
func (r *FolderReader) files() ([]string, error) {
	if r.single {
		return []string{r.dir}, nil
	}
	return folderFiles(r.dir)
}

// load reads the index of a file into room, which holds one index at a time. It computes missing lines from the file
// and caches them. The caller must close the result.
func (r *FolderReader) load(file string, room *indexRoom) (*folderIndex, error) {
	x, upto := &folderIndex{file: file}, int64(0)
	if !r.single {
		var err error
		if x, upto, err = openIndex(file, room); err != nil {
			return nil, err
		}
	}
	f, err := os.Open(file)
	if err != nil {
		x.close()
		return nil, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err == nil && info.Size() > upto {
		x.more, err = r.mend(f, missingLines{size: info.Size(), upto: upto}, x)
	}
	if err != nil {
		x.close()
		return nil, err
	}
	return x, nil
}

// maxMended is the maximum number of files whose computed index lines are cached.
const maxMended = 64

// mend computes the index lines of the part of a file after the end of its index.
func (r *FolderReader) mend(f *os.File, m missingLines, index *folderIndex) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if was, ok := r.missingLines[f.Name()]; ok && was.size == m.size && was.upto == m.upto {
		return was.lines, nil
	}
	end, err := wholeEnd(f, m.size)
	if err != nil {
		return nil, err
	}
	x, known := newIndexer(), len(index.keys) == 0 && len(index.rest) == 0
	x.at = m.upto
	var lines indexText
	in := bufio.NewReaderSize(io.NewSectionReader(f, m.upto, end-m.upto), 256<<10)
	for {
		text, whole, err := readLine(in)
		if errors.Is(err, io.EOF) || err == nil && !whole {
			break
		}
		if err != nil {
			return nil, err
		}
		if len(text) > MaxLine {
			break // the rest of the file is not a trace
		}
		if kind, _ := kindOf(text); !known && kind != KindSent && kind != KindReceived {
			if x.open, err = index.readOpenRequests(); err != nil {
				return nil, err
			}
			known = true
		}
		x.line(&lines, append(text, '\n'))
	}
	m.lines = lines.lines
	if len(r.missingLines) >= maxMended {
		clear(r.missingLines)
	}
	r.missingLines[f.Name()] = m
	return m.lines, nil
}

// latest returns the time of the latest event in a file by its index, in Unix nanoseconds. It returns math.MaxInt64 if
// the index does not contain it.
func latest(file string) int64 {
	f, err := os.Open(indexOf(file))
	if err != nil {
		return math.MaxInt64
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return math.MaxInt64
	}
	const tail = 16 << 10
	text := make([]byte, min(tail, info.Size()))
	if _, err := f.ReadAt(text, info.Size()-int64(len(text))); err != nil {
		return math.MaxInt64
	}
	at := int64(math.MaxInt64)
	backward(text, func(l indexLine) bool { at = l.latest; return false })
	return at
}

// List implements LogReader.
func (r *FolderReader) List(ctx context.Context, q Query) ([]Summary, error) {
	files, err := r.files()
	if err != nil {
		return nil, err
	}
	type dated struct {
		name   string
		latest int64
	}
	order := make([]dated, len(files))
	for i, name := range files {
		order[i] = dated{name, latest(name)}
	}
	slices.SortStableFunc(order, func(a, b dated) int {
		return cmp.Or(cmp.Compare(b.latest, a.latest), strings.Compare(b.name, a.name))
	})
	l, room, text := newListing(q), new(indexRoom), new([]byte)
	l.read = func(file string, line *indexLine, visit func([]byte) bool) error {
		if err := contextError(ctx); err != nil {
			return err
		}
		id, _ := jsonx.String(line.id)
		here := *line
		if here.mark == markOpen {
			here.mark = markEnded // entries after the listed ones are received bodies, which decide nothing
		}
		if err := eachLine(text, file, &here, id, visit); !errors.Is(err, fs.ErrNotExist) { // else the file was removed
			return err
		}
		return nil
	}
	if r.limits.Age >= 0 {
		l.oldest = max(l.oldest, r.now().Add(-r.limits.Age).UnixNano()+1)
	}
	for _, f := range order {
		if err := contextError(ctx); err != nil {
			return nil, err
		}
		if f.latest < l.oldest {
			break
		}
		x, err := r.load(f.name, room)
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed meanwhile
		}
		if err != nil {
			return nil, err
		}
		l.take(x)
		x.close()
		if l.broken != nil {
			return nil, l.broken
		}
	}
	l.cut()
	return l.found, contextError(ctx)
}

// Entries implements LogReader.
func (r *FolderReader) Entries(ctx context.Context, id string) ([]Entry, error) {
	files, err := r.files()
	if err != nil {
		return nil, err
	}
	room := new(indexRoom)
	for i := len(files) - 1; i >= 0 && id != ""; i-- {
		if err := contextError(ctx); err != nil {
			return nil, err
		}
		x, err := r.load(files[i], room)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		l, ok := x.find(id)
		x.close()
		if ok {
			if r.limits.IsExpired(time.Unix(0, l.began), r.now()) {
				break
			}
			return r.entries(files[i], id, l)
		}
	}
	if err := contextError(ctx); err != nil {
		return nil, err
	}
	return nil, notKept(id)
}

// entries reads the entries of a request from a file and the files before it.
func (r *FolderReader) entries(file, id string, l indexLine) ([]Entry, error) {
	var out []Entry
	var broken *callwright.Error
	err := eachLine(new([]byte), file, &l, id, func(text []byte) bool {
		var e Entry
		if e, broken = parse(text); broken != nil {
			return false
		}
		out = append(out, e)
		return true
	})
	if broken != nil {
		return nil, broken
	}
	return out, err
}

// eachLine calls visit with each trace line of the request id until visit returns false. l is the entry of the request
// in the index of file: it lists the offsets of the lines in file and in older files, in the order of the visits. The
// line is stored in room, a buffer that the next call of visit overwrites.
func eachLine(room *[]byte, file string, l *indexLine, id string, visit func(line []byte) (more bool)) error {
	var end int64 // end of the last entry in the file
	for p := range bytes.SplitSeq(l.places, []byte(",")) {
		name, place, ok := strings.Cut(string(p), "@")
		if !ok {
			name, place = filepath.Base(file), string(p)
		}
		offset, length, _ := strings.Cut(place, ":")
		at, err := strconv.ParseInt(offset, 10, 64)
		n, alsoErr := strconv.Atoi(length)
		if err != nil || alsoErr != nil || n < 0 || n > MaxLine || name != filepath.Base(name) {
			return callwright.Errorf(opLog, callwright.KindInternal, "", "the index of %s is damaged: remove %s", file, indexOf(file))
		}
		*room, err = lineAt(*room, filepath.Join(filepath.Dir(file), name), at, n)
		if errors.Is(err, fs.ErrNotExist) {
			continue // the file was deleted because of its age
		}
		if err != nil {
			return err
		}
		if !visit(*room) {
			return nil
		}
		if !ok {
			end = at + int64(n)
		}
	}
	if l.mark == markEnded {
		return nil
	}
	return behind(file, end, id, visit)
}

// lineAt reads n bytes of a file at an offset, into room if it is large enough.
func lineAt(room []byte, file string, at int64, n int) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return room, err
	}
	defer func() { _ = f.Close() }()
	text := slices.Grow(room[:0], n)[:n]
	_, err = f.ReadAt(text, at)
	return text, err
}

// behind calls visit with the lines of the request id that begin at or after the byte offset from in a file, until the
// request ends or visit returns false.
func behind(file string, from int64, id string, visit func(line []byte) (more bool)) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	in := bufio.NewReaderSize(io.NewSectionReader(f, from, math.MaxInt64-from), 256<<10)
	for {
		text, whole, err := readLine(in)
		if errors.Is(err, io.EOF) || err == nil && (!whole || len(text) > MaxLine) {
			return nil
		}
		if err != nil {
			return err
		}
		_, of := kindOf(text)
		if of != id {
			continue
		}
		if e, ok := headOf(text); !visit(text) || ok && e.Ends() {
			return nil
		}
	}
}
