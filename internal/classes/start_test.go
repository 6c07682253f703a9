package classes_test

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/gateway"
	"go.uber.org/goleak"
)

func TestMain(t *testing.M) { goleak.VerifyTestMain(t) }

// newRegistry returns the models of a configuration.
func newRegistry(t *testing.T, text string) *config.Registry {
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
	t.Cleanup(registry.Close)
	return registry
}

// A looped is how the run of an agent ended.
type looped struct {
	text, stop string
	ran        int             // how often its tool was run
	faults     map[string]bool // the classes of the notes
}

// runAgent runs an agent with the tool get_weather, which answers with the results in turn, the last of them ever after.
func runAgent(t *testing.T, text string, results ...string) looped {
	t.Helper()
	model, err := newRegistry(t, text).Resolve("lab/m")
	if err != nil {
		t.Fatal(err)
	}
	out := looped{faults: map[string]bool{}}
	tool := agent.Func("get_weather", "Tells the weather.", func(_ context.Context, in struct {
		City string `json:"city"`
	}) (string, error) {
		out.ran++
		return results[min(out.ran, len(results))-1], nil
	})
	res, err := agent.New(model, agent.Tools(tool), agent.WithParallel(1)).Run(t.Context(), callwright.UserText("Please do it."))
	if res == nil {
		t.Fatal(err)
	}
	for _, n := range res.Notes {
		out.faults[n.Fault] = true
	}
	out.text, out.stop = res.Text, string(res.Stop)
	return out
}

// startGateway serves a configuration, and returns the address. It ends with the test.
func startGateway(t *testing.T, text string, keepAlive time.Duration) string {
	t.Helper()
	registry := newRegistry(t, text)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	s, served := gateway.New(gateway.Config{Models: registry, Reuse: gateway.Reuse{Bodies: true}, KeepAlive: keepAlive}), make(chan error, 1)
	go func() { served <- s.Serve(ctx, ln) }()
	t.Cleanup(func() {
		s.Abort()
		stop()
		if err := <-served; err != nil {
			t.Errorf("the gateway ended: %v", err)
		}
	})
	return "http://" + ln.Addr().String()
}
