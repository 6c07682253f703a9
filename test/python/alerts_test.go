package python_test

import (
	"bufio"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/alert"
	"github.com/callwright/callwright/internal/freeport"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/prerequisite"
)

// alertSecret signs the messages of the test.
const alertSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// TestAlerts: the receiver of docs/alerts.md, with the library of Standard Webhooks, takes a message of a gateway, and refuses one that another secret signed.
func TestAlerts(t *testing.T) {
	uv := prerequisite.Program(t, "uv")
	text, err := os.ReadFile("../../docs/alerts.md")
	if err != nil {
		t.Fatal(err)
	}
	found := program.FindSubmatch(text)
	ports, err := freeport.Find(1)
	if err != nil || found == nil {
		t.Fatal(err, found)
	}
	address := freeport.Address(ports[0])
	file := filepath.Join(t.TempDir(), "receiver.py")
	if err := os.WriteFile(file, []byte(strings.Replace(string(found[1]), `("127.0.0.1", 9000)`, `("127.0.0.1", `+address[strings.LastIndexByte(address, ':')+1:]+`)`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"run", "--quiet", "--no-project", "--with", "standardwebhooks==1.1.0", "python"}
	if out, err := exec.CommandContext(t.Context(), uv, append(args, "-c", "import standardwebhooks")...).CombinedOutput(); err != nil {
		prerequisite.Missing(t, "uv could not install standardwebhooks (is there a network?): ", err, string(out))
	}
	cmd := exec.CommandContext(t.Context(), uv, append(args, file)...)
	cmd.Env = append(plainEnv(), "ALERT_SECRET="+alertSecret)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := make(chan string, 10)
	go func() {
		for in := bufio.NewScanner(out); in.Scan(); {
			lines <- in.Text()
		}
	}()
	waitFor(t, address)
	sendAlert(t, address, "whsec_"+strings.Repeat("AAAA", 10), "forged") // the receiver breaks the connection
	sendAlert(t, address, alertSecret, "true")
	if got := <-lines; got != "state.lost true" {
		t.Errorf("got %q", got)
	}
}

// waitFor waits until something listens at an address.
func waitFor(t *testing.T, address string) {
	t.Helper()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for {
		if c, err := net.Dial("tcp", address); err == nil {
			_ = c.Close()
			return
		}
		select {
		case <-again.C:
		case <-t.Context().Done():
			t.Fatal("the receiver never listens")
		}
	}
}

// sendAlert has a gateway send one event, and waits until it was tried.
func sendAlert(t *testing.T, address, secret, remedy string) {
	t.Helper()
	key, err := alert.ParseSecret(secret)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	problems := health.New(health.Config{})
	fault := problems.Fault(alert.Subject, "not delivered", "look at the receiver")
	a, err := alert.New(alert.Config{URL: "http://" + address + "/", Secret: key, Every: 10 * time.Millisecond, Fault: fault,
		Counted: func(string, string) { stop() },
		Problems: func() []health.Problem {
			if len(problems.Problems()) > 0 { // it was tried, and refused
				stop()
			}
			return []health.Problem{{Severity: health.Degraded, Subject: "state", Topic: health.TopicState, Cause: "NATS is away", Remedy: remedy}}
		}})
	if err != nil {
		t.Fatal(err)
	}
	a.Run(ctx)
}
