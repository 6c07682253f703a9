package launch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/callwright/callwright/internal/filelock"
)

// Several starts share a gateway at one address. The one that serves holds a lock, named by the port, in the folder of
// the sessions. The others wait for the lock: when its holder ends, one of them serves in its place. A gateway that no
// start serves has no lock, and then nobody takes its place.

// The times of sharing.
const (
	lockEvery = 200 * time.Millisecond // how often the lock is tried
	closeTime = 2 * time.Second        // how long a gateway whose lock is released may still answer
	beginTime = 20 * time.Second       // how long one whose lock is held may take until it answers
)

// attach sees to it that a gateway serves the agent until detach is called.
func (s *Start) attach(ctx context.Context) (detach func(), err error) {
	_, port, err := net.SplitHostPort(s.Listen)
	if err != nil {
		return nil, err
	}
	if port == "0" { // nobody else finds it
		return s.serve(ctx, func() {})
	}
	if err := os.MkdirAll(s.Folder, 0o700); err != nil {
		return nil, unwritable(err)
	}
	root, err := os.OpenRoot(s.Folder)
	if err != nil {
		return nil, err
	}
	name := "gateway-" + port + lockEnding
	ctx, cancel := context.WithCancel(ctx)
	end, err := s.serveOrFind(ctx, root, name)
	if err != nil {
		cancel()
		return nil, errors.Join(err, root.Close())
	}
	var successor sync.WaitGroup
	if s.runs {
		successor.Go(func() { end = s.succeed(ctx, root, name) })
	}
	return func() {
		cancel()
		successor.Wait()
		end()
		_ = root.Close()
	}, nil
}

// serveOrFind serves, unless a gateway runs or another start begins to serve. Then runs is set.
func (s *Start) serveOrFind(ctx context.Context, root *os.Root, name string) (end func(), err error) {
	nothing := func() {}
	if s.runs {
		return nothing, nil
	}
	ctx, cancel := context.WithTimeout(ctx, beginTime)
	defer cancel()
	for {
		lock, err := lockNow(ctx, root, name, os.O_CREATE)
		if err == nil {
			return s.serve(context.WithoutCancel(ctx), func() { unlock(root, name, lock) })
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			return nil, err
		}
		if s.runs, err = s.gateway.Runs(ctx); s.runs || err != nil {
			return nothing, err
		}
		if !pause(ctx) {
			return nil, fmt.Errorf("the gateway that another start began at %s does not answer", s.gateway.Address)
		}
	}
}

// succeed waits until the start that serves has ended, and then serves until end is called. It gives up where ctx ends
// or the gateway is none of a start.
func (s *Start) succeed(ctx context.Context, root *os.Root, name string) (end func()) {
	nothing := func() {}
	for {
		lock, err := lockNow(ctx, root, name, os.O_CREATE)
		switch {
		case err == nil && s.isGone(ctx):
			end, err := s.serve(context.WithoutCancel(ctx), func() { unlock(root, name, lock) })
			if err == nil {
				return end
			}
			if !pause(ctx) { // the one before may still have the folder of state. There is nobody to tell: the agent has the terminal
				return nothing
			}
		case err == nil:
			unlock(root, name, lock)
			return nothing
		case !errors.Is(err, context.DeadlineExceeded), !pause(ctx):
			return nothing
		}
	}
}

// isGone waits a while for a gateway to end and reports whether it did.
func (s *Start) isGone(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, closeTime)
	defer cancel()
	for {
		runs, err := s.gateway.Runs(ctx)
		if !runs && err == nil {
			return true
		}
		if !pause(ctx) {
			return false
		}
	}
}

// unlock removes the lock, which another start then makes anew.
func unlock(root *os.Root, name string, lock *os.File) {
	_ = root.Remove(name)
	_ = filelock.Release(lock)
}

// serve starts a gateway until end is called. It is released before its running requests have ended: another may take
// its place meanwhile.
func (s *Start) serve(ctx context.Context, release func()) (end func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	address, wait, err := s.Serve(ctx)
	if err != nil {
		cancel()
		release()
		return nil, err
	}
	if strings.HasSuffix(s.gateway.Address, ":0") { // now the port is known
		s.gateway, err = NewGateway(address, s.key, s.cert())
	}
	return func() {
		cancel()
		release()
		wait()
	}, err
}

// pause waits until the lock may be tried again, and reports whether ctx goes on.
func pause(ctx context.Context) bool {
	timer := time.NewTimer(lockEvery)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// lockNow takes a lock that no process has. The error is that of a deadline where one has it.
func lockNow(ctx context.Context, root *os.Root, name string, flag int) (*os.File, error) {
	ctx, cancel := context.WithTimeout(ctx, tryLock)
	defer cancel()
	return filelock.Open(ctx, root, name, flag)
}
