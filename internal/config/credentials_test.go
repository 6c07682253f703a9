package config_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestCredentials: every credential that a configuration has is listed, wherever it stands.
func TestCredentials(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte("canary-of-a-file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	set := []string{"LAB_KEY=canary-of-a-variable", "GROQ_API_KEY=canary-of-the-table", "NATS_PASSWORD=canary-of-nats"}
	c := parse(t, `
keys: [canary-of-a-client, {key: canary-of-another, name: ada}]
state: {nats: {url: "nats://127.0.0.1:4222", user: gateway, password: "env:NATS_PASSWORD"}}
alerts: {url: "https://alerts.example/hook", secret: whsec_Y2FuYXJ5LW9mLWFsZXJ0cy0wMTIzNDU2Nzg5}
providers:
  lab: {wire: openai, base_url: "http://127.0.0.1:9", api_key: "env:LAB_KEY", headers: {X-Team: canary-of-a-header}}
  far: {wire: openai, base_url: "http://127.0.0.1:8", api_key: [canary-of-one, {key: "file:`+file+`", weight: 2}]}
  gone: {wire: openai, base_url: "http://127.0.0.1:7", api_key: "file:/nowhere/key"}
`, set...)
	got := c.Credentials(env(set...))
	for _, want := range []string{"canary-of-a-client", "canary-of-another", "canary-of-nats", "whsec_Y2FuYXJ5LW9mLWFsZXJ0cy0wMTIzNDU2Nzg5", "https://alerts.example/hook", "canary-of-a-variable", "canary-of-a-header", "canary-of-one", "canary-of-a-file", "canary-of-the-table"} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is missing in %q", want, got)
		}
	}
}
