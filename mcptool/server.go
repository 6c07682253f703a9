package mcptool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Server is a connection to an MCP server whose tools can be called. Open creates it; the caller must call Close. It
// is safe for concurrent use.
type Server struct {
	conf    Config
	closing chan struct{}
	once    sync.Once
	tasks   sync.WaitGroup // running calls, and connections that are closing
	turn    chan struct{}  // a lock for connecting: has a value while it is held

	mu     sync.Mutex
	link   *link // nil without a connection
	before *link // the previous connection; nil for none
	closed bool

	// The following fields are guarded by turn.
	restarts restarts
	failed   error // error of the last attempt to connect
}

var _ agent.Source = (*Server)(nil)

// errClosed is the error of calls after Server.Close.
var errClosed = errors.New("it is closed")

// Open starts the server of c or connects to it, and fetches its tools. An invalid Config is an error of KindInvalid.
func Open(ctx context.Context, c Config) (*Server, error) {
	if err := c.check(); err != nil {
		return nil, &callwright.Error{Op: "mcptool.open", Kind: callwright.KindInvalid, Err: err}
	}
	l, err := connect(ctx, c)
	if err != nil {
		return nil, unavailable(c.describeServer(), err)
	}
	c.Name = l.conf.Name // stays the same after restarts
	return &Server{conf: c, closing: make(chan struct{}), turn: make(chan struct{}, 1), link: l}, nil
}

// unavailable returns the error for a server that could not be started or reached. server is its name for the message.
func unavailable(server string, err error) error {
	kind := callwright.KindUnavailable
	switch {
	case errors.Is(err, context.Canceled):
		kind = callwright.KindCanceled
	case errors.Is(err, errClosed):
		kind = callwright.KindDraining
	case errors.Is(err, errLogin):
		kind = callwright.KindAuth
	}
	return &callwright.Error{Op: "mcptool.open", Kind: kind, Message: "the MCP server " + server, Err: err}
}

// Name returns the prefix of the tool names, without the colon.
func (s *Server) Name() string { return s.conf.Name }

// Tools returns the current tools in the server's order. A server that has ended is restarted. If that fails, Tools
// returns the last known tools, and their calls fail until the server is available. Tools returns an error only if ctx
// is done or the Server is closed.
func (s *Server) Tools(ctx context.Context) ([]agent.Tool, error) {
	ctx, done := s.scope(ctx)
	defer done()
	l, err := s.ensureConnection(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return nil, unavailable(strconv.Quote(s.conf.Name), err)
		}
		l = s.previousLink()
	}
	list := l.list.Load()
	out := make([]agent.Tool, len(list.tools))
	for i := range list.tools {
		t := &list.tools[i]
		out[i] = agent.Tool{Name: t.name, Description: t.description, Schema: t.schema, Effects: t.effects}
		out[i].Run = func(ctx context.Context, arguments json.RawMessage) (agent.Output, error) {
			return s.call(ctx, t, arguments)
		}
	}
	return out, nil
}

// Problems returns the problems of the current list of tools: tools that cannot be used, and a failed refresh of the
// list. It is empty if there are none or if there is no connection.
func (s *Server) Problems() []error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.link == nil {
		return nil
	}
	return append([]error{}, s.link.list.Load().problems...)
}

// Close stops the server and waits until its process has exited. Running calls fail. Close may be called several times.
func (s *Server) Close() error {
	s.once.Do(func() {
		s.mu.Lock()
		s.closed = true
		close(s.closing)
		s.mu.Unlock()
	})
	s.tasks.Wait() // after this, no goroutine connects
	s.mu.Lock()
	l := s.link
	s.link = nil
	s.mu.Unlock()
	if l != nil {
		l.close()
	}
	return nil
}

// scope returns a context that is canceled with ctx or by Close. The caller must call done.
func (s *Server) scope(ctx context.Context) (scoped context.Context, done func()) {
	scoped, cancel := context.WithCancelCause(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		cancel(errClosed)
		return scoped, func() {}
	}
	s.tasks.Add(1)
	stop := cancelOn(s.closing, func() { cancel(errClosed) })
	return scoped, func() {
		stop()
		cancel(nil)
		s.tasks.Done()
	}
}

// ensureConnection returns the current connection, or a new one if it has ended.
func (s *Server) ensureConnection(ctx context.Context) (*link, error) {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	s.mu.Lock()
	l := s.link
	s.mu.Unlock()
	if l != nil && !l.over() {
		return l, nil
	}
	if l != nil {
		s.drop(l)
	}
	return s.reconnect(ctx)
}

// reconnect opens a new connection, unless there were too many restarts.
func (s *Server) reconnect(ctx context.Context) (*link, error) {
	wait, until := s.restarts.next(time.Now())
	if !until.IsZero() {
		return nil, fmt.Errorf("it was started again %d times within %v and is left alone for %v%s", maxRestarts, restartWindow,
			time.Until(until).Round(time.Second), s.lastWords())
	}
	pause(wait, ctx.Done())
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	l, err := connect(ctx, s.conf)
	if s.failed = err; err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.link = l
	s.mu.Unlock()
	return l, nil
}

// previousLink returns the connection that was dropped last, nil if none was dropped yet.
func (s *Server) previousLink() *link {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.before
}

// lastWords returns the end of an error message about the last failure or exit of the server, "" if unknown.
func (s *Server) lastWords() string {
	before := s.previousLink()
	switch {
	case s.failed != nil:
		return ": " + s.failed.Error()
	case before != nil && before.proc != nil:
		before.proc.exitsWithin(endByItself) // it is about to exit
		return ": " + before.proc.state()
	}
	return ""
}

// drop removes the connection l and closes it in the background.
func (s *Server) drop(l *link) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.link == l {
		s.link, s.before = nil, l
		s.tasks.Go(l.close)
	}
}

// call calls a tool. If the connection is lost before the call was sent, call retries once with a new connection.
func (s *Server) call(ctx context.Context, t *serverTool, arguments json.RawMessage) (agent.Output, error) {
	ctx, done := s.scope(ctx)
	defer done()
	for again := true; ; again = false {
		l, err := s.ensureConnection(ctx)
		switch {
		case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil:
			return agent.Output{}, err
		case err != nil:
			return agent.Output{}, &agent.ToolError{Code: agent.CodeToolFailed, Message: unavailable(strconv.Quote(s.conf.Name), err).Error()}
		}
		result, err := l.call(ctx, t, arguments)
		switch {
		case err == nil:
			return readResult(result)
		case errors.Is(context.Cause(ctx), errClosed):
			return agent.Output{}, s.interruptedError(errClosed)
		case ctx.Err() != nil:
			return agent.Output{}, ctx.Err()
		case isToolError(err):
			return agent.Output{}, err
		case !isConnectionLost(err):
			return agent.Output{}, &agent.ToolError{Code: agent.CodeToolFailed, Message: jsonx.Clip(err.Error(), maxErrorText)}
		}
		s.drop(l)
		if !again || !unsent(err) {
			return agent.Output{}, s.interruptedError(err)
		}
	}
}

func (s *Server) interruptedError(err error) error {
	return &agent.ToolError{Code: agent.CodeInterrupted, Message: fmt.Sprintf(
		"the MCP server %q went away while the call was under way: whether it had an effect is not known: %s", s.conf.Name,
		jsonx.Clip(err.Error(), maxErrorText))}
}
