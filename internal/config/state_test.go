package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/factfile"
)

// NATS is an address, or an object.
func TestStateNATS(t *testing.T) {
	c := parse(t, `state: {nats: "nats://me:hidden@a:4222, tls://b"}`)
	if n := &c.State.NATS; n.URL != "nats://me:hidden@a:4222, tls://b" || n.Hosts() != "nats://a:4222,tls://b" {
		t.Errorf("got %q, shown as %q", n.URL, n.Hosts())
	}
	lookup := env("PASS=sesame")
	c, err := config.Parse([]byte(`state: {nats: {url: "tls://a:4222", credentials: /c/gateway.creds, user: u, password: env:PASS, space: lab, tls: {ca: /c/ca, cert: /c/cert, key: /c/key}}}`), lookup)
	if err != nil {
		t.Fatal(err)
	}
	n := &c.State.NATS
	if n.URL != "tls://a:4222" || n.Credentials != config.Path(filepath.FromSlash("/c/gateway.creds")) || n.User != "u" || n.Space != "lab" || n.TLS.Key != config.Path(filepath.FromSlash("/c/key")) {
		t.Errorf("got %+v", n)
	}
	if password, err := n.Secret(lookup); err != nil || password != "sesame" {
		t.Errorf("got %q %v", password, err)
	}
	if _, err := n.Secret(env()); err == nil {
		t.Error("a password that is not there was found")
	}
}

func TestStateNATSRefused(t *testing.T) {
	for text, want := range map[string]string{
		`""`: "got none", `{user: u}`: "got none", `"http://a"`: "nats://host:4222", `"nats://"`: "nats://host:4222", `"nats://a,b"`: "nats://host:4222",
		`{url: "nats://a", tls: {cert: c}}`: "tls.cert and tls.key", `{url: "nats://a", wings: 2}`: "wings", `"ftp://me:hidden@a"`: "nats://host:4222",
	} {
		_, err := config.Parse([]byte("state: {nats: "+text+"}"), env())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", text, err)
		}
	}
}

// A trace is kept in one place, and on NATS where there is one.
func TestTraceOnNATS(t *testing.T) {
	for text, want := range map[string]string{
		`{state: {nats: "nats://a"}, trace: {nats: on, age: 24h}}`: "",
		`{trace: {nats: off, file: t.jsonl}}`:                      "",
		`{trace: {nats: on}}`:                                      "trace.nats: expected the address of a NATS server under state.nats",
		`{state: {nats: "nats://a"}, trace: {nats: on, file: t/}}`: "trace.nats: expected either a file or NATS for the trace, got both",
		`{state: {nats: "http://a"}, trace: {nats: on}}`:           "state.nats",
		`{state: {nats: "nats://a"}, trace: {nats: "nats://b"}}`:   `trace.nats: unknown switch "nats://b": expected on or off`,
	} {
		_, err := config.Parse([]byte(text), env())
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %v", text, err)
		}
	}
}

// The facts of a folder are taken over once, but for those that the capability store knows.
func TestTakeOverFacts(t *testing.T) {
	dir := t.TempDir()
	from, err := factfile.Open(filepath.Join(dir, "facts"), nil)
	if err != nil {
		t.Fatal(err)
	}
	to := caps.NewMemory(nil)
	for _, f := range []caps.Fact{{Key: "tools", Value: "no", Source: caps.Probed}, {Key: "images", Value: "no", Source: caps.Probed}} {
		if err := from.Learn(t.Context(), "lab/one", f); err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Learn(t.Context(), "lab/one", caps.Fact{Key: "tools", Value: "yes", Source: caps.Probed}); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{1, 0} {
		if n, err := config.TakeOverFacts(t.Context(), dir, to); err != nil || n != want {
			t.Errorf("time %d: %d facts, %v", i+1, n, err)
		}
	}
	facts, err := to.Facts(t.Context(), "lab/one")
	if err != nil || len(facts) != 2 || facts[0].Value != "yes" || facts[1].Key != "images" {
		t.Errorf("got %v %v", facts, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "facts.taken-over")); err != nil {
		t.Error(err)
	}
}
