package gateway

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"
)

// leaveTime is how long clients may still send requests over connections that they have, when another process goes on
// at the address. One that is closed while a request is on its way breaks that request, so that those that are used are
// closed by an answer that says so.
const leaveTime = 5 * time.Second

// Leave ends Serve where another process goes on at the same address: nothing is accepted any more, and requests that
// come over connections that are there are answered and asked to come back over a new one. Serve returns when all of
// that is done, within DrainTime. Leave returns at once, and may be called more than once.
func (s *Server) Leave() { s.left.Do(func() { close(s.leaving) }) }

func (s *Server) leave(ctx context.Context, srv *http.Server, ln net.Listener, open *waiting, failed <-chan error) error {
	s.gone.Store(true)
	_ = ln.Close()
	s.cfg.Logger.Debug("nothing is accepted any more", "why", <-failed)
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
