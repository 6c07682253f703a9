package trace

import (
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/callwright/callwright"
)

// MaxLine is the most bytes that a line may have, its end included. A longer one is neither written nor read.
const MaxLine = 64 << 20

// opWrite is the operation of errors in writing.
const opWrite = "trace.write"

// A Writer appends entries to a trace. It is safe for concurrent use: each entry is one Write of a whole line. After an error of the
// underlying writer, which may have left a part of a line, nothing more is written.
type Writer struct {
	now      func() time.Time
	redacted bool

	mu     sync.Mutex
	out    io.Writer
	seq    uint64
	ids    uint64
	err    error // the first
	broken error // of out
}

// An Option sets up a [Writer].
type Option func(*Writer)

// WithoutContent has the writer leave out what was said: texts, arguments, results, bodies and the like are replaced by their lengths.
// Names, ids, the definitions of tools, counts and times stay, and so does the fingerprint of a request, by which one who knows what may
// have been asked can tell whether it was. A redacted trace cannot be played.
func WithoutContent() Option { return func(w *Writer) { w.redacted = true } }

// WithClock has the writer ask now for the time, also from several goroutines at once.
func WithClock(now func() time.Time) Option { return func(w *Writer) { w.now = now } }

// NewWriter makes a Writer that writes to out. It does not close out.
func NewWriter(out io.Writer, opts ...Option) *Writer {
	w := &Writer{out: out, now: time.Now}
	for _, o := range opts {
		o(w)
	}
	return w
}

// Append writes an entry. Seq is set, and Time where it is zero.
func (w *Writer) Append(e Entry) error {
	if w.redacted {
		e = sizesOnly(e)
	}
	return w.put(e)
}

// Err is the first error there was, of an entry that could not be written; nil without one.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// put writes an entry of which nothing is to be left out any more.
func (w *Writer) put(e Entry) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	err := w.write(e)
	if err != nil && w.err == nil {
		w.err = err
	}
	return err
}

// write writes an entry under the lock.
func (w *Writer) write(e Entry) error {
	if w.broken != nil {
		return w.broken
	}
	e.Seq = w.seq + 1
	if e.Time.IsZero() {
		e.Time = w.now()
	}
	e.Time = e.Time.UTC()
	if e.Kind == "" {
		return callwright.Errorf(opWrite, callwright.KindInvalid, "/kind", "the entry has no kind")
	}
	text, err := e.append(nil)
	if err != nil {
		return &callwright.Error{Op: opWrite, Kind: callwright.KindInvalid, Err: err}
	}
	if len(text) > MaxLine {
		return callwright.Errorf(opWrite, callwright.KindTooLarge, "", "an entry of kind %s has %d bytes, more than %d", e.Kind, len(text), MaxLine)
	}
	n, err := w.out.Write(text)
	if err == nil && n < len(text) {
		err = io.ErrShortWrite
	}
	if err != nil {
		w.broken = &callwright.Error{Op: opWrite, Kind: callwright.KindInternal, Err: err}
		return w.broken
	}
	w.seq++
	return nil
}

// keep keeps an error where it is the first.
func (w *Writer) keep(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = err
	}
}

// newID is an id that no other request of the writer has.
func (w *Writer) newID() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ids++
	return strconv.FormatUint(w.ids, 10)
}
