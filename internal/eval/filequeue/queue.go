package filequeue

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/fileerror"
	"github.com/callwright/callwright/internal/filelock"
	"github.com/callwright/callwright/internal/record"
)

// FileName is the name of the file with the results in the directory of a run.
const FileName = "results.jsonl"

const (
	entryName = "entry"
	// lockWait is how long Open waits for another process. The lock of a killed process is released at once.
	lockWait = time.Second
)

// A Queue is an [eval.Queue] in a directory. Create it with Open. It is safe for concurrent use.
type Queue struct {
	path string
	root *os.Root
	file *os.File

	mu      sync.Mutex
	run     eval.RunState
	header  *eval.Header // header of the stored run; nil for none
	results []eval.Result
	end     record.Place
	open    *batch // collects results until the writer takes them
	writing bool
	broken  error // permanent error, after which nothing is written
	written *sync.Cond
}

var _ eval.Queue = (*Queue)(nil)

// A batch is a group of results that are written together.
type batch struct {
	results []eval.Result
	done    chan struct{}
	err     error
}

// An entry is the content of a line.
type entry struct {
	Header *eval.Header `json:"header,omitempty"`
	Result *eval.Result `json:"result,omitempty"`
}

// Open opens the Queue in a directory and creates it if necessary, accessible only by the current user. If another
// process has it open, the error is of [callwright.KindConflict]. The caller must call Close.
func Open(dir string) (*Queue, error) {
	const op = "filequeue.open"
	if !filelock.Supported {
		return nil, callwright.Errorf(op, callwright.KindUnsupported, "", "this operating system has no file locks, which a queue needs")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fileerror.Wrap(op, dir, err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fileerror.Wrap(op, dir, err)
	}
	q := &Queue{path: filepath.Join(dir, FileName), root: root}
	q.written = sync.NewCond(&q.mu)
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	switch q.file, err = filelock.Open(ctx, root, FileName, os.O_CREATE); {
	case errors.Is(err, context.DeadlineExceeded):
		err = callwright.Errorf(op, callwright.KindConflict, "", "another process uses %s: wait until it ends, or use another folder", dir)
	case err == nil:
		if err = q.load(); err != nil {
			err = errors.Join(err, filelock.Release(q.file))
		}
	}
	if err != nil {
		return nil, fileerror.Wrap(op, q.path, errors.Join(err, root.Close()))
	}
	return q, nil
}

// load reads the file and removes an incomplete last line.
func (q *Queue) load() error {
	var err error
	if q.header, q.results, q.end, err = scan(q.file); err != nil {
		return err
	}
	info, err := q.file.Stat()
	if err != nil || info.Size() <= q.end.Offset {
		return err
	}
	if q.header == nil {
		if err := q.checkBeginning(); err != nil {
			return err
		}
	}
	return q.file.Truncate(q.end.Offset)
}

// checkBeginning returns an error if the file, which has no complete line, does not begin like the file of a run: it
// belongs to another program and must not be truncated. Zeros are permitted, since a file system may leave them in
// place of an incomplete line after a crash.
func (q *Queue) checkBeginning() error {
	first := []byte(`{"n":1,"len":`)
	got := make([]byte, len(first))
	n, err := q.file.ReadAt(got, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if got = got[:n]; !bytes.HasPrefix(first, got) && len(bytes.Trim(got, "\x00")) > 0 {
		return errors.New("the file exists and is not the file of a run: use another folder")
	}
	return nil
}

// scan reads a results file. end is the position after the last complete line.
func scan(r io.Reader) (header *eval.Header, results []eval.Result, end record.Place, err error) {
	end, err = record.Scan(context.Background(), r, entryName, record.Place{}, func(body []byte) error {
		var e entry
		if err := json.Unmarshal(body, &e); err != nil {
			return err
		}
		switch {
		case header == nil && e.Header != nil:
			header = e.Header
		case header != nil && e.Result != nil:
			results = append(results, *e.Result)
		default:
			return errors.New("expected a header first, and then results")
		}
		return nil
	})
	return header, results, end, err
}

// Read returns the header of the run in a directory and its results in the order of Finish. It does not lock the file;
// for a run in progress it returns the results so far. A directory without a run is an error of
// [callwright.KindNotFound].
func Read(dir string) (eval.Header, []eval.Result, error) {
	const op = "filequeue.read"
	path := filepath.Join(dir, FileName)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return eval.Header{}, nil, callwright.Errorf(op, callwright.KindNotFound, "", "there is no run in %s", dir)
	}
	if err != nil {
		return eval.Header{}, nil, fileerror.Wrap(op, path, err)
	}
	header, results, _, err := scan(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return eval.Header{}, nil, fileerror.Wrap(op, path, err)
	}
	if header == nil {
		return eval.Header{}, nil, callwright.Errorf(op, callwright.KindNotFound, "", "there is no run in %s", dir)
	}
	return *header, results, nil
}

// Close waits for pending writes and unlocks the directory. Later calls return an error that wraps [fs.ErrClosed].
func (q *Queue) Close() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.writing {
		q.written.Wait()
	}
	if errors.Is(q.broken, fs.ErrClosed) {
		return nil
	}
	q.broken = fs.ErrClosed
	return fileerror.Wrap("filequeue.close", q.path, errors.Join(filelock.Release(q.file), q.root.Close()))
}

// ready returns an error if ctx is done or the queue is broken or closed. The caller holds q.mu.
func (q *Queue) ready(ctx context.Context, op string) error {
	if err := eval.Ready(ctx); err != nil {
		return err
	}
	return fileerror.Wrap("filequeue."+op, q.path, q.broken)
}

// Open starts a run or continues the existing one. See [eval.Queue].
func (q *Queue) Open(ctx context.Context, header eval.Header, cells []eval.Cell) ([]eval.Result, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.ready(ctx, "open"); err != nil {
		return nil, err
	}
	if q.header != nil && *q.header != header {
		return nil, eval.Conflict(*q.header, header)
	}
	done, err := q.run.Open(header, cells, q.results)
	if err != nil || q.header != nil {
		return done, err
	}
	end, err := q.write(q.end, []entry{{Header: &header}})
	if err == nil {
		err = filelock.SyncDir(q.root)
	}
	if err != nil {
		return nil, fileerror.Wrap("filequeue.open", q.path, err)
	}
	q.header, q.end = &header, end
	return done, nil
}

// Take returns a cell that is neither finished nor taken. ok is false if there is none.
func (q *Queue) Take(ctx context.Context) (c eval.Cell, ok bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.ready(ctx, "take"); err != nil {
		return eval.Cell{}, false, err
	}
	c, ok = q.run.Take()
	return c, ok, nil
}

// Finish stores the result of a cell. It returns when the result is on disk.
func (q *Queue) Finish(ctx context.Context, r eval.Result) error {
	q.mu.Lock()
	if err := q.ready(ctx, "finish"); err != nil {
		q.mu.Unlock()
		return err
	}
	if keep, err := q.run.Check(r); !keep {
		q.mu.Unlock()
		return err
	}
	if q.open == nil {
		q.open = &batch{done: make(chan struct{})}
	}
	mine := q.open
	mine.results = append(mine.results, r)
	if !q.writing {
		q.writing = true
		q.drain()
		q.writing = false
		q.written.Broadcast()
	}
	q.mu.Unlock()
	<-mine.done
	return fileerror.Wrap("filequeue.finish", q.path, mine.err)
}

// drain writes batches until there is none. The caller holds q.mu, which is released during a write.
func (q *Queue) drain() {
	for q.open != nil {
		b := q.open
		q.open = nil
		var lines []entry
		inBatch := map[eval.CellID]bool{}
		for _, r := range b.results {
			if keep, _ := q.run.Check(r); keep && !inBatch[r.ID] {
				inBatch[r.ID] = true
				lines = append(lines, entry{Result: &r})
			}
		}
		end := q.end
		if b.err = q.broken; b.err == nil && len(lines) > 0 {
			q.mu.Unlock()
			end, b.err = q.write(end, lines)
			q.mu.Lock()
		}
		if b.err != nil {
			q.broken = b.err
			lines = nil
		}
		for _, l := range lines {
			q.run.Keep(*l.Result)
			q.results, q.end = append(q.results, *l.Result), end
		}
		close(b.done)
	}
}

// write writes entries after a position and syncs the file. It returns the position after them.
func (q *Queue) write(at record.Place, entries []entry) (record.Place, error) {
	var text []byte
	end := at
	for _, e := range entries {
		body, err := json.Marshal(e)
		if err != nil {
			return at, err
		}
		line := record.Line(end.Count+1, entryName, body)
		text = append(text, line...)
		end = end.After(entryName, line)
	}
	_, err := q.file.WriteAt(text, at.Offset)
	if err == nil {
		err = q.file.Sync()
	}
	if err != nil {
		return at, errors.Join(err, q.file.Truncate(at.Offset))
	}
	return end, nil
}
