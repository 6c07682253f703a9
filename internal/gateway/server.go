package gateway

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/bound"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/hosted"
	"github.com/callwright/callwright/internal/progress"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/internal/wire/turnmemo"
	"github.com/callwright/callwright/reliable"
)

// Models finds models for requests. Its methods are called concurrently, Resolve up to a few times a request.
type Models interface {
	// Resolve gives the model that a client asks for by name. Errors are *callwright.Error.
	Resolve(name string) (*reliable.Client, error)
	// List gives the models that clients may be told of.
	List(ctx context.Context) []callwright.ModelID
}

// A Knower is Models that say what is known of many models at once. Known gives the facts of each name, in order, none
// of one that it does not know. Without it clients are resolved for them.
type Knower interface {
	Known(ctx context.Context, names []callwright.ModelID) []caps.Caps
}

// Config says what a Server serves. Only Models is required.
type Config struct {
	Models Models
	// Keys are what clients must present, as a bearer token or where else the SDK of their API puts a key; empty lets
	// everybody in. Each is for everything, without limits.
	Keys []string
	// Access takes the place of Keys where it is not nil. The caller closes it after the server.
	Access *access.Gate
	// Hosts are further names by which a gateway without keys may be called; loopback and the machine's name always
	// may. Origins are the origins of web pages that may use the gateway, such as https://app.example.com; one asterisk
	// stands for any characters.
	Hosts, Origins []string
	// Codecs are the APIs that clients may speak; the first one's errors are for clients that do not show which is
	// theirs. Empty is all that there are.
	Codecs []wire.Codec
	// Passthrough names the passages (provider.PassageNames) whose requests go on to providers as they came; nil is
	// DefaultPassthrough.
	Passthrough []string
	// Hosted runs tools that a client's API has its provider run, where the model's provider has none; nil runs none.
	Hosted *hosted.Runner
	// Conversations knows what conversations have used, for the bounds that keys and Models have; nil counts in memory.
	Conversations *bound.Keeper
	// Limits bound what a request may hold.
	Limits Limits
	// Logger gets one line for each request: at level info where a model was asked, warn or error where it failed,
	// debug otherwise. Nil logs nothing.
	Logger *slog.Logger
	// Record puts a recorder around the model that a request is made of, such as trace.Record does. Nil records
	// nothing.
	Record func(callwright.Model) callwright.Model
	// Answers keeps the answers that later requests may go on from, and Reports the reports of requests; nil keeps them
	// in memory.
	Answers archive.Answers
	Reports archive.Reports
	// Observers are told when a request comes and what became of it.
	Observers []Observer
	// Health counts requests and lists the problems of the gateway, which /readyz and /callwright/status show. Nil is a
	// Monitor of requests alone.
	Health *health.Monitor
	// Running lists the requests for models that are being answered, for others who show them. Nil is a list of this
	// Server's own.
	Running *progress.List
	// Unready lists why no request can be answered, a line each, such as a state that was not shared with other
	// gateways since the start: /readyz says that the gateway is not ready. It may wait a moment, and is called
	// concurrently. Nil is never anything.
	Unready func(ctx context.Context) []string
	// Handlers serve further patterns, as http.ServeMux has them, such as "GET /metrics". Nobody asks them for a key; a
	// gateway without keys answers them as it does the others, to programs of this machine alone.
	Handlers map[string]http.Handler
	// KeyedHandlers are further Handlers. Requests for them need a key, where there are keys.
	KeyedHandlers map[string]http.Handler
	// Admin are further handlers, for operators, by patterns without a method: paths below /callwright/. What a key
	// needs for them, scopes has. That of UsagePath takes the place of the gateway's own.
	Admin map[string]AdminHandler
	// Reuse is the memory of requests that later requests use.
	Reuse Reuse
	// KeepAlive is how long a stream may be silent before the client is sent a sign of life; 0 is 10 seconds.
	KeepAlive time.Duration
	// FirstSign is how long an answer that is to be a stream may not have begun before it begins with a sign of life; 0
	// is 30 seconds. From then on an error has no status of its own.
	FirstSign time.Duration
	// Patience is how long a client may take to send a body, and to take in what one write sends it; 0 is 2 minutes.
	Patience time.Duration
	// Connections is how many connections there may be at once, where that is not to follow from the file descriptors
	// of the process: of more, those go on which no request is running, the oldest first, and then new ones.
	Connections int
	// HeaderBytes bounds the line and the headers of a request; 0 is 64 KiB. IdleTime is how long a connection may wait
	// for its next request; 0 is 2 minutes.
	HeaderBytes int
	IdleTime    time.Duration
	// DrainTime bounds how long requests that are running at the end may take; 0 is 5 minutes.
	DrainTime time.Duration
}

// Reuse says which memory of a request later requests use.
type Reuse struct {
	// Bodies has the memory of a request's body used again when the request has ended. The JSON values of a decoded
	// request are parts of its body: it is for programs whose Models, Record, Observers and stores copy what they keep
	// of them, as those of this module do.
	Bodies bool
	// Histories is how many bytes of the last requests' histories are kept, for all owners together, so that the next
	// request of a conversation is read from its first new turn on. 0 is 16 MiB, a negative value keeps none.
	Histories int
}

// A Server is the gateway as an http.Handler. It is safe for concurrent use.
type Server struct {
	cfg       Config
	mux       *http.ServeMux
	atPath    map[string]*entry // see fixedPaths
	served    []servedPath      // see servedPaths
	access    *access.Gate
	bounder   Bounder // nil where Models bound nothing
	settings  atomic.Pointer[settings]
	tokens    *calibrations
	histories *turnmemo.Memo
	warned    atomic.Int64 // when the log was told of a store that fails, in nanoseconds
	draining  atomic.Bool
	leaving   chan struct{} // closed by Leave
	left      sync.Once
	gone      atomic.Bool // clients are to come back over new connections, to another process
	running   atomic.Int64
	http      atomic.Pointer[http.Server]

	reportFault, answerFault *health.Fault
}

// New makes a Server.
func New(cfg Config) *Server {
	if cfg.KeepAlive == 0 {
		cfg.KeepAlive = 10 * time.Second
	}
	if cfg.FirstSign == 0 {
		cfg.FirstSign = 30 * time.Second
	}
	if len(cfg.Codecs) == 0 {
		cfg.Codecs = codecs.All()
	}
	if cfg.Patience == 0 {
		cfg.Patience = 2 * time.Minute
	}
	if cfg.Answers == nil {
		cfg.Answers = archive.NewMemoryAnswers(nil, archive.Limits{})
	}
	if cfg.Reports == nil {
		cfg.Reports = archive.NewMemoryReports(nil, archive.Limits{})
	}
	if cfg.Connections == 0 {
		cfg.Connections = connectionLimit()
	}
	if cfg.HeaderBytes == 0 {
		cfg.HeaderBytes = 64 << 10
	}
	if cfg.IdleTime == 0 {
		cfg.IdleTime = 2 * time.Minute
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.Running == nil {
		cfg.Running = new(progress.List)
	}
	if cfg.Health == nil {
		cfg.Health = health.New(health.Config{})
	}
	s := &Server{cfg: cfg, tokens: newCalibrations(), histories: turnmemo.New(cfg.Reuse.Histories), leaving: make(chan struct{})}
	if s.access = cfg.Access; s.access == nil {
		s.access = newGate(cfg.Keys)
	}
	if s.cfg.Conversations == nil {
		s.cfg.Conversations = bound.New(nil, nil)
	}
	s.bounder, _ = cfg.Models.(Bounder)
	s.settings.Store(newSettings(&cfg))
	s.watchStores()
	s.mux = s.routes()
	s.atPath = s.fixedPaths(s.mux)
	s.served = s.servedPaths()
	return s
}

// ServeHTTP answers one request, and logs it.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.running.Add(1)
	defer s.running.Add(-1)
	at, r := s.findEntry(r)
	x, done := &exchange{ResponseWriter: w, began: time.Now(), settings: s.holdSettings()}, false
	defer x.settings.release()
	if s.gone.Load() {
		w.Header().Set("Connection", "close")
	}
	if len(s.cfg.Observers) > 0 {
		r = s.beginObserving(x, r)
	}
	defer func() {
		s.cfg.Running.Remove(&x.running)
		s.finish(x, r, !done)
		if done {
			x.body.Return()
		}
	}()
	if !x.settings.fence.addCORS(x, r) {
		s.serveEntry(at, x, r)
	}
	done = true
}

// serveEntry calls the entry of a request, which has to pass the fence of a gateway without keys.
func (s *Server) serveEntry(at *entry, x *exchange, r *http.Request) {
	if s.access.Open() {
		if err := x.settings.fence.check(r); err != nil {
			client, _ := s.codecOf(r)
			s.fail(client, x, r, err)
			return
		}
	}
	at.serve(x, r)
}

// finish tells the log and the observers the outcome of a request. aborted says that its connection was reset.
func (s *Server) finish(x *exchange, r *http.Request, aborted bool) {
	if x.status == 0 {
		x.status, aborted = statusGone, true // nobody was there to be answered
	}
	x.decide(aborted)
	s.logRequest(x, r, aborted)
	s.countHealth(x, aborted)
	x.observed.end(x, aborted)
}

// drainPoll is how often a draining server looks whether it is done.
const drainPoll = 20 * time.Millisecond

// ErrDrained is the error of a Serve that had to end requests.
var ErrDrained = errors.New("requests were still running when the time to finish them was over")

// Serve accepts connections on ln until ctx ends. Then running requests and streams finish within DrainTime, new ones
// are answered with 503 in the client's own shape, and Serve returns nil, or ErrDrained. Leave ends it too, Abort at
// once. Serve is called once, and closes ln.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	defer s.logLong(ctx)()
	waiting := newWaiting(s.cfg.Connections)
	srv := &http.Server{Handler: s, ReadHeaderTimeout: 30 * time.Second, IdleTimeout: s.cfg.IdleTime, MaxHeaderBytes: s.cfg.HeaderBytes,
		ConnState: waiting.changed, ErrorLog: slog.NewLogLogger(s.cfg.Logger.Handler(), slog.LevelWarn)}
	s.http.Store(srv)
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(sheddingListener{ln, waiting}) }()
	select {
	case err := <-failed:
		return ignoreClosed(err)
	case <-s.leaving:
		return s.leave(ctx, srv, ln, waiting, failed)
	case <-ctx.Done():
	}
	s.draining.Store(true)
	tick := time.NewTicker(drainPoll)
	defer tick.Stop()
	over := time.After(s.settings.Load().drainTime)
	for s.running.Load() > 0 {
		select {
		case err := <-failed:
			return ignoreClosed(err)
		case <-over:
			s.Abort()
			return errors.Join(ErrDrained, ignoreClosed(<-failed))
		case <-tick.C:
		}
	}
	_ = srv.Shutdown(context.WithoutCancel(ctx))
	return ignoreClosed(<-failed)
}

func ignoreClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Abort closes every connection at once.
func (s *Server) Abort() {
	if srv := s.http.Load(); srv != nil {
		_ = srv.Close()
	}
}
