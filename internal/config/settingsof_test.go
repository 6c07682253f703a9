package config_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config"
)

// TestSettingsOfKeepFingerprints: what SettingsOf returns treats requests as the whole configuration does, for each key of a model.
func TestSettingsOfKeepFingerprints(t *testing.T) {
	print := func(c *config.Config) string {
		client, err := registry(t, c).Resolve("lab/m")
		if err != nil {
			t.Fatal(err)
		}
		plan, err := client.Explain(t.Context(), weather("lab/m"))
		if err != nil {
			t.Fatal(err)
		}
		return plan.Fingerprint
	}
	for key, values := range answerValues {
		for _, value := range values {
			whole := parse(t, "providers:\n  lab: {wire: openai, base_url: \"http://127.0.0.1:9\"}\nmodels:\n  lab/m: {"+key+": "+value+"}\n  lab/o: {params: {seed: 1}}\n")
			text, err := whole.SettingsOf("lab/m")
			if err != nil {
				t.Fatal(key, err)
			}
			part, err := config.Parse(text, env(""))
			if err != nil {
				t.Errorf("%s: %s: %v\n%s", key, value, err, text)
				continue
			}
			if print(part) != print(whole) {
				t.Errorf("%s: %s: another fingerprint by\n%s", key, value, text)
			}
		}
	}
}

// TestSettingsOf: entries on the way to a model are there, others and credentials are not, and the text is read again as it is.
func TestSettingsOf(t *testing.T) {
	c := parse(t, `
cache: client
transforms: [gemini_openrouter_compat]
providers:
  lab: {wire: openai, base_url: "http://127.0.0.1:9/v1", api_key: sk-canary-key-12345678, headers: {X-Team: canary-header}, timeouts: {total: 90s}, max_retries: 0}
  far: {wire: anthropic, base_url: "http://127.0.0.1:8", api_key: [canary-one-123, canary-two-123]}
  other: {wire: openai, base_url: "http://127.0.0.1:7"}
models:
  fast: {model: lab/m, fallbacks: [{model: far/n, on: [timeout]}, far/o], mode: [text]}
  lab/m: {caps: {images: no}, max_corrections: 1}
  "lab/*": {policy: strict}
  far/n: {params: {temperature: 0.30}}
  unrelated: {model: other/x}
  group: {any: [lab/m, far/n], prefer: order}
`)
	text, err := c.SettingsOf("fast")
	if err != nil {
		t.Fatal(err)
	}
	want := `cache: "client"
transforms: ["gemini_openrouter_compat"]
providers:
  "lab": {"wire": "openai", "base_url": "http://replay.invalid", "max_retries": 0, "timeouts": {"total": "1m30s"}}
  "far": {"wire": "anthropic", "base_url": "http://replay.invalid"}
models:
  "fast": {"model": "lab/m", "mode": ["text"], "fallbacks": [{"model":"far/n","on":["timeout"]}, "far/o"]}
  "lab/m": {"max_corrections": 1, "caps": {"images": "no"}}
  "lab/*": {"policy": "strict"}
  "far/n": {"params": {"temperature":0.30}}`
	if string(text) != want {
		t.Errorf("got\n%s\nexpected\n%s", text, want)
	}
	again := parse(t, string(text))
	if twice, err := again.SettingsOf("fast"); err != nil || string(twice) != string(text) {
		t.Errorf("read again: %v\n%s", err, twice)
	}
	group, err := c.SettingsOf("group")
	if err != nil || !strings.Contains(string(group), `"prefer": "order"`) || strings.Contains(string(group), "unrelated") {
		t.Errorf("%v\n%s", err, group)
	}
	if text, err := c.SettingsOf(callwright.ModelID("nothing")); err != nil || strings.Contains(string(text), "providers") {
		t.Errorf("%v\n%s", err, text)
	}
}
