package gateway

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/wire"
	"github.com/callwright/callwright/wire/codecs"
)

// Models finds models for requests. Both methods are called at most once a request, and concurrently.
type Models interface {
	// Resolve gives the model that a client asks for by name. Errors are *callwright.Error.
	Resolve(name string) (*reliable.Client, error)
	// List gives the models that clients may be told of.
	List(ctx context.Context) []callwright.ModelID
}

// Config says what a Server serves. Only Models is required.
type Config struct {
	Models Models
	// Keys are what clients must present, as a bearer token or where else the SDK of their API puts a key; empty lets
	// everybody in.
	Keys []string
	// Hosts are further names by which a gateway without keys may be called; loopback and the machine's name always may. Origins are the
	// origins of web pages that may use the gateway, such as https://app.example.com; one asterisk stands for any characters.
	Hosts, Origins []string
	// Codecs are the APIs that clients may speak; the first one's errors are for clients that do not show which is theirs.
	// Empty is all that there are.
	Codecs []wire.Codec
	// MaxBody bounds a request's body in bytes; 0 is 32 MiB.
	MaxBody int64
	// Logger gets a line for each request that failed or was changed; nil logs nothing.
	Logger *slog.Logger
	// KeepAlive is how long a stream may be silent before the client is sent a sign of life; 0 is 10 seconds.
	KeepAlive time.Duration
	// Patience is how long a client may take to send a body, and to take in what one write sends it; 0 is 2 minutes.
	Patience time.Duration
}

// A Server is the gateway as an http.Handler. It is safe for concurrent use.
type Server struct {
	cfg      Config
	mux      *http.ServeMux
	keys     [][]byte
	fence    *fence
	reports  *reports
	answers  *answerStore
	draining atomic.Bool
	running  atomic.Int64
	http     atomic.Pointer[http.Server]
}

// New makes a Server.
func New(cfg Config) *Server {
	if cfg.MaxBody == 0 {
		cfg.MaxBody = 32 << 20
	}
	if cfg.KeepAlive == 0 {
		cfg.KeepAlive = 10 * time.Second
	}
	if len(cfg.Codecs) == 0 {
		cfg.Codecs = codecs.All()
	}
	if cfg.Patience == 0 {
		cfg.Patience = 2 * time.Minute
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Server{cfg: cfg, fence: newFence(&cfg), reports: newReports(), answers: newAnswerStore()}
	for _, k := range cfg.Keys {
		s.keys = append(s.keys, []byte(k))
	}
	s.mux = s.routes()
	return s
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.running.Add(1)
	defer s.running.Add(-1)
	if s.fence.share(w, r) {
		return
	}
	if len(s.keys) == 0 {
		if err := s.fence.lets(r); err != nil {
			client, _ := s.codecOf(r)
			s.fail(client, w, r, err)
			return
		}
	}
	s.mux.ServeHTTP(w, r)
}

// drainPoll is how often a draining server looks whether it is done.
const drainPoll = 20 * time.Millisecond

// Serve accepts connections on ln until ctx ends. Then running requests and streams finish, new ones are answered with
// 503 in the client's own shape, and Serve returns nil. Abort ends it at once. Serve is called once.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	srv := &http.Server{Handler: s, ReadHeaderTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute}
	s.http.Store(srv)
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(ln) }()
	select {
	case err := <-failed:
		return closedIsFine(err)
	case <-ctx.Done():
	}
	s.draining.Store(true)
	tick := time.NewTicker(drainPoll)
	defer tick.Stop()
	for s.running.Load() > 0 {
		select {
		case err := <-failed:
			return closedIsFine(err)
		case <-tick.C:
		}
	}
	_ = srv.Shutdown(context.WithoutCancel(ctx))
	return closedIsFine(<-failed)
}

func closedIsFine(err error) error {
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
