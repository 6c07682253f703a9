package gateway

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"
)

// leaveTime is the time after Leave in which clients may still send requests over open connections. Closing an idle
// connection could break a request in transit, so a connection in use is closed by a response with "Connection: close".
const leaveTime = 5 * time.Second

// Leave makes Serve return when another process serves the same address. No new connection is accepted. Requests over
// open connections are answered with "Connection: close". Serve returns when all of them have ended, at most DrainTime
// later. Leave does not block and may be called more than once.
func (s *Server) Leave() { s.left.Do(func() { close(s.leaving) }) }

func (s *Server) leave(ctx context.Context, srv *http.Server, ln net.Listener, open *waiting, failed <-chan error) error {
	s.gone.Store(true)
	_ = ln.Close()
	s.cfg.Logger.Debug("listener closed", "why", <-failed)
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.settings.Load().drainTime)
	defer cancel()
	tick := time.NewTicker(drainPoll)
	defer tick.Stop()
	for over := time.After(min(leaveTime, s.settings.Load().drainTime)); open.count() > 0; {
		select {
		case <-tick.C:
			continue
		case <-over:
		case <-ctx.Done():
		}
		break
	}
	err := srv.Shutdown(within)
	if errors.Is(err, context.DeadlineExceeded) {
		s.Abort()
		return ErrDrained
	}
	return err
}
