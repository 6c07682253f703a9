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

// Models finds the model of a request by its name. Its methods are called concurrently. Resolve may be called several
// times per request.
type Models interface {
	// Resolve returns the model for a name in a request. Errors are *callwright.Error.
	Resolve(name string) (*reliable.Client, error)
	// List returns the models to show to clients.
	List(ctx context.Context) []callwright.ModelID
}

// A Knower is a Models that returns the capabilities of many models at once, in the order of names. An unknown name has
// the zero Caps. If Models is not a Knower, the server resolves each model.
type Knower interface {
	KnownCaps(ctx context.Context, names []callwright.ModelID) []caps.Caps
}

// Config holds the dependencies and limits of a Server. Only Models is required.
type Config struct {
	Models Models
	// Keys are the API keys of clients, sent as a bearer token or in the key header of the API's SDK. If empty, no key is
	// required. Each key may do everything without limits.
	Keys []string
	// Access replaces Keys if it is not nil. The caller closes it after the server.
	Access *access.Gate
	// Hosts are additional host names accepted by a gateway without keys. It always accepts loopback and the host name of
	// the machine. Origins are the origins of web pages that may use the gateway, such as https://app.example.com. One "*"
	// in an origin matches any characters.
	Hosts, Origins []string
	// Codecs are the APIs to serve, all known ones if empty. If the API of a request is unclear, its errors have the
	// format of the first.
	Codecs []wire.Codec
	// Passthrough names the endpoints (provider.PassageNames) whose requests are forwarded to providers unchanged. Nil
	// means DefaultPassthrough.
	Passthrough []string
	// Hosted runs hosted tools of the client's API, such as web search, if the model's provider does not. Nil runs none.
	Hosted *hosted.Runner
	// Conversations counts the use of conversations for the limits of keys and of a Bounder. Nil counts in memory.
	Conversations *bound.Keeper
	// Limits are the size limits of a request.
	Limits Limits
	// Logger gets one line per request: at level info for requests to models, warn or error for failures, debug otherwise.
	// Nil disables logging.
	Logger *slog.Logger
	// Record wraps the model of each request in a recorder, as trace.Record does. Nil records nothing.
	Record func(callwright.Model) callwright.Model
	// Answers stores responses that later requests may refer to. Reports stores the reports of requests. Nil stores in
	// memory.
	Answers archive.Answers
	Reports archive.Reports
	// Observers are called at the start and at the end of each request.
	Observers []Observer
	// Health counts requests and lists the problems shown by /readyz and /callwright/status. Nil creates a Monitor that
	// knows only the requests of this Server.
	Health *health.Monitor
	// Running holds the requests in progress, so that other packages can show them. Nil creates a list.
	Running *progress.List
	// Unready returns the reasons why no request can be answered, one line each. /readyz then reports "not ready". Unready
	// may block for a moment and is called concurrently. Nil means always ready.
	Unready func(ctx context.Context) []string
	// Handlers serve additional patterns of http.ServeMux, such as "GET /metrics". They need no key. A gateway without
	// keys serves them only to local programs, like all its paths.
	Handlers map[string]http.Handler
	// KeyedHandlers are like Handlers but need a key if the gateway requires keys.
	KeyedHandlers map[string]http.Handler
	// Admin holds additional handlers for operators, by their pattern without a method, below /callwright/. The table
	// scopes defines the verb that a key needs for each. A handler at UsagePath replaces the default one.
	Admin map[string]AdminHandler
	// Reuse configures memory reuse between requests.
	Reuse Reuse
	// KeepAlive is the silence in a stream after which the client gets a keep-alive message; default 10 seconds.
	KeepAlive time.Duration
	// FirstSign is the maximum wait before a streamed response begins, if necessary with a keep-alive message; default 30
	// seconds. After that, an error can no longer have an HTTP error status.
	FirstSign time.Duration
	// Patience is the maximum time for reading a request body, and for each write to the client; default 2 minutes.
	Patience time.Duration
	// Connections is the maximum number of open connections. 0 derives it from the file descriptor limit of the process.
	// Above it, connections without a running request are closed, the longest idle first, a new one last.
	Connections int
	// HeaderBytes is the maximum size of a request line with its headers; default 64 KiB. IdleTime is the maximum time
	// that a connection waits for its next request; default 2 minutes.
	HeaderBytes int
	IdleTime    time.Duration
	// DrainTime is the maximum time for running requests to finish at shutdown; default 5 minutes.
	DrainTime time.Duration
}

// Reuse configures memory reuse between requests.
type Reuse struct {
	// Bodies reuses the memory of a request body after the request has ended. The JSON values of a decoded request share
	// memory with the body. Set Bodies only if Models, Record, Observers and the stores copy the values that they retain.
	// All implementations in this module do.
	Bodies bool
	// Histories is the maximum size in bytes of the cached message histories of all owners. With a cached history, only
	// the new messages of the next request in a conversation are decoded. 0 means 16 MiB, a negative value disables the
	// cache.
	Histories int
}

// A Server is the gateway as an http.Handler. It is safe for concurrent use. Create it with New.
type Server struct {
	cfg       Config
	mux       *http.ServeMux
	atPath    map[string]*entry // see fixedPaths
	served    []servedPath      // see servedPaths
	access    *access.Gate
	bounder   Bounder // nil if Models is not a Bounder
	settings  atomic.Pointer[settings]
	tokens    *calibrations
	histories *turnmemo.Memo
	warned    atomic.Int64  // time of the last log line about a failing store, Unix nanoseconds
	draining  atomic.Bool   // set when Serve stops accepting requests
	leaving   chan struct{} // closed by Leave
	left      sync.Once
	gone      atomic.Bool // set by Leave: responses close their connection
	running   atomic.Int64
	http      atomic.Pointer[http.Server]

	reportFault, answerFault *health.Fault
}

// New returns a Server with the defaults for zero fields of cfg.
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

// ServeHTTP answers one request and logs it.
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
	if !x.settings.originPolicy.addCORS(x, r) {
		s.serveEntry(at, x, r)
	}
	done = true
}

// serveEntry calls the entry of a request. If the gateway has no keys, it first rejects foreign hosts and origins.
func (s *Server) serveEntry(at *entry, x *exchange, r *http.Request) {
	if s.access.Open() {
		if err := x.settings.originPolicy.check(r); err != nil {
			client, _ := s.codecOf(r)
			s.fail(client, x, r, err)
			return
		}
	}
	at.serve(x, r)
}

// finish logs a finished request and notifies the health monitor and the observers. aborted means that its connection
// was reset.
func (s *Server) finish(x *exchange, r *http.Request, aborted bool) {
	if x.status == 0 {
		x.status, aborted = statusGone, true // the client left before the response
	}
	x.decide(aborted)
	s.logRequest(x, r, aborted)
	s.countHealth(x, aborted)
	x.observed.end(x, aborted)
}

// drainPoll is the interval at which a draining server checks whether all requests have ended.
const drainPoll = 20 * time.Millisecond

// ErrDrained is returned by Serve if requests were still running after DrainTime.
var ErrDrained = errors.New("requests were still running at the end of the drain time")

// Serve accepts connections on ln until ctx is done or Leave or Abort is called. When ctx is done, running requests may
// finish within DrainTime, new requests get status 503, and Serve returns nil or ErrDrained. Serve closes ln and must
// be called only once.
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

// Abort closes all connections at once.
func (s *Server) Abort() {
	if srv := s.http.Load(); srv != nil {
		_ = srv.Close()
	}
}
