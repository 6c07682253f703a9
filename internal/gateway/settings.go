package gateway

import (
	"sync/atomic"
	"time"

	"github.com/callwright/callwright/internal/hosted"
)

// settings are the fields of Config that may change while a Server runs.
type settings struct {
	originPolicy *originPolicy
	passthrough  []string
	hosted       *hosted.Runner
	limits       Limits
	drainTime    time.Duration

	// users is the number of requests that use these settings, plus one while they are in force. idle is closed when it
	// becomes 0.
	users atomic.Int64
	idle  chan struct{}
}

func newSettings(cfg *Config) *settings {
	n := &settings{originPolicy: newFence(cfg), passthrough: cfg.Passthrough, hosted: cfg.Hosted, limits: cfg.Limits.orDefault(),
		drainTime: cfg.DrainTime, idle: make(chan struct{})}
	if n.passthrough == nil {
		n.passthrough = DefaultPassthrough
	}
	if n.drainTime == 0 {
		n.drainTime = 5 * time.Minute
	}
	n.users.Store(1)
	return n
}

// Replace applies Hosts, Origins, Passthrough, Hosted, Limits and DrainTime of cfg to later requests and ignores the
// other fields. Running requests keep the earlier settings. idle is closed when the last of them has ended.
func (s *Server) Replace(cfg Config) (idle <-chan struct{}) {
	before := s.settings.Swap(newSettings(&cfg))
	before.release()
	return before.idle
}

// holdSettings returns the settings in force and counts a user. The caller must call release.
func (s *Server) holdSettings() *settings {
	for {
		n := s.settings.Load()
		if n.hold() {
			return n
		}
	}
}

// hold counts one more request that uses the settings. It returns false if the last user has released them, so that
// the caller must load the present settings again.
func (n *settings) hold() bool {
	for {
		users := n.users.Load()
		if users == 0 {
			return false
		}
		if n.users.CompareAndSwap(users, users+1) {
			return true
		}
	}
}

func (n *settings) release() {
	if n.users.Add(-1) == 0 {
		close(n.idle)
	}
}
