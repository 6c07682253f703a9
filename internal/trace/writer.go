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

// MaxLine is the maximum size of a line in bytes, including its line end. A longer line is neither written nor read.
const MaxLine = 64 << 20

// opWrite is the Op of errors when writing a trace.
const opWrite = "trace.write"

// A Writer appends entries to a trace. It is safe for concurrent use. Each entry is one call of Write with a whole
// line. After an error of the underlying writer, nothing more is written, because the line may be incomplete.
type Writer struct {
	now       func() time.Time
	newID     func() string
	redacted  bool
	maxAnswer int
	failed    func(error)
	tools     toolCache

	mu         sync.Mutex
	out        io.Writer // nil if log is set
	log        Log
	seq        uint64
	err        error                         // first error
	broken     error                         // error of out
	lost       int                           // number of entries dropped with ErrFull since the last written one
	identities map[callwright.ModelID]string // by model, the last recorded identity
}

// An Option is an option of a [Writer].
type Option func(*Writer)

// WithoutContent replaces contents such as texts, arguments, results and bodies by their lengths. Names, ids, tool
// definitions, counts, times and fingerprints are still recorded. A fingerprint allows someone to verify a guess of the
// request. A redacted trace cannot be played.
func WithoutContent() Option { return func(w *Writer) { w.redacted = true } }

// WithClock sets the function that returns the current time. It is called concurrently.
func WithClock(now func() time.Time) Option { return func(w *Writer) { w.now = now } }

// WithIDs sets the function that creates the ids of requests without one. It is called concurrently. The default ids
// are "rep_" and a time-ordered UUID in hexadecimal.
func WithIDs(newID func() string) Option { return func(w *Writer) { w.newID = newID } }

// WithMaxAnswer sets the maximum number of bytes recorded per answer; the default is [MaxAnswer]. A longer answer is
// truncated in the trace.
func WithMaxAnswer(n int) Option { return func(w *Writer) { w.maxAnswer = n } }

// OnError sets a function that is called once, with the first error. It must not use the Writer.
func OnError(failed func(error)) Option { return func(w *Writer) { w.failed = failed } }

// MaxAnswer is the default maximum number of bytes recorded per answer.
const MaxAnswer = 8 << 20

// NewWriter returns a Writer to out. It does not close out.
func NewWriter(out io.Writer, opts ...Option) *Writer {
	w := &Writer{out: out, now: time.Now, newID: newID, maxAnswer: MaxAnswer, identities: map[callwright.ModelID]string{}}
	for _, o := range opts {
		o(w)
	}
	if f, ok := out.(*Folder); ok {
		f.onFail(func(err error) { w.keep(&callwright.Error{Op: opWrite, Kind: callwright.KindInternal, Err: err}) })
	}
	return w
}

// NewLogWriter returns a Writer to a Log. It describes the model before each request.
func NewLogWriter(l Log, opts ...Option) *Writer {
	w := NewWriter(nil, opts...)
	w.log = l
	return w
}

// Append writes an entry. It sets Seq, and Time if that is zero.
func (w *Writer) Append(e Entry) error {
	if w.redacted {
		e = sizesOnly(e)
	}
	return w.put(e)
}

// Err returns the first error, nil if there was none.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// WriteError returns why nothing can be written at present or any more, nil if writing works.
func (w *Writer) WriteError() error {
	if f, ok := w.out.(*Folder); ok {
		return f.Err()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.broken
}

// put writes an entry without redacting it.
func (w *Writer) put(e Entry) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	err := w.write(e)
	w.first(err)
	return err
}

// write writes an entry. The caller holds w.mu.
func (w *Writer) write(e Entry) error {
	if w.broken != nil {
		return w.broken
	}
	if w.lost > 0 {
		missing := w.lost
		w.lost = 0 // if this entry is dropped too, the count is restored
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

// take passes an entry to the Log or writes it. The caller holds w.mu.
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

// Line returns the entry as a line of a trace with its line end, for implementations of Log that store lines.
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

// keep records an error if it is the first.
func (w *Writer) keep(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.first(err)
}

// first records an error if it is the first. The caller holds w.mu.
func (w *Writer) first(err error) {
	if err == nil || w.err != nil {
		return
	}
	w.err = err
	if w.failed != nil {
		w.failed(err)
	}
}

// maxSaid is the maximum number of cached identities, since clients choose the model names.
const maxSaid = 1024

// begin announces a request to a Folder, which may begin a new file. Each file has its own descriptions of models.
func (w *Writer) begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if f, ok := w.out.(*Folder); ok && f.turn() {
		clear(w.identities)
	}
}

// describe records now, the identity of a model as JSON, if it has changed or the Writer writes to a Log.
func (w *Writer) describe(id string, model callwright.ModelID, now []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.log != nil {
		w.first(w.write(Entry{Kind: KindModel, ID: id, Model: model, Data: now}))
		return
	}
	if w.identities[model] == string(now) {
		return
	}
	if len(w.identities) >= maxSaid {
		clear(w.identities)
	}
	w.identities[model] = string(now)
	w.first(w.write(Entry{Kind: KindModel, Model: model, Data: now}))
}

// newID returns a unique id, "rep_" and a UUID in hexadecimal.
func newID() string {
	id, err := uuid.NewV7()
	if err != nil {
		id = uuid.New()
	}
	return "rep_" + hex.EncodeToString(id[:])
}
