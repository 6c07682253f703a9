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

// A Server is an MCP server whose tools can be called. It is safe for concurrent use. Open makes one, and Close ends
// it.
type Server struct {
	conf    Config
	closing chan struct{}
	once    sync.Once
	tasks   sync.WaitGroup // calls, and connections that end
	turn    chan struct{}  // holds a value while somebody connects

	mu     sync.Mutex
	link   *link // nil when there is no connection
	before *link // the one that was given up last
	closed bool

	// These belong to whoever has the turn.
	restarts restarts
	failed   error // of the last attempt to connect
}

var _ agent.Source = (*Server)(nil)

// errClosed is the error of calls after Close.
var errClosed = errors.New("it is closed")

// Open starts the server, or connects to it, and fetches its tools.
func Open(ctx context.Context, c Config) (*Server, error) {
	if err := c.check(); err != nil {
		return nil, &callwright.Error{Op: "mcptool.open", Kind: callwright.KindInvalid, Err: err}
	}
	l, err := connect(ctx, c)
	if err != nil {
		return nil, unavailable(c.describeServer(), err)
	}
	c.Name = l.conf.Name // the same after every restart
	return &Server{conf: c, closing: make(chan struct{}), turn: make(chan struct{}, 1), link: l}, nil
}

// unavailable is the error of a server that cannot be had, as it is called there.
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

// Name returns the prefix of the tools' names.
func (s *Server) Name() string { return s.conf.Name }

// Tools returns the tools as the server has them now, in its order. A server that has ended is started again. Where it
// cannot be, they are those that it had, whose calls fail until it is back. The error is that of ctx, or of a server
// that is closed.
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

// Problems returns the problems of the list of tools: those that are left out, by name, and a list that could not be
// fetched again. It is empty when there are none, and while there is no connection.
func (s *Server) Problems() []error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.link == nil {
		return nil
	}
	return append([]error{}, s.link.list.Load().problems...)
}

// Close ends the server and waits until nothing is left of it. Calls that are under way fail. It may be called more
// than once.
func (s *Server) Close() error {
	s.once.Do(func() {
		s.mu.Lock()
		s.closed = true
		close(s.closing)
		s.mu.Unlock()
	})
	s.tasks.Wait() // nobody connects from here on
	s.mu.Lock()
	l := s.link
	s.link = nil
	s.mu.Unlock()
	if l != nil {
		l.close()
	}
	return nil
}

// scope is a context that ends with ctx or the server, whichever is first. done must be called.
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

// ensureConnection returns the connection; when there is none any more, a new one.
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

// reconnect makes a new connection, unless there were too many.
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

// previousLink is the connection that was given up last. There is one where there is no other.
func (s *Server) previousLink() *link {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.before
}

// lastWords says how the server ended the last time.
func (s *Server) lastWords() string {
	before := s.previousLink()
	switch {
	case s.failed != nil:
		return ": " + s.failed.Error()
	case before != nil && before.proc != nil:
		before.proc.exitsWithin(endByItself) // it is about to
		return ": " + before.proc.state()
	}
	return ""
}

// drop gives up a connection, which ends by itself.
func (s *Server) drop(l *link) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.link == l {
		s.link, s.before = nil, l
		s.tasks.Go(l.close)
	}
}

// call makes a call of a tool.
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
