// Package servicemanager tells systemd the state of a service: ready, reloading, stopping, alive. The protocol is that
// of https://www.freedesktop.org/software/systemd/man/latest/sd_notify.html: datagrams of lines NAME=value to a socket
// that a variable names.
package servicemanager

import (
	"context"
	"log/slog"
	"net"
	"os"
	"strconv"
	"sync"
	"time"
)

// The variables by which systemd says where it is told, how often it wants a sign of life, and of which process.
const (
	envSocket   = "NOTIFY_SOCKET"
	envInterval = "WATCHDOG_USEC" // microseconds
	envWatched  = "WATCHDOG_PID"
)

// The states of the sd_notify protocol. The number of a process is appended to mainPID.
const (
	ready     = "READY=1"
	reloading = "RELOADING=1"
	stopping  = "STOPPING=1"
	alive     = "WATCHDOG=1"
	mainPID   = "MAINPID="
)

// A Manager is told the state of this process. Its methods do nothing where no manager asks for it, and on nil. It is
// safe for concurrent use.
type Manager struct {
	socket   string        // empty for none
	interval time.Duration // between two signs of life; 0 for none
	log      *slog.Logger
	warned   sync.Once
}

// Open returns the manager that the environment names. handedOver says that this process takes the place of another
// one, for which the manager had asked for signs of life.
func Open(env func(string) (string, bool), handedOver bool, log *slog.Logger) *Manager {
	m := &Manager{log: log}
	m.socket, _ = env(envSocket)
	if m.socket == "" {
		return m
	}
	text, _ := env(envInterval)
	usec, err := strconv.ParseInt(text, 10, 64)
	watched, named := env(envWatched)
	if err == nil && usec > 0 && (handedOver || !named || watched == strconv.Itoa(os.Getpid())) {
		m.interval = time.Duration(usec) * time.Microsecond / 2 // as sd_watchdog_enabled(3) recommends
	}
	return m
}

// Ready tells that the service answers. answers is asked until it is true, for ten seconds at most.
func (m *Manager) Ready(ctx context.Context, answers func(context.Context) bool) {
	if m == nil || m.socket == "" {
		return
	}
	within, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	again := time.NewTicker(readyPoll)
	defer again.Stop()
	for !answers(within) {
		select {
		case <-ctx.Done():
			return
		case <-within.Done():
			m.log.Warn("the gateway does not reach itself at the address at which it listens: systemd is told that it is ready all the same")
			m.tell(ready)
			return
		case <-again.C:
		}
	}
	m.tell(ready)
}

// How long, and how often, a service is asked whether it answers.
const (
	readyTime = 10 * time.Second
	readyPoll = 20 * time.Millisecond
)

// Reload tells that the configuration is read again, while it is.
func (m *Manager) Reload(read func()) {
	m.tell(reloading)
	read()
	m.tell(ready)
}

// HandedOver tells that another process is the service from now on.
func (m *Manager) HandedOver(pid int) { m.tell(mainPID + strconv.Itoa(pid)) }

// Stopping tells that the service ends.
func (m *Manager) Stopping() { m.tell(stopping) }

// Watch gives signs of life until ctx ends.
func (m *Manager) Watch(ctx context.Context) {
	if m == nil || m.interval == 0 {
		return
	}
	tick := time.NewTicker(m.interval)
	defer tick.Stop()
	for {
		m.tell(alive)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// tell sends one datagram. The log has the first error.
func (m *Manager) tell(state string) {
	if m == nil || m.socket == "" {
		return
	}
	err := send(m.socket, state)
	if err != nil {
		m.warned.Do(func() { m.log.Warn("systemd cannot be told the state of the service", "error", err) })
	}
}

func send(socket, state string) error {
	// an @ in front is that of an abstract one there, too
	c, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		return err
	}
	_, err = c.Write([]byte(state))
	if ended := c.Close(); err == nil {
		err = ended
	}
	return err
}
