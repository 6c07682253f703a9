// Package natstest starts servers of NATS for tests, and clusters of processes.
package natstest

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Start starts a server at an address of this machine, which keeps its messages for as long as the test lasts. change,
// which may be nil, changes its options before.
func Start(t testing.TB, change func(*server.Options)) *server.Server {
	t.Helper()
	o := &server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true}
	if change != nil {
		change(o)
	}
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("NATS is not ready")
	}
	return s
}

// Kills is how often a test kills its process: CALLWRIGHT_KILLS, or a few times.
func Kills(t testing.TB, few int) int {
	t.Helper()
	said := os.Getenv("CALLWRIGHT_KILLS")
	if said == "" {
		return few
	}
	n, err := strconv.Atoi(said)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
