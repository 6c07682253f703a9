package trace

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/google/uuid"
)

// MaxLine is the most bytes that a line may have, its end included. A longer one is neither written nor read.
const MaxLine = 64 << 20

// opWrite is the operation of errors in writing.
const opWrite = "trace.write"

// A Writer appends entries to a trace. It is safe for concurrent use: each entry is one Write of a whole line. After an
// error of the underlying writer, which may have left a part of a line, nothing more is written.
type Writer struct {
	now       func() time.Time
	newID     func() string
	redacted  bool
	maxAnswer int
	failed    func(error)
	tools     toolCache

	mu     sync.Mutex
	out    io.Writer // nil where log takes the entries
	log    Log
	seq    uint64
	err    error                         // the first
	broken error                         // of out
	lost   int                           // entries that out had no room for, since the last one that it took
	said   map[callwright.ModelID]string // by model, its identity that was recorded last
}

// An Option sets up a [Writer].
type Option func(*Writer)

// WithoutContent has the writer leave out contents: texts, arguments, results, bodies and the like are replaced by
// their lengths. Names, ids, the definitions of tools, counts and times stay, and so does the fingerprint of a request,
// by which a guess of the request can be verified. A redacted trace cannot be played.
func WithoutContent() Option { return func(w *Writer) { w.redacted = true } }

// WithClock has the writer ask now for the time, also from several goroutines at once.
func WithClock(now func() time.Time) Option { return func(w *Writer) { w.now = now } }

// WithIDs has the writer ask newID for the ids of requests that have none, also from several goroutines at once. The
// default are those of reports: rep_ and a time-ordered UUID.
func WithIDs(newID func() string) Option { return func(w *Writer) { w.newID = newID } }

// WithMaxAnswer bounds the bytes that are kept of one answer until it is recorded; the default is [MaxAnswer]. A longer
// answer is recorded up to there.
func WithMaxAnswer(n int) Option { return func(w *Writer) { w.maxAnswer = n } }

// OnError has failed called with the first error there is, once. It must not use the writer.
func OnError(failed func(error)) Option { return func(w *Writer) { w.failed = failed } }

// MaxAnswer is how many bytes are kept of an answer.
const MaxAnswer = 8 << 20

// NewWriter makes a Writer that writes to out. It does not close out.
func NewWriter(out io.Writer, opts ...Option) *Writer {
	w := &Writer{out: out, now: time.Now, newID: newID, maxAnswer: MaxAnswer, said: map[callwright.ModelID]string{}}
	for _, o := range opts {
		o(w)
	}
	if f, ok := out.(*Folder); ok {
		f.onFail(func(err error) { w.keep(&callwright.Error{Op: opWrite, Kind: callwright.KindInternal, Err: err}) })
	}
	return w
}

// NewLogWriter makes a Writer to a Log. Each request comes with an entry that describes its model.
func NewLogWriter(l Log, opts ...Option) *Writer {
	w := NewWriter(nil, opts...)
	w.log = l
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

// WriteError is why nothing can be written for now, or ever again; nil where it can.
func (w *Writer) WriteError() error {
	if f, ok := w.out.(*Folder); ok {
		return f.Err()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.broken
}

// put writes an entry of which nothing is to be left out any more.
func (w *Writer) put(e Entry) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	err := w.write(e)
	w.first(err)
	return err
}

// write writes an entry under the lock.
func (w *Writer) write(e Entry) error {
	if w.broken != nil {
		return w.broken
	}
	if w.lost > 0 {
		missing := w.lost
		w.lost = 0 // the entry about them may be left out, too: it is then counted with them
		if err := w.write(Entry{Kind: KindLost, Data: json.RawMessage(`{"entries":` + strconv.Itoa(missing) + `}`)}); err != nil {
			w.lost += missing
			return err
		}
	}
	e.Seq = w.seq + 1
	if e.Time.IsZero() {
		e.Time = w.now()
	}
	e.Time = e.Time.UTC()
	if e.Kind == "" {
		return callwright.Errorf(opWrite, callwright.KindInvalid, "/kind", "the entry has no kind")
	}
	err := w.take(e)
	if errors.Is(err, ErrFull) {
		w.lost++
		return &callwright.Error{Op: opWrite, Kind: callwright.KindOverloaded, Err: err}
	}
	if err == nil {
		w.seq++
	}
	return err
}

// take hands an entry on, under the lock.
func (w *Writer) take(e Entry) error {
	if w.log != nil {
		return w.log.Append(e)
	}
	text, err := e.Line()
	if err != nil {
		return err
	}
	n, err := w.out.Write(text)
	if err == nil && n < len(text) {
		err = io.ErrShortWrite
	}
	if err != nil && !errors.Is(err, ErrFull) {
		w.broken = &callwright.Error{Op: opWrite, Kind: callwright.KindInternal, Err: err}
		return w.broken
	}
	return err
}

// Line is the entry as a line of a trace, with its end, for a Log that keeps lines.
func (e *Entry) Line() ([]byte, error) {
	text, err := e.append(nil)
	if err != nil {
		return nil, &callwright.Error{Op: opWrite, Kind: callwright.KindInvalid, Err: err}
	}
	if len(text) > MaxLine {
		return nil, callwright.Errorf(opWrite, callwright.KindTooLarge, "", "an entry of kind %s has %d bytes, more than %d",
			e.Kind, len(text), MaxLine)
	}
	return text, nil
}

// keep keeps an error where it is the first.
func (w *Writer) keep(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.first(err)
}

// first keeps an error where it is the first, under the lock.
func (w *Writer) first(err error) {
	if err == nil || w.err != nil {
		return
	}
	w.err = err
	if w.failed != nil {
		w.failed(err)
	}
}

// maxSaid bounds the models whose identities are kept: names come from clients.
const maxSaid = 1024

// begin announces a request. In a folder it may begin a file, which describes its models itself.
func (w *Writer) begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if f, ok := w.out.(*Folder); ok && f.turn() {
		clear(w.said)
	}
}

// describe records the name and the facts of a model: after a change, and in a Log with each request.
func (w *Writer) describe(id string, model callwright.ModelID, now []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.log != nil {
		w.first(w.write(Entry{Kind: KindModel, ID: id, Model: model, Data: now}))
		return
	}
	if w.said[model] == string(now) {
		return
	}
	if len(w.said) >= maxSaid {
		clear(w.said)
	}
	w.said[model] = string(now)
	w.first(w.write(Entry{Kind: KindModel, Model: model, Data: now}))
}

// newID is an id that no other request has.
func newID() string {
	id, err := uuid.NewV7()
	if err != nil {
		id = uuid.New()
	}
	return "rep_" + hex.EncodeToString(id[:])
}
