package classes_test

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/gateway"
	"go.uber.org/goleak"
)

func TestMain(t *testing.M) { goleak.VerifyTestMain(t) }

// startGateway serves a configuration, and returns the address. It ends with the test.
func startGateway(t *testing.T, text string, keepAlive time.Duration) string {
	t.Helper()
	noEnv := func(string) (string, bool) { return "", false }
	c, err := config.Parse([]byte(text), noEnv)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	registry, err := config.NewRegistry(c, config.WithEnv(noEnv))
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	s, served := gateway.New(gateway.Config{Models: registry, ReuseBodies: true, KeepAlive: keepAlive}), make(chan error, 1)
	go func() { served <- s.Serve(ctx, ln) }()
	t.Cleanup(func() {
		s.Abort()
		stop()
		if err := <-served; err != nil {
			t.Errorf("the gateway ended: %v", err)
		}
		registry.Close()
	})
	return "http://" + ln.Addr().String()
}
