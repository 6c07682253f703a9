// Package natstest starts NATS servers for tests, in this process or as a cluster of processes.
package natstest

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Start starts a NATS server with JetStream on a loopback address. It stops at the end of the test. change, if not nil,
// changes its options first.
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

// Kills returns how often a test should kill its process: the value of CALLWRIGHT_KILLS, or else the parameter few.
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
