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

// folderBytes is what a Folder keeps where its limits say nothing.
const folderBytes = 1 << 30

// A FolderReader reads what a [Folder] wrote, also that of other programs and while they write. It reads the indexes that it needs when it is asked, and
// nothing before. It is safe for concurrent use.
type FolderReader struct {
	dir    string
	now    func() time.Time
	limits LogLimits
	single bool // dir is a file

	mu     sync.Mutex
	mended map[string]mended // by file, where the index is not whole
}

// mended is what an index lacks of a file of so many bytes.
type mended struct {
	size, upto int64
	lines      []byte
}

var _ LogReader = (*FolderReader)(nil)

// NewFolderReader reads a folder, or one file that was written as a trace. What is too old by the limits is not given. now tells the time; nil: the clock of
// the machine.
func NewFolderReader(dir string, now func() time.Time, l LogLimits) *FolderReader {
	if now == nil {
		now = time.Now
	}
	info, err := os.Stat(dir)
	return &FolderReader{dir: dir, now: now, limits: l.or(folderBytes), single: err == nil && !info.IsDir(), mended: map[string]mended{}}
}

// files are the files there are.
func (r *FolderReader) files() ([]string, error) {
	if r.single {
		return []string{r.dir}, nil
	}
	return folderFiles(r.dir)
}

// A folderIndex is the index of a file, and what it lacks of it.
type folderIndex struct {
	file        string
	lines, more []byte
}

// load reads the index of a file. What the index lacks is read out of the file, and kept.
// It is in room, which holds one at a time.
func (r *FolderReader) load(file string, room *bytes.Buffer) (folderIndex, error) {
	x := folderIndex{file: file}
	room.Reset()
	if err := readInto(room, indexOf(file)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return x, err
	}
	if form, ok := bytes.CutPrefix(room.Bytes(), []byte(indexForm)); ok && !r.single {
		x.lines = form
	}
	var upto int64
	backward(x.lines, func(l indexLine) bool { upto = l.upto; return false })
	f, err := os.Open(file)
	if err != nil {
		return x, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil || info.Size() <= upto {
		return x, err
	}
	x.more, err = r.mend(f, mended{size: info.Size(), upto: upto}, x.lines)
	return x, err
}

// readInto reads a file.
func readInto(room *bytes.Buffer, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err == nil {
		room.Grow(int(info.Size()) + bytes.MinRead)
	}
	_, err = room.ReadFrom(f)
	return err
}

// maxMended bounds the files of which is kept what their indexes lack.
const maxMended = 64

// mend indexes what stands in a file behind the end of its index.
func (r *FolderReader) mend(f *os.File, m mended, index []byte) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if was, ok := r.mended[f.Name()]; ok && was.size == m.size && was.upto == m.upto {
		return was.lines, nil
	}
	end, err := wholeEnd(f, m.size)
	if err != nil {
		return nil, err
	}
	x, known := newIndexer(), len(index) == 0
	x.at = m.upto
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
			break // it is no trace from here on
		}
		if kind, _ := kindOf(text); !known && kind != KindSent && kind != KindReceived {
			x.open, known = unfinished(index), true
		}
		m.lines = x.line(m.lines, append(text, '\n'))
	}
	if len(r.mended) >= maxMended {
		clear(r.mended)
	}
	r.mended[f.Name()] = m
	return m.lines, nil
}

// latest is when anything in a file happened last, as far as its index says; of one whose index says nothing it is the end of time.
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

// List returns the latest requests that a query asks for, see LogReader.
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
		switch {
		case a.latest > b.latest:
			return -1
		case a.latest < b.latest:
			return 1
		}
		return strings.Compare(b.name, a.name)
	})
	l, room := newListing(q), new(bytes.Buffer)
	if r.limits.Age >= 0 {
		l.oldest = r.now().Add(-r.limits.Age).UnixNano() + 1
	}
	if !q.Since.IsZero() {
		l.oldest = max(l.oldest, q.Since.UnixNano())
	}
	for _, f := range order {
		if err := canceled(ctx); err != nil {
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
		l.take(&x)
	}
	l.cut()
	return l.found, canceled(ctx)
}

// A listing finds the latest requests that a query asks for.
type listing struct {
	q      Query
	most   int
	words  [][]byte // all of them stand in a line that may be asked for
	open   bool     // what is unfinished may be asked for
	oldest int64    // what began earlier is not asked for
	found  []Summary
}

func newListing(q Query) *listing {
	l := &listing{q: q, most: q.Most(), oldest: math.MinInt64, open: q.Rule == "" && (q.Outcome == "" || q.Outcome == OutcomeUnfinished)}
	for _, word := range []string{string(q.Model), strings.TrimSuffix(q.Rule, "*")} {
		if quoted, _ := jsonx.Marshal(word); word != "" {
			l.words = append(l.words, quoted[1:len(quoted)-1])
		}
	}
	if q.Outcome != "" && q.Outcome != OutcomeAnswered { // which stands for others
		l.words = append(l.words, []byte(`"outcome":"`+string(q.Outcome)+`"`))
	}
	return l
}

// take takes the requests of an index.
func (l *listing) take(x *folderIndex) {
	ended := map[string]bool{}
	for _, text := range [][]byte{x.more, x.lines} {
		if !l.maybe(text) {
			continue // most indexes are not looked at line by line where few are asked for
		}
		linesBackward(text, func(line []byte) bool {
			if first := line[:min(1, len(line))]; l.open && string(first) != string(markOpen) || l.maybe(line) {
				l.line(line, ended)
			}
			return true
		})
	}
}

// line takes one line. ended are the requests of which later lines say that they have ended.
func (l *listing) line(text []byte, ended map[string]bool) {
	line, ok := parseIndexLine(text)
	switch {
	case !ok || line.mark == markOpen && !l.open:
		return
	case line.mark == markOpen && ended[string(line.id)]:
		delete(ended, string(line.id))
		return
	case line.mark != markOpen && l.open:
		ended[string(line.id)] = true
	}
	if line.mark == markMoved || line.began < l.oldest {
		return
	}
	if s, ok := summaryOf(&line); ok && l.q.Matches(&s) {
		l.found = append(l.found, s)
	}
	if len(l.found) >= 2*l.most {
		l.cut()
	}
}

// maybe reports whether a text of an index may have what is asked for.
func (l *listing) maybe(text []byte) bool {
	for _, word := range l.words {
		if !bytes.Contains(text, word) {
			return false
		}
	}
	return true
}

// cut keeps the latest of what was found, as many as are asked for. A request that went on in the next file may be known twice.
func (l *listing) cut() {
	slices.SortFunc(l.found, func(a, b Summary) int {
		return cmp.Or(Latest(a, b), finishedFirst(a, b))
	})
	l.found = slices.CompactFunc(l.found, func(a, b Summary) bool { return a.ID == b.ID && a.Time.Equal(b.Time) })
	if len(l.found) >= l.most {
		l.found = l.found[:l.most]
		l.oldest = max(l.oldest, l.found[l.most-1].Time.UnixNano())
	}
}

func finishedFirst(a, b Summary) int {
	switch unfinished := a.Outcome == OutcomeUnfinished; {
	case unfinished == (b.Outcome == OutcomeUnfinished):
		return 0
	case unfinished:
		return 1
	}
	return -1
}

// Entries returns the entries of a request, see LogReader.
func (r *FolderReader) Entries(ctx context.Context, id string) ([]Entry, error) {
	files, err := r.files()
	if err != nil {
		return nil, err
	}
	room := new(bytes.Buffer)
	for i := len(files) - 1; i >= 0 && id != ""; i-- {
		if err := canceled(ctx); err != nil {
			return nil, err
		}
		x, err := r.load(files[i], room)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if l, ok := x.find(id); ok {
			if r.limits.Expired(time.Unix(0, l.began), r.now()) {
				break
			}
			return r.entries(files[i], id, l)
		}
	}
	if err := canceled(ctx); err != nil {
		return nil, err
	}
	return nil, notKept(id)
}

// find finds the line about a request that says most.
func (x *folderIndex) find(id string) (found indexLine, ok bool) {
	quoted := jsonx.AppendQuote(nil, id)
	between := slices.Concat([]byte{'\t'}, quoted, []byte{'\t'})
	for _, text := range [][]byte{x.more, x.lines} {
		if ok || !bytes.Contains(text, between) {
			continue
		}
		backward(text, func(l indexLine) bool {
			ok = bytes.Equal(l.id, quoted)
			found = l
			return !ok
		})
	}
	return found, ok && found.mark != markMoved
}

// entries reads the entries of a request out of a file and those before it.
func (r *FolderReader) entries(file, id string, l indexLine) ([]Entry, error) {
	var out []Entry
	var end int64 // of the last place in the file
	for p := range bytes.SplitSeq(l.places, []byte(",")) {
		name, place, ok := strings.Cut(string(p), "@")
		if !ok {
			name, place = filepath.Base(file), string(p)
		}
		offset, length, _ := strings.Cut(place, ":")
		at, err := strconv.ParseInt(offset, 10, 64)
		n, alsoErr := strconv.Atoi(length)
		if err != nil || alsoErr != nil || n > MaxLine || name != filepath.Base(name) {
			return nil, callwright.Errorf(opLog, callwright.KindInternal, "", "the index of %s is damaged: remove %s", file, indexOf(file))
		}
		e, err := entryAt(filepath.Join(filepath.Dir(file), name), at, n)
		if errors.Is(err, fs.ErrNotExist) {
			continue // the file was too old
		}
		if err != nil {
			return nil, err
		}
		out = append(out, e)
		if !ok {
			end = at + int64(n)
		}
	}
	if l.mark == markEnded {
		return out, nil
	}
	more, err := behind(file, end, id)
	return append(out, more...), err
}

// entryAt reads the entry at a place.
func entryAt(file string, at int64, n int) (Entry, error) {
	f, err := os.Open(file)
	if err != nil {
		return Entry{}, err
	}
	defer func() { _ = f.Close() }()
	text := make([]byte, n)
	if _, err := f.ReadAt(text, at); err != nil {
		return Entry{}, err
	}
	e, broken := parse(text)
	if broken != nil {
		return Entry{}, broken
	}
	return e, nil
}

// behind reads the entries of a request that stand in a file from a place on.
func behind(file string, from int64, id string) ([]Entry, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	var out []Entry
	in := bufio.NewReaderSize(io.NewSectionReader(f, from, math.MaxInt64-from), 256<<10)
	for {
		text, whole, err := readLine(in)
		if errors.Is(err, io.EOF) || err == nil && (!whole || len(text) > MaxLine) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		if _, of := kindOf(text); of != id {
			continue
		}
		e, broken := parse(text)
		if broken != nil {
			return nil, broken
		}
		if out = append(out, e); e.Kind == KindAnswer || e.Kind == KindError {
			return out, nil
		}
	}
}
