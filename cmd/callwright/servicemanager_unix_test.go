//go:build unix

package main

import (
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A notified is what a gateway tells its service manager.
type notified struct {
	t      *testing.T
	socket *net.UnixConn
	alive  int // signs of life that were read
}

// newNotified opens the socket of a service manager. setup is the line of a shell that names it, and asks for signs of life.
func newNotified(t *testing.T) (m *notified, setup string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "cw") // short: the path of a socket is
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "notify")
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = socket.Close() })
	return &notified{t: t, socket: socket}, "export NOTIFY_SOCKET='" + path + "' WATCHDOG_USEC=20000;"
}

// next returns what is told next, but for signs of life, which are counted.
func (m *notified) next() string {
	m.t.Helper()
	if err := m.socket.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		m.t.Fatal(err)
	}
	for buf := make([]byte, 4096); ; m.alive++ {
		n, err := m.socket.Read(buf)
		if err != nil {
			m.t.Fatal(err)
		}
		if said := string(buf[:n]); said != "WATCHDOG=1" {
			return said
		}
	}
}

func (m *notified) want(said string) {
	m.t.Helper()
	if got := m.next(); got != said {
		m.t.Fatalf("told %q, want %q", got, said)
	}
}

// systemd is told when the gateway answers, reads its configuration again, is alive, and stops.
func TestServiceManager(t *testing.T) {
	m, setup := newNotified(t)
	p := startGateway(t, setup, "providers: {sim: {}}\n")
	m.want("READY=1")
	if status, err := p.ask(http.DefaultClient, "sim/native"); status != 200 {
		t.Errorf("ready: got %d, %v", status, err)
	}
	if err := p.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	m.want("RELOADING=1")
	m.want("READY=1")
	buf := make([]byte, 100)
	if n, err := m.socket.Read(buf); err != nil || string(buf[:n]) != "WATCHDOG=1" {
		t.Errorf("told %q, %v", buf[:n], err)
	}
	http.DefaultClient.CloseIdleConnections()
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	m.want("STOPPING=1")
}

// systemd is told which process takes the place of the gateway, and not that the service stops. The new one gives signs of life.
func TestServiceManagerTakeover(t *testing.T) {
	m, setup := newNotified(t)
	p := startGateway(t, setup, "providers: {sim: {}}\n")
	m.want("READY=1")
	next, _ := takeOver(t, p, p.lines())
	said := []string{m.next(), m.next()} // of two processes, in either order
	if all := strings.Join(said, " "); !strings.Contains(all, "MAINPID="+strconv.Itoa(next)) || !strings.Contains(all, "READY=1") {
		t.Errorf("told %q", said)
	}
	if state, err := p.Process.Wait(); err != nil || !state.Success() {
		t.Fatalf("%v, %v", state, err)
	}
	m.alive = 0
	if err := syscall.Kill(next, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	m.want("STOPPING=1")
}

// With --stop-with-stdin the gateway ends with the program that holds its standard input, however that ends.
func TestStopWithStdin(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "in")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	holds, err := os.OpenFile(fifo, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := startGateway(t, "exec <'"+fifo+"';", "providers: {sim: {}}\n", "--stop-with-stdin")
	if status, err := p.ask(http.DefaultClient, "sim/native"); status != 200 {
		t.Errorf("got %d, %v", status, err)
	}
	http.DefaultClient.CloseIdleConnections()
	if err := holds.Close(); err != nil {
		t.Fatal(err)
	}
	if state, err := p.Process.Wait(); err != nil || !state.Success() {
		t.Errorf("%v, %v", state, err)
	}
}
