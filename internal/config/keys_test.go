package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/config"
	"github.com/google/go-cmp/cmp"
)

// Everything that is said of a key reaches the gate.
func TestKeys(t *testing.T) {
	full := env("LAB_KEY=k", "CALLWRIGHT_KEY=first", "CALLWRIGHT_KEY_BEFORE=before", "LAB_PASS=p", "GROQ_API_KEY=g", "OPENAI_API_KEY=o")
	c, err := config.Load("testdata/good/full.yaml", full)
	if err != nil {
		t.Fatal(err)
	}
	_, keys, err := c.Access("", full)
	if err != nil {
		t.Fatal(err)
	}
	hash, err := access.ReadKey("sha256:2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b")
	if err != nil {
		t.Fatal(err)
	}
	want := []access.Key{
		access.NewUnlimitedKey("key 1", access.HashOf("first")), access.NewUnlimitedKey("key 2", access.HashOf("second")),
		{
			Name: "ci", Hash: hash, Previous: access.HashOf("before"), Models: []string{"fast", "groq/*"}, Providers: []string{"groq", "openai"},
			Verbs: []access.Verb{access.Generate, access.Count}, Expires: time.Date(2100, 12, 31, 10, 0, 0, 0, time.UTC),
			Limits: access.Limits{Requests: 60, Tokens: 200_000, Spend: access.Spend{USD: 2.5, Per: access.Day, Unpriced: true}},
			PerModel: []access.ModelLimits{
				{Models: "fast", Limits: access.Limits{Requests: 10, Tokens: 9}}, {Models: "openai/*", Limits: access.Limits{Spend: access.Spend{USD: 1}}},
			},
		},
	}
	if diff := cmp.Diff(want, keys); diff != "" {
		t.Error(diff)
	}
	if filepath.ToSlash(string(c.KeysFile)) != "testdata/good/keys.yaml" || filepath.ToSlash(string(c.PricesFile)) != "testdata/good/prices.yaml" || c.Server.Streams() != 0 {
		t.Errorf("got %s, %s, %d", c.KeysFile, c.PricesFile, c.Server.Streams())
	}
	if got := parse(t, "server: {}").Server.Streams(); got != 1000 {
		t.Errorf("got %d streams", got)
	}
}

// A day is over at its end.
func TestExpiry(t *testing.T) {
	for text, want := range map[string]string{
		"2100-01-31": "2100-02-01T00:00:00Z", "'2100-12-31'": "2101-01-01T00:00:00Z", "2100-01-31T12:00:00Z": "2100-01-31T12:00:00Z", "2100-01-31T12:00:00-05:00": "2100-01-31T17:00:00Z",
	} {
		c := parse(t, "keys: [{name: a, key: k, expires: "+text+"}]")
		if got := c.Keys[0].Expires.Format(time.RFC3339); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// What hinders nothing and is probably not meant is a warning.
func TestKeysWarn(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"keys: [{name: a, key: k, expires: 2020-01-01}]", `keys[0].expires: the key "a" has expired`},
		{"keys: [{name: a, key: env:UNSET}]", "keys[0].key: UNSET is not set: export UNSET=..."},
		{"keys: [{name: a, key: k, models: [fst]}]\nmodels: {fast: {model: groq/x}}", `keys[0].models[0]: "fst" matches no model: expected fast`},
		{"keys: [{name: a, key: k, models: ['gorq/*']}]", `"gorq/*" matches no model`},
		{"keys: [{name: a, key: k, models: [fast, 'f*', 'groq/*', 'gr*', groq/llama, '*', claude-7, 'claude-*']}]\nmodels: {fast: {model: groq/x}, 'claude-*': {model: groq/y}}", ""},
		{"keys: [{name: a, key: k, group: tema}]\ngroups: {team: {tokens_per_minute: 5}}", `keys[0].group: unknown group "tema": did you mean team?: requests with the key "a" are refused until`},
		{"keys: [{name: a, key: k, group: team}]\ngroups: {team: {limits: {gorq/x: {tokens_per_minute: 5}}}}", `groups.team.limits["gorq/x"]: "gorq/x" matches no model`},
		{"keys: [{name: a, key: k, group: team}]\ngroups: {team: {spend: {usd: 5}}}", ""},
		{"keys_file: nowhere/keys.yaml\nprices_file: nowhere/prices.yaml", "prices_file: open nowhere"},
	} {
		var got []string
		for _, w := range parse(t, c.text, "GROQ_API_KEY=k").Warnings() {
			got = append(got, w.Brief())
		}
		if all := strings.Join(got, "\n"); c.want == "" && all != "" || !strings.Contains(filepath.ToSlash(all), c.want) {
			t.Errorf("%s: got %q, want %q", c.text, all, c.want)
		}
	}
}

// TestKeyGroups: groups of keys are as a gate takes them, and wrong ones are refused at their place.
func TestKeyGroups(t *testing.T) {
	c := parse(t, `groups:
  team: {requests_per_minute: 60, tokens_per_minute: 1000, spend: {usd: 100, per: day, unpriced: allow}, limits: {"groq/*": {tokens_per_minute: 5}}}
  empty: {}
keys: [{name: a, key: one, group: team}, {name: b, key: two}]
`, "GROQ_API_KEY=k")
	want := []access.Group{{
		Name: "team", Limits: access.Limits{Requests: 60, Tokens: 1000, Spend: access.Spend{USD: 100, Per: access.Day, Unpriced: true}},
		PerModel: []access.ModelLimits{{Models: "groq/*", Limits: access.Limits{Tokens: 5}}},
	}, {Name: "empty"}}
	if diff := cmp.Diff(want, c.Groups.AccessGroups()); diff != "" {
		t.Error(diff)
	}
	_, keys, err := c.Access("", env())
	if err != nil || keys[0].Group != "team" || keys[1].Group != "" {
		t.Errorf("got %+v, %v", keys, err)
	}
	for text, want := range map[string]string{
		"groups: {team: {request_per_minute: 5}}":    "did you mean requests_per_minute?",
		"groups: {team: {requests_per_minute: 0}}":   "groups.team.requests_per_minute: expected a number from 1",
		"groups: {team: {spend: {per: day}}}":        "groups.team.spend: expected usd",
		"groups: [team]":                             "expected",
		"groups: {'': {}}":                           "expected a name of 1 to 128 bytes",
		"groups: {team: {limits: {x: {spend: {}}}}}": "expected usd",
	} {
		if _, err := config.Parse([]byte(text), env()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

func TestParseKeys(t *testing.T) {
	c := parse(t, "providers: {lab: {base_url: 'http://127.0.0.1:1/v1'}}\nmodels: {fast: {model: lab/x}}")
	for _, text := range []string{
		"keys: [{name: a, key: one, providers: [lab]}, {name: b, key: env:TWO, requests_per_minute: 3}]", "- {name: a, key: one, providers: [lab]}\n- {name: b, key: env:TWO, requests_per_minute: 3}",
		`[{"name": "a", "key": "one", "providers": ["lab"]}, {"name": "b", "key": "two", "requests_per_minute": 3}]`,
	} {
		got, err := c.ParseKeys([]byte(text), env("TWO=two"))
		want := []access.Key{{Name: "a", Hash: access.HashOf("one"), Providers: []string{"lab"}}, {Name: "b", Hash: access.HashOf("two"), Limits: access.Limits{Requests: 3}}}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v %s", text, err, diff)
		}
	}
	for text, want := range map[string]string{
		"":                        "",
		"keys: [plain]":           "1:8: keys[0]: expected name and key",
		"- {name: a, key: env:X}": "keys: X is not set: export X=...",
		"- {name: a, key: one}\n- {name: a, key: two}": "2:3: keys[1]: keys[0] already has the name \"a\"",
		"- {name: a, key: one}\n- {name: b, key: one}": `"a" and "b" are the same key`,
		"- {name: a, key: one, providers: [lba]}":      "did you mean lab?",
		"kyes: []": "did you mean keys?",
		"keys: 7":  "expected a list",
		"keys: [":  "not YAML",
	} {
		if _, err := c.ParseKeys([]byte(text), env()); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

func TestParsePrices(t *testing.T) {
	got, err := config.ParsePrices([]byte("lab/m: {input: 1, output: 2}\n\"lab/*\": {input: 1, cached_input: 0.1, cache_write: 1.25, output: 0}\n"), env())
	want := []access.PriceRow{
		{Models: "lab/m", Price: access.Price{Input: 1, Cached: 1, Write: 1, Output: 2}}, {Models: "lab/*", Price: access.Price{Input: 1, Cached: 0.1, Write: 1.25}},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	for text, want := range map[string]string{
		"lab/m: {input: 1}":             "1:1: [\"lab/m\"]: expected input and output",
		"lab/m: {input: -1, output: 1}": "expected a number from 0",
		"lab/m: {inputs: 1, output: 1}": "did you mean input?",
		"- lab/m":                       "expected a mapping",
	} {
		if _, err := config.ParsePrices([]byte(text), env()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

// The files that a configuration names are checked with it, where they are there, and errors show no key.
func TestFilesOfKeysAreChecked(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"gateway.yaml": "keys_file: keys.yaml\nprices_file: prices.yaml\n", "keys.yaml": "- {name: a, key: sk-secret, kind: x}\n", "prices.yaml": "lab/m: 7\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, err := config.Load(filepath.Join(dir, "gateway.yaml"), env())
	if err == nil || strings.Contains(err.Error(), "sk-secret") {
		t.Fatalf("got %v", err)
	}
	for _, want := range []string{"keys.yaml:1:29: keys[0].kind: unknown key", "prices.yaml:1:8: [\"lab/m\"]: expected a mapping"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func FuzzParseKeys(f *testing.F) {
	f.Add("- {name: a, key: one, models: [a], verbs: [ui], expires: 2100-01-01, spend: {usd: 1}}")
	f.Add("keys: [{name: a, key: sha256:00, previous: b}]")
	c, err := config.Parse(nil, env())
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		keys, err := c.ParseKeys([]byte(text), env())
		if err != nil {
			return
		}
		if err := access.CheckKeys(keys); err != nil {
			t.Errorf("%q is read, and is wrong: %v", text, err)
		}
	})
}
