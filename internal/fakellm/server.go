package fakellm

import (
	"bytes"
	"encoding/json"
	"errors"
	"hash/fnv"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	maxBody  = 64 << 20
	keepSeen = 512      // requests kept for Requests
	keepBody = 16 << 20 // bytes of bodies kept with them
	keepOpen = 4096     // conversations counted for Seen.Repeat
)

// A Server is a model server that plays a Script. It is an http.Handler, safe for concurrent use, with nothing to close.
type Server struct {
	script Script
	pause  time.Duration
	piece  int
	key    string

	mu     sync.Mutex
	seen   []Seen
	held   int // bytes of the bodies in seen
	opened map[string]int
}

var _ http.Handler = (*Server)(nil)

// An Option changes how a Server plays.
type Option func(*Server)

// Pause makes the server wait before each event of a stream but the first.
func Pause(d time.Duration) Option { return func(s *Server) { s.pause = d } }

// Piece sets how many bytes of text or arguments a streamed event carries. The default is 5; a piece is longer where it
// would otherwise end inside a UTF-8 sequence.
func Piece(bytes int) Option { return func(s *Server) { s.piece = max(1, bytes) } }

// Key makes the server refuse requests that do not present this key, as a bearer token or as x-api-key.
func Key(key string) Option { return func(s *Server) { s.key = key } }

// New is a server that plays script.
func New(script Script, opts ...Option) *Server {
	s := &Server{script: script, piece: 5, opened: map[string]int{}}
	for _, o := range opts {
		o(s)
	}
	return s
}

// Requests are the latest requests for answers, the refused ones too, oldest first. At most 512 are kept, and at most 16 MiB
// of bodies. The slice is the caller's; what its elements point to is shared and must not be changed.
func (s *Server) Requests() []Seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Seen(nil), s.seen...)
}

// ServeHTTP answers by the end of the path, so that a base URL may have any prefix.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	wire := wires[OpenAI]
	switch path := strings.TrimSuffix(r.URL.Path, "/"); {
	case strings.HasSuffix(path, "/models") && r.Method == http.MethodGet:
		listModels(w, r)
		return
	case strings.HasSuffix(path, "/chat/completions"):
	case strings.HasSuffix(path, "/messages"):
		wire = wires[Anthropic]
	default:
		fail(w, wire, &failure{status: http.StatusNotFound, message: "no such path: " + r.URL.Path})
		return
	}
	if r.Method != http.MethodPost {
		fail(w, wire, &failure{status: http.StatusMethodNotAllowed, message: "expected POST, got " + r.Method})
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		status := http.StatusBadRequest
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			status = http.StatusRequestEntityTooLarge
		}
		fail(w, wire, &failure{status: status, message: err.Error()})
		return
	}
	s.answer(w, r, wire, body)
}

// answer reads one request for an answer, lets the script decide and writes what it decided.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, wire *wireForm, body []byte) {
	seen := Seen{Wire: wire.name, Header: r.Header.Clone(), Path: r.URL.Path, Body: body, Choice: "auto"}
	err := wire.read(&seen)
	refused := &failure{status: http.StatusBadRequest}
	if s.key != "" && seen.Header.Get("x-api-key") != s.key && seen.Header.Get("authorization") != "Bearer "+s.key {
		err, refused.status = errors.New("invalid API key"), http.StatusUnauthorized
	}
	if err != nil {
		seen.Refused, refused.message = err.Error(), err.Error()
	}
	s.record(&seen)
	if err != nil {
		fail(w, wire, refused)
		return
	}
	a := newAnswer(seen, s.script(seen), s.piece)
	switch {
	case a.failure != nil:
		fail(w, wire, a.failure)
	case seen.Stream:
		s.stream(w, r, a, a.frames(wire))
	default:
		writeWhole(w, a, wire.whole(a))
	}
}

// record numbers the request within its conversation and keeps it.
func (s *Server) record(seen *Seen) {
	seen.finish()
	opening := ""
	for _, m := range seen.History {
		if m.Role == "user" && m.Text != "" {
			opening = m.Text
			break
		}
	}
	key := seen.Wire + "\x00" + seen.Model + "\x00" + strconv.FormatBool(seen.Stream) + "\x00" + opening
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.opened) >= keepOpen {
		clear(s.opened)
	}
	seen.Repeat = s.opened[key]
	if seen.Refused == "" {
		s.opened[key]++
	}
	s.seen, s.held = append(s.seen, *seen), s.held+len(seen.Body)
	for len(s.seen) > keepSeen || (s.held > keepBody && len(s.seen) > 1) {
		s.held -= len(s.seen[0].Body)
		s.seen = slices.Delete(s.seen, 0, 1)
	}
}

// finish derives what follows from the history.
func (s *Seen) finish() {
	for _, m := range s.History {
		if m.Role == "assistant" {
			s.Turn++
			continue
		}
		if m.Role == "user" && m.Text != "" {
			s.User, s.Results = m.Text, nil
		}
		for _, r := range m.Results {
			s.Results = append(s.Results, r.Text)
		}
	}
}

// stream writes the frames one by one. A cut aborts the connection after them.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, a *answer, frames []frame) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("X-Request-Id", a.id("req_"))
	w.WriteHeader(http.StatusOK)
	out := http.NewResponseController(w)
	var buf []byte
	for i, f := range frames {
		if i > 0 && !s.wait(r) {
			return
		}
		buf = f.append(buf[:0])
		for _, part := range a.writes(buf) {
			if _, err := w.Write(part); err != nil {
				return
			}
			_ = out.Flush() // a recorder in a test may not flush; then nothing is lost
		}
	}
	if a.cut {
		panic(http.ErrAbortHandler)
	}
}

// wait pauses between events; it is false when the client went away.
func (s *Server) wait(r *http.Request) bool {
	if s.pause <= 0 {
		return r.Context().Err() == nil
	}
	t := time.NewTimer(s.pause)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-r.Context().Done():
		return false
	}
}

// writeWhole writes a whole answer, or half of one where the connection is to break.
func writeWhole(w http.ResponseWriter, a *answer, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.Header().Set("X-Request-Id", a.id("req_"))
	w.WriteHeader(http.StatusOK)
	if !a.cut {
		_, _ = w.Write(body)
		return
	}
	_, _ = w.Write(body[:len(body)/2])
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// A failure is an HTTP error: in the wire's own shape, or with a body of its own.
type failure struct {
	status  int
	message string
	body    string
	header  map[string]string
}

func fail(w http.ResponseWriter, wire *wireForm, f *failure) {
	w.Header().Set("Content-Type", "application/json")
	for k, v := range f.header {
		w.Header().Set(k, v)
	}
	body := f.body
	if body == "" {
		body = wire.failed(f.status, f.message)
	}
	w.WriteHeader(f.status)
	_, _ = io.WriteString(w, body)
}

// listModels names a well-behaved model and one for every fault, in the shape that the client's headers ask for.
func listModels(w http.ResponseWriter, r *http.Request) {
	names := []string{"native"}
	for _, f := range Faults() {
		names = append(names, f.Model())
	}
	var data []map[string]any
	for _, n := range names {
		if r.Header.Get("anthropic-version") != "" {
			data = append(data, map[string]any{"type": "model", "id": n, "display_name": n, "created_at": "2026-01-01T00:00:00Z"})
		} else {
			data = append(data, map[string]any{"object": "model", "id": n, "created": created, "owned_by": "sim"})
		}
	}
	list := map[string]any{"data": data}
	if r.Header.Get("anthropic-version") != "" {
		list["has_more"], list["first_id"], list["last_id"] = false, names[0], names[len(names)-1]
	} else {
		list["object"] = "list"
	}
	var b bytes.Buffer
	_ = json.NewEncoder(&b).Encode(list) // maps of strings cannot fail
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(b.Bytes())
}

// digest is a short name for a request, so that equal requests get equal ids.
func digest(parts ...string) string {
	h := fnv.New64a()
	for _, p := range parts {
		_, _ = io.WriteString(h, p)
		_, _ = h.Write([]byte{0})
	}
	return strconv.FormatUint(h.Sum64(), 36)
}
