package engines_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/conformance"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/test/engines"
)

// replies has the scripts with which the model answers the texts of checks, by the beginnings of the texts. Ordered
// calls have scripts of their own.
var replies = map[string]string{
	"Hello!": "hello", "Count ": "count", "How many letters": "think", "Name a sea": "sea",
	"It is sunny": "weather", "The booking number": "booking", "The service is down": "down",
}

// findReply returns the script that answers a text of a check, "" where none does.
func findReply(text string) string {
	if calls, ok := writeCalls(text); ok {
		return engines.FindScript(calls)
	}
	for begin, name := range replies {
		if strings.HasPrefix(text, begin) {
			return name
		}
	}
	return ""
}

// writeCalls returns the text of a model that makes the calls that a text orders, one a line.
func writeCalls(text string) (calls string, ok bool) {
	var blocks []string
	for line := range strings.Lines(text) {
		rest, ordered := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "Call the tool ")
		name, args, whole := strings.Cut(rest, " with exactly these arguments: ")
		if !ordered || !whole {
			return "", false
		}
		blocks = append(blocks, fmt.Sprintf("<tool_call>\n{\"name\": %q, \"arguments\": %s}\n</tool_call>", name, args))
	}
	return strings.Join(blocks, "\n"), len(blocks) > 0
}

// checkCard checks one API of a server. Protocol checks fail if they are among the faults, and only then. A model check
// among the faults may pass, since it may depend on noise. Some texts are not written over each API: the fault may be
// untested there.
func checkCard(t *testing.T, o conformance.Options, faults []fault) {
	t.Helper()
	o.Timeout, o.MaxTokens, o.Tries, o.Concurrency = time.Minute, answerTokens, 2, 1
	o.Prompt = func(text string) string {
		script := findReply(text)
		switch {
		case text == "": // the empty result of a call stays empty
			return text
		case script == "":
			t.Errorf("no script answers %q", text)
		}
		return text + " <|s:" + script + "|>"
	}
	card, err := conformance.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range card.Checks {
		c := &card.Checks[i]
		at := slices.IndexFunc(faults, func(f fault) bool { return f.check == c.Name && f.not != o.API })
		switch failed := c.Result == conformance.Failed; {
		case failed && at < 0:
			t.Errorf("%s check %s: %s\n%s\n%s", c.Kind, c.Name, c.Why, c.Sent, c.Got)
		case failed:
			t.Logf("%s: %s: %s", c.Name, c.Why, faults[at].cause)
		case at >= 0 && c.Kind == conformance.OfProtocol && c.Result == conformance.Passed:
			t.Errorf("%s passes now: %s; the fault was: %s", c.Name, c.Why, faults[at].cause)
		}
	}
	t.Logf("%d checks passed, %d failed, %d not tested", card.Count(conformance.Passed), card.Count(conformance.Failed), card.Count(conformance.NotTested))
}

// answerTokens bounds answers: noise has no end.
const answerTokens = 256

// The servers have their known faults over each API that they serve, and no others.
func TestConformance(t *testing.T) {
	for _, s := range surfaces {
		if s.text {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			s.open(t)
			checkCard(t, conformance.Options{API: string(s.wire), URL: os.Getenv(s.variable), Model: s.model}, serverFaults[s.name])
		})
	}
}

// Clients of each API get none of the servers' faults through the gateway. Each API has a gateway of its own, which has
// learned nothing: what is learned of noise holds of nothing else.
func TestConformanceThroughGateway(t *testing.T) {
	for row, name := range map[string]string{"ollama": "ollama", "llamacpp": "llama openai"} {
		s := surfaces[slices.IndexFunc(surfaces, func(s surface) bool { return s.name == name })]
		t.Run(row, func(t *testing.T) {
			s.open(t)
			for _, api := range conformance.APIs() {
				t.Run(api, func(t *testing.T) {
					checkCard(t, conformance.Options{API: api, URL: startGateway(t, row, s), Model: row + "/" + s.model, Key: gatewayKey}, gatewayFaults[row])
				})
			}
		})
	}
}

// gatewayKey is the key that the gateway asks for.
const gatewayKey = "gate-key"

// startGateway runs a gateway before the server of a surface, which is the provider of a row, until the test ends. It
// returns the gateway's address.
func startGateway(t *testing.T, row string, s surface) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{"discover": "off", "keys": []string{gatewayKey}, "providers": map[string]any{
		row: map[string]any{"base_url": strings.TrimSuffix(os.Getenv(s.variable), "/") + s.path}}})
	if err != nil {
		t.Fatal(err)
	}
	conf, err := config.Parse(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	registry, err := config.NewRegistry(conf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(registry.Close)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() {
		done <- gateway.New(gateway.Config{Models: registry, Keys: []string{gatewayKey}}).Serve(ctx, ln)
	}()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return "http://" + ln.Addr().String()
}
