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
	// Resolve returns the model of a client's name for it. Errors are *callwright.Error.
	Resolve(name string) (*reliable.Client, error)
	// List returns the models that clients may see.
	List(ctx context.Context) []callwright.ModelID
}

// A Knower is Models that return the capabilities of many models at once. Known returns those of each name, in order,
// and the zero Caps for an unknown one. Without Known the server resolves a client for each.
type Knower interface {
	KnownCaps(ctx context.Context, names []callwright.ModelID) []caps.Caps
}

// Config holds the dependencies and limits of a Server. Only Models is required.
type Config struct {
	Models Models
	// Keys are the keys of clients, presented as a bearer token or in the header of their API's SDK; empty admits
	// everybody. Each key is without scope and limits.
	Keys []string
	// Access replaces Keys if it is not nil. The caller closes it after the server.
	Access *access.Gate
	// Hosts are further names by which a gateway without keys may be called; loopback and the machine's name always
	// may. Origins are the origins of web pages that may use the gateway, such as https://app.example.com; one asterisk
	// stands for any characters.
	Hosts, Origins []string
	// Codecs are the APIs of clients; empty is all known ones. Clients that do not show their API get errors in the form
	// of the first.
	Codecs []wire.Codec
	// Passthrough names the passages (provider.PassageNames) whose requests are forwarded to providers unchanged; nil is
	// DefaultPassthrough.
	Passthrough []string
	// Hosted runs the hosted tools of a client's API if the model's provider has none; nil runs none.
	Hosted *hosted.Runner
	// Conversations counts the use of conversations, for the bounds of keys and Models; nil counts in memory.
	Conversations *bound.Keeper
	// Limits bound the size of a request.
	Limits Limits
	// Logger gets one line for each request: at level info where a model was asked, warn or error where it failed,
	// debug otherwise. Nil logs nothing.
	Logger *slog.Logger
	// Record wraps the model of a request in a recorder, as trace.Record does. Nil records nothing.
	Record func(callwright.Model) callwright.Model
	// Answers stores the answers that later requests may continue from, and Reports the reports of requests; nil stores
	// them in memory.
	Answers archive.Answers
	Reports archive.Reports
	// Observers are called at the begin and at the end of each request.
	Observers []Observer
	// Health counts requests and lists the problems of the gateway, which /readyz and /callwright/status show. Nil is a
	// Monitor of requests alone.
	Health *health.Monitor
	// Running lists the requests for models in flight, for other packages to show. Nil is a list of this Server's own.
	Running *progress.List
	// Unready returns the reasons for which no request can be answered, one a line, such as a state that was not shared
	// with other gateways since the start. /readyz then reports that the gateway is not ready. Unready may wait a moment,
	// and is called concurrently. Nil is never a reason.
	Unready func(ctx context.Context) []string
	// Handlers serve further patterns of http.ServeMux, such as "GET /metrics". They need no key. A gateway without keys
	// serves them, as all other paths, only to programs of this machine.
	Handlers map[string]http.Handler
	// KeyedHandlers are further Handlers. Requests for them need a key, where there are keys.
	KeyedHandlers map[string]http.Handler
	// Admin are further handlers for operators, by patterns without a method: paths below /callwright/. The verb that a
	// key needs for each is in scopes. A handler at UsagePath replaces the gateway's own.
	Admin map[string]AdminHandler
	// Reuse configures the memory that later requests reuse.
	Reuse Reuse
	// KeepAlive is the silence of a stream after which the client is sent a sign of life; 0 is 10 seconds.
	KeepAlive time.Duration
	// FirstSign is the wait for the begin of a streamed answer, after which the answer begins with a sign of life; 0 is 30
	// seconds. From then on an error has no status of its own.
	FirstSign time.Duration
	// Patience bounds the time in which a client sends a body, and in which it reads one write; 0 is 2 minutes.
	Patience time.Duration
	// Connections bounds the open connections; 0 derives the bound from the file descriptors of the process. Beyond it
	// connections without a running request are closed, the oldest first, and then new ones.
	Connections int
	// HeaderBytes bounds the line and the headers of a request; 0 is 64 KiB. IdleTime bounds the wait of a connection for
	// its next request; 0 is 2 minutes.
	HeaderBytes int
	IdleTime    time.Duration
	// DrainTime bounds the time for requests that run at the end; 0 is 5 minutes.
	DrainTime time.Duration
}

// Reuse configures the memory of a request that later requests reuse.
type Reuse struct {
	// Bodies reuses the memory of a request's body after the request has ended. The JSON values of a decoded request are
	// parts of its body. Set Bodies only if the Models, Record, Observers and stores copy the parts that they keep, as
	// those of this module do.
	Bodies bool
	// Histories is the size of the kept histories of recent requests in bytes, for all owners together. The next request
	// of a conversation is then decoded from its first new turn on. 0 is 16 MiB, a negative value keeps none.
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

// serveEntry calls the entry of a request. In a gateway without keys, the request must come from an allowed host and
// origin.
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

// finish reports the outcome of a request to the log and the observers. aborted is set if its connection was reset.
func (s *Server) finish(x *exchange, r *http.Request, aborted bool) {
	if x.status == 0 {
		x.status, aborted = statusGone, true // nobody was there to be answered
	}
	x.decide(aborted)
	s.logRequest(x, r, aborted)
	s.countHealth(x, aborted)
	x.observed.end(x, aborted)
}

// drainPoll is the interval in which a draining server checks whether it is done.
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
		ConnState: waiting.noteConnState, ErrorLog: slog.NewLogLogger(s.cfg.Logger.Handler(), slog.LevelWarn)}
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
