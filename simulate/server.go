package simulate

import (
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
	keepSeen = 512      // number of requests stored for Requests
	keepBody = 16 << 20 // total bytes of their bodies
	keepOpen = 4096     // conversations counted for Seen.Repeat
)

// A Server is a model server that plays a Script. It is an http.Handler, is safe for concurrent use, and needs no
// Close.
type Server struct {
	script Script
	pause  time.Duration
	piece  int
	key    string
	strict *profile // applied to every request; nil for none
	known  bool     // rejects unknown models
	names  bool     // permits any tool name

	mix     Mix
	seed    uint64
	latency Latency

	mu     sync.Mutex
	seen   []Seen
	held   int // total bytes of the bodies in seen
	opened map[string]int
	drawn  map[uint64]uint64 // number of equal requests by digest
}

var _ http.Handler = (*Server)(nil)

// An Option configures a Server.
type Option func(*Server)

// Pause makes the server wait before each event of a stream except the first.
func Pause(d time.Duration) Option { return func(s *Server) { s.pause = d } }

// Piece sets the number of bytes of text or arguments in a stream delta. The default is 5. A delta is longer if it
// would end inside a UTF-8 sequence.
func Piece(bytes int) Option { return func(s *Server) { s.piece = max(1, bytes) } }

// Key makes the server reject requests without this key. The key may be a bearer token, a header x-api-key, api-key or
// x-goog-api-key, or the query parameter "key".
func Key(key string) Option { return func(s *Server) { s.key = key } }

// Strict makes the server check all requests against the named profile of [Profiles]. It panics if the name is unknown.
func Strict(name string) Option {
	p := profileNamed(name)
	if p == nil {
		panic("simulate: no strict profile " + strconv.Quote(name))
	}
	return func(s *Server) { s.strict = p }
}

// OnlyKnown makes the server reject unknown models, as a provider does. Known are "native", all combinations of faults,
// the families as NAME-like, and the strict profiles. Without OnlyKnown any other name, such as a misspelled fault, is
// a model without faults.
func OnlyKnown() Option { return func(s *Server) { s.known = true } }

// AnyNames makes the server accept tool names with characters other than letters, digits, hyphens and underscores, as
// self-hosted servers do. Profiles with name checks still reject them.
func AnyNames() Option { return func(s *Server) { s.names = true } }

// New returns a simulated model server whose responses come from the script.
func New(script Script, opts ...Option) *Server {
	s := &Server{script: script, piece: 5, opened: map[string]int{}, drawn: map[uint64]uint64{}}
	for _, o := range opts {
		o(s)
	}
	return s
}

// Requests returns the latest completion requests, rejected ones included, oldest first. At most 512 requests and 16
// MiB of bodies are stored. The caller may modify the slice, but not the data behind pointers in its elements.
func (s *Server) Requests() []Seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Seen(nil), s.seen...)
}

// ServeHTTP selects the wire by the path suffix, so that a base URL may have any prefix.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if path := strings.TrimSuffix(r.URL.Path, "/"); r.Method == http.MethodGet &&
		(strings.HasSuffix(path, "/models") || strings.HasSuffix(path, "/api/tags")) {
		listModels(w, r)
		return
	}
	seen := Seen{Header: r.Header.Clone(), Path: r.URL.Path, Choice: "auto", anyNames: s.names}
	wire := wireOf(&seen, r)
	if wire == nil {
		fail(w, wires[OpenAI], &failure{status: http.StatusNotFound, message: "no such path: " + r.URL.Path})
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
	seen.Wire, seen.Body = wire.name, body
	s.answer(w, r, wire, &seen)
}

// answer handles one completion request: it parses the request, calls the script and writes the response.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, wire *wireFormat, seen *Seen) {
	drawn, luck := s.draw(seen)
	refused := s.read(wire, seen, r, drawn)
	if refused != nil {
		seen.Refused = refused.message
	}
	s.record(seen)
	if refused != nil {
		fail(w, wire, seen.strict.word(refused))
		return
	}
	turn := s.script(*seen)
	drawn = s.habit(seen, drawn)
	if len(drawn) > 0 {
		seen.Repeat = 0 // a drawn fault applies to repeated requests too
	}
	a := newResponse(*seen, turn, s.piece, drawn)
	a.luck = luck
	if a.cached == 0 {
		a.cached = s.measureSharedPrefix(seen) / 4
	}
	if !s.latency.sleep(r.Context(), s.latency.First, luck, 0) {
		return
	}
	switch {
	case a.failure != nil:
		fail(w, wire, seen.strict.word(a.failure))
	case len(turn.Raw) > 0:
		writeRaw(w, wire, seen, turn.Raw)
	case seen.Stream:
		s.stream(w, r, a, a.frames())
	default:
		body := wire.whole(a)
		if _, tokens := a.tokens(); s.latency.sleep(r.Context(), s.latency.Token*time.Duration(tokens), luck, 1) {
			writeWhole(w, a, body)
		}
	}
}

// writeRaw writes Turn.Raw as the response body.
func writeRaw(w http.ResponseWriter, wire *wireFormat, seen *Seen, body []byte) {
	kind := "application/json"
	if seen.Stream {
		kind = wire.framing(seen).contentType
	}
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(body)
}

// read parses a request. It returns an error for the client, nil if the request is valid. It checks the key first, then
// the strict profile, then the fields that every server of the wire requires.
func (s *Server) read(wire *wireFormat, seen *Seen, r *http.Request, drawn []Fault) *failure {
	if s.key != "" && !slices.Contains(keysOf(r), s.key) {
		return &failure{status: http.StatusUnauthorized, message: "invalid API key"}
	}
	refused := s.inspect(seen)
	if refused == nil {
		refused = checkFaults(seen, drawn)
	}
	if refused != nil {
		return refused
	}
	if err := wire.read(seen); err != nil {
		if !errors.As(err, &refused) {
			refused = &failure{message: err.Error()}
		}
		if refused.status == 0 {
			refused.status = http.StatusBadRequest
		}
		return refused
	}
	if s.known && !isKnown(seen.Model) {
		return noSuchModel(wire.name, seen.Model)
	}
	return nil
}

// keysOf returns the API keys in a request, from all places that clients use.
func keysOf(r *http.Request) []string {
	return []string{strings.TrimPrefix(r.Header.Get("authorization"), "Bearer "), r.Header.Get("x-api-key"),
		r.Header.Get("x-goog-api-key"), r.Header.Get("api-key"), r.URL.Query().Get("key")}
}

// record sets seen.Repeat and stores the request for Requests.
func (s *Server) record(seen *Seen) {
	seen.finish()
	opening := seen.opening()
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

// finish sets the fields of s that are derived from the history: Turn, User and Results.
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

// writeWhole writes a response that is not streamed. If a fault breaks the connection, it writes half of the body.
func writeWhole(w http.ResponseWriter, a *response, body []byte) {
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

// digest returns a short hash of the parts, in base 36.
func digest(parts ...string) string {
	h := fnv.New64a()
	for _, p := range parts {
		_, _ = io.WriteString(h, p)
		_, _ = h.Write([]byte{0})
	}
	return strconv.FormatUint(h.Sum64(), 36)
}
