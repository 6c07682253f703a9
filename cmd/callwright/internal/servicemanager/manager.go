// Package servicemanager notifies systemd of the state of a service: ready, reloading, stopping, alive. The protocol is
// that of https://www.freedesktop.org/software/systemd/man/latest/sd_notify.html: datagrams of lines NAME=value to a
// socket that an environment variable names.
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

// Environment variables of systemd: the notification socket, the watchdog interval, and the process to watch.
const (
	envSocket   = "NOTIFY_SOCKET"
	envInterval = "WATCHDOG_USEC" // microseconds
	envWatched  = "WATCHDOG_PID"
)

// States of the sd_notify protocol. A process id is appended to mainPID.
const (
	ready     = "READY=1"
	reloading = "RELOADING=1"
	stopping  = "STOPPING=1"
	alive     = "WATCHDOG=1"
	mainPID   = "MAINPID="
)

// A Manager notifies systemd. Its methods do nothing on a nil Manager and if systemd did not start the service. It is
// safe for concurrent use.
type Manager struct {
	socket   string        // "" for none
	interval time.Duration // between two watchdog notifications; 0 for none
	log      *slog.Logger
	warned   sync.Once
}

// Open returns the manager for the environment. handedOver means that this process replaces another one, to whose id
// WATCHDOG_PID still refers.
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
		m.interval = time.Duration(usec) * time.Microsecond / 2 // half, as sd_watchdog_enabled(3) recommends
	}
	return m
}

// Ready notifies systemd when the service responds. It polls answers until it returns true, for at most readyTime.
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
			m.log.Warn("the gateway cannot connect to its own address: it reports to systemd that it is ready anyway")
			m.tell(ready)
			return
		case <-again.C:
		}
	}
	m.tell(ready)
}

// Time limit and interval for polling whether the service responds.
const (
	readyTime = 10 * time.Second
	readyPoll = 20 * time.Millisecond
)

// Reload calls read, which reloads the configuration. It notifies systemd of the reload before, and of its end after.
func (m *Manager) Reload(read func()) {
	m.tell(reloading)
	read()
	m.tell(ready)
}

// HandedOver notifies systemd that the process with the given id is the service from now on.
func (m *Manager) HandedOver(pid int) { m.tell(mainPID + strconv.Itoa(pid)) }

// Stopping notifies systemd that the service is stopping.
func (m *Manager) Stopping() { m.tell(stopping) }

// Watch sends watchdog notifications until ctx is done.
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

// tell sends a notification to systemd. Only the first error is logged.
func (m *Manager) tell(state string) {
	if m == nil || m.socket == "" {
		return
	}
	err := send(m.socket, state)
	if err != nil {
		m.warned.Do(func() { m.log.Warn("the state of the service cannot be reported to systemd", "error", err) })
	}
}

func send(socket, state string) error {
	// A name that starts with '@' is an abstract socket, as in systemd.
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
