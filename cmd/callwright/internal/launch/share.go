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

// Several launches can share a gateway at one address. The launch that serves it holds a lock file, named after the
// port, in the folder of the sessions. The others wait for the lock. When its holder ends, one of them serves instead.
// A gateway that was not started by launch has no lock and is not replaced.

// Intervals and time limits for several launches that share a gateway.
const (
	lockEvery = 200 * time.Millisecond // interval of attempts to lock
	closeTime = 2 * time.Second        // time for a gateway to stop after its lock was released
	beginTime = 20 * time.Second       // time for a gateway to respond after its lock was taken
)

// attach ensures that a gateway serves the agent until detach is called.
func (s *Start) attach(ctx context.Context) (detach func(), err error) {
	_, port, err := net.SplitHostPort(s.Listen)
	if err != nil {
		return nil, err
	}
	if port == "0" { // the port is not known, so nobody can share it
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
		successor.Go(func() { end = s.takeOverGateway(ctx, root, name) })
	}
	return func() {
		cancel()
		successor.Wait()
		end()
		_ = root.Close()
	}, nil
}

// serveOrFind starts a gateway, which end stops. If one runs already, or another launch process starts one, it sets
// s.runs, and end does nothing. name is the name of the lock file in root that permits one process to start a gateway.
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
			return nil, fmt.Errorf("the gateway at %s, which another callwright launch started, does not answer", s.gateway.Address)
		}
	}
}

// takeOverGateway waits until the launch process that serves the gateway has ended. Then it starts a gateway, which end
// stops. If ctx is done, or if the gateway was not started by launch, it starts none, and end does nothing.
func (s *Start) takeOverGateway(ctx context.Context, root *os.Root, name string) (end func()) {
	nothing := func() {}
	for {
		lock, err := lockNow(ctx, root, name, os.O_CREATE)
		switch {
		case err == nil && s.isGone(ctx):
			end, err := s.serve(context.WithoutCancel(ctx), func() { unlock(root, name, lock) })
			if err == nil {
				return end
			}
			// The previous gateway may still use the state folder. Print nothing: the agent has the terminal.
			if !pause(ctx) {
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

// isGone waits up to closeTime for a gateway to stop. It reports whether it stopped.
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

// unlock removes the lock file and releases the lock.
func unlock(root *os.Root, name string, lock *os.File) {
	_ = root.Remove(name)
	_ = filelock.Release(lock)
}

// serve starts a gateway until end is called. end calls release before running requests have finished, so that another
// launch can take over the address.
func (s *Start) serve(ctx context.Context, release func()) (end func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	address, wait, err := s.Serve(ctx)
	if err != nil {
		cancel()
		release()
		return nil, err
	}
	if strings.HasSuffix(s.gateway.Address, ":0") { // the port is known now
		s.gateway, err = NewGateway(address, s.key, s.cert())
	}
	return func() {
		cancel()
		release()
		wait()
	}, err
}

// pause waits for lockEvery. It returns false if ctx is done.
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

// lockNow takes a lock without waiting. If another process holds it, the error is a deadline error.
func lockNow(ctx context.Context, root *os.Root, name string, flag int) (*os.File, error) {
	ctx, cancel := context.WithTimeout(ctx, tryLock)
	defer cancel()
	return filelock.Open(ctx, root, name, flag)
}
