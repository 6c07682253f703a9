package config_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/prerequisite"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/signature"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what is generated")

// env returns an environment that holds what tests put into it.
func env(pairs ...string) func(string) (string, bool) {
	set := map[string]string{}
	for _, p := range pairs {
		name, value, _ := strings.Cut(p, "=")
		set[name] = value
	}
	return func(name string) (string, bool) { v, ok := set[name]; return v, ok }
}

func parse(t *testing.T, text string, pairs ...string) *config.Config {
	t.Helper()
	c, err := config.Parse([]byte(text), env(pairs...))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func good(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/good/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	out := map[string][]byte{}
	for _, f := range files {
		if out[f], err = os.ReadFile(f); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// The slash that makes a folder of the name of a trace stays.
func TestTraceFolder(t *testing.T) {
	for text, want := range map[string]string{"traces/": "traces/", "/var/traces/": "/var/traces/", "~/traces/": "/home/me/traces/", "/": "/", "traces": "traces"} {
		c, err := config.Parse([]byte("trace: {file: "+text+"}"), env("HOME=/home/me"))
		if err != nil {
			t.Fatal(err)
		}
		if got := filepath.ToSlash(string(c.Trace.File)); got != want {
			t.Errorf("%s: got %q", text, got)
		}
	}
}

// Of files that are too long no more is read than shows it, and the error names the file and the bound.
func TestLongFiles(t *testing.T) {
	dir := t.TempDir()
	long, conf := filepath.Join(dir, "long.yaml"), filepath.Join(dir, "callwright.yaml")
	if err := errors.Join(os.WriteFile(long, nil, 0o600), os.Truncate(long, 1<<40), os.WriteFile(conf, []byte("models: {ollama/m: {tool_format: long.yaml}}"), 0o600)); err != nil {
		prerequisite.Missing(t, err) // not every file system has files with holes
	}
	if _, err := config.Load(long, env()); err == nil || err.Error() != long+": expected a file of at most 1048576 bytes, got a longer one" {
		t.Errorf("the configuration: %v", err)
	}
	if _, err := config.Load(conf, env()); err == nil || !strings.Contains(err.Error(), ": "+long+": expected a file of at most 65536 bytes, got a longer one") {
		t.Errorf("a format: %v", err)
	}
}

func TestParseReadsEveryKey(t *testing.T) {
	c, err := config.Load("testdata/good/full.yaml", env("LAB_KEY=k", "CALLWRIGHT_KEY=first", "LAB_PASS=p", "GROQ_API_KEY=g", "OPENAI_API_KEY=o"))
	if err != nil {
		t.Fatal(err)
	}
	if c.Listen != "127.0.0.1:9000" || c.State.Dir != "/var/lib/callwright" || c.State.NATS.URL != "nats://queue:4222" {
		t.Errorf("listen %q, state %+v", c.Listen, c.State)
	}
	if c.Trace.File != config.Path(filepath.FromSlash("testdata/good/traces/today.jsonl")) || c.Trace.Content == nil || *c.Trace.Content {
		t.Errorf("trace %+v", c.Trace)
	}
	kept := []any{c.State.Answers.Archive(), c.State.Reports.Archive(), c.State.Signatures.Signatures(), c.Trace.Log()}
	if d := cmp.Diff([]any{archive.Limits{Age: 2 * time.Hour, Bytes: 50_000_000, Count: 10_000}, archive.Limits{Age: 24 * time.Hour}, signature.Limits{Bytes: 1_000_000},
		trace.LogLimits{Age: 240 * time.Hour, Bytes: 500_000_000}}, kept); d != "" {
		t.Errorf("how much is kept (-want +got)\n%s", d)
	}
	if len(c.Keys) != 3 || c.Keys[0].Key.Reveal() != "env:CALLWRIGHT_KEY" || c.Keys[1].Key.Reveal() != "second" {
		t.Errorf("keys %d", len(c.Keys))
	}
	var names []string
	for _, p := range c.Providers {
		names = append(names, p.Name)
	}
	for _, m := range c.Models {
		names = append(names, m.Name)
	}
	if diff := cmp.Diff([]string{"groq", "lmstudio", "lab", "odd", "fast", "slow", "lab/*", "claude-*"}, names); diff != "" {
		t.Error("order:", diff)
	}
	lab := c.Providers[2]
	if lab.BaseURL != "http://127.0.0.1:8000/v1" || lab.Wire != callwright.WireOpenAI || *lab.MaxRetries != 1 || lab.Policy != callwright.PolicyObserve ||
		lab.Headers["X-Team"].Reveal() != "research" || lab.APIKey.Reveal() != "env:LAB_KEY" {
		t.Errorf("lab %+v", lab)
	}
	want := config.Timeouts{Connect: 3 * time.Second, FirstByte: 2 * time.Minute, BetweenBytes: 30 * time.Second}
	if lab.Timeouts != want {
		t.Errorf("timeouts %+v", lab.Timeouts)
	}
	if diff := cmp.Diff(map[string]bool{"json.trailing_comma": false, "coerce.string_to_integer": true}, lab.Rules); diff != "" {
		t.Error(diff)
	}
	slow := c.Models[1]
	facts := config.Facts{
		{Key: "tools", Value: "yes", Source: caps.Configured}, {Key: "max_tools", Value: "64", Source: caps.Configured},
		{Key: "images", Value: "false", Source: caps.Configured}, {Key: "reasoning", Value: "reasoning_content", Source: caps.Configured},
	}
	if diff := cmp.Diff(facts, slow.Caps); diff != "" {
		t.Error("caps:", diff)
	}
	members := config.Members{
		{Path: []string{"temperature"}, Value: []byte("0.10")},
		{Path: []string{"seed"}, Value: []byte("123456789012345678901234567890")},
		{Path: []string{"provider", "order"}, Value: []byte(`["alpha","2",3]`)},
		{Path: []string{"provider", "allow_fallbacks"}, Value: []byte("false")},
		{Path: []string{"store"}},
		{Path: []string{"extra"}, Value: []byte("{}")},
	}
	if diff := cmp.Diff(members, slow.Request); diff != "" {
		t.Error("request:", diff)
	}
	if *slow.MaxCorrections != 1 || *slow.RetryOtherMode || !*slow.StrictJSON || *slow.ExpectTextCalls || slow.StreamCalls != callwright.StreamHeld ||
		slow.Dialect != "hermes" || !*slow.ToolCallReliable {
		t.Errorf("slow %+v", slow)
	}
}

func TestModesByAllTheirNames(t *testing.T) {
	for _, c := range []struct {
		text string
		want config.Modes
	}{
		{"mode: auto", config.Modes{}},
		{"mode: native_tools", config.Modes{caps.Native}},
		{"mode: [native, text]", config.Modes{caps.Native, caps.Text}},
		{"mode: validated", config.Modes{caps.JSONObject, caps.Text}},
		{"modes: [structured, validated, text]", config.Modes{caps.JSONSchema, caps.JSONObject, caps.Text}},
		{"preferredModes: [parsed]", config.Modes{caps.Parsed}},
		{"preferNativeTools: true", config.Modes{}},
		{"preferNativeTools: false", config.Modes{caps.Text, caps.Native}},
		{"forceTextMode: true", config.Modes{caps.Text}},
		{"forceTextMode: false", config.Modes{}},
		{"dialect: hermes", nil},
	} {
		got := parse(t, "models:\n  groq/x: {"+c.text+"}\n", "GROQ_API_KEY=k").Models[0].Modes
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", c.text, diff)
		}
	}
}

// TestOtherNames: each other name of a key does what the key does.
func TestOtherNames(t *testing.T) {
	for _, pair := range [][2]string{
		{"max_retries: 5", "maxRetries: 5"},
		{"retry_other_mode: false", "retryWithDifferentFormat: false"},
		{"strict_json_instructions: true", "useStrictJsonInstructions: true"},
		{"expect_text_calls: false", "expectXmlOutput: false"},
		{"expect_text_calls: false", "enableXmlNormalization: false"},
	} {
		a := parse(t, "models: {groq/x: {"+pair[0]+"}}", "GROQ_API_KEY=k").Models[0].Settings
		b := parse(t, "models: {groq/x: {"+pair[1]+"}}", "GROQ_API_KEY=k").Models[0].Settings
		if diff := cmp.Diff(a, b); diff != "" || cmp.Equal(a, config.Settings{}) {
			t.Errorf("%v: %s", pair, diff)
		}
	}
}

func TestExpansion(t *testing.T) {
	for _, c := range []struct{ in, want, fail string }{
		{in: "${A}", want: "one"},
		{in: "x${A}${B}y", want: "xonetwoy"},
		{in: "${EMPTY:-else}", want: "else"},
		{in: "${EMPTY}x", want: "x"},
		{in: "${NONE:-}x", want: "x"},
		{in: "${NONE:-a:-b}", want: "a:-b"},
		{in: "$${A}", want: "${A}"},
		{in: "$A and $", want: "$A and $"},
		{in: "${TRICK}", want: "${A}"},
		{in: "${NONE}", fail: "environment variable NONE is not set"},
		{in: "${A", fail: "expected a }"},
		{in: "${}", fail: "expected ${NAME}"},
		{in: "${A B}", fail: "expected ${NAME}"},
	} {
		got, err := config.Parse([]byte("providers: {p: {base_url: http://h, headers: {X: '"+c.in+"'}}}"), env("A=one", "B=two", "EMPTY=", "TRICK=${A}"))
		switch {
		case c.fail != "":
			if err == nil || !strings.Contains(err.Error(), c.fail) {
				t.Errorf("%s: got %v, want %q", c.in, err, c.fail)
			}
		case err != nil:
			t.Errorf("%s: %v", c.in, err)
		default:
			if v := got.Providers[0].Headers["X"].Reveal(); v != c.want {
				t.Errorf("%s: got %q, want %q", c.in, v, c.want)
			}
		}
	}
}

// TestExpansionIsNotText: a value cannot become part of the structure.
func TestExpansionIsNotText(t *testing.T) {
	c := parse(t, "providers: {p: {base_url: http://h, headers: {X: '${EVIL}'}}}", "EVIL=a}, api_key: stolen}")
	if p := c.Providers[0]; !p.APIKey.Empty() || p.Headers["X"].Reveal() != "a}, api_key: stolen}" {
		t.Errorf("got %+v", p)
	}
}

// TestBad: every file has the errors that stand beside it, all of them, in the order of the text.
func TestBad(t *testing.T) {
	files, _ := filepath.Glob("testdata/bad/*.yaml")
	if len(files) == 0 {
		t.Fatal("no files")
	}
	for _, file := range files {
		_, err := config.Load(file, env("SET=1", "GROQ_API_KEY=k"))
		if err == nil {
			t.Errorf("%s: got no error", file)
			continue
		}
		var list config.Errors
		var one *config.Error
		if !errors.As(err, &list) || !errors.As(err, &one) || one.File != file {
			t.Errorf("%s: got %T", file, err)
		}
		got := shortened(err.Error())
		golden := strings.TrimSuffix(file, ".yaml") + ".txt"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, _ := os.ReadFile(golden)
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
}

// moreNames is how many names a list leaves out; formatNames is the list of formats.
var (
	moreNames   = regexp.MustCompile(`or \d+ more$`)
	formatNames = regexp.MustCompile(`(unknown dialect ".*": expected ).*`)
)

// shortened cuts long lines, the list of formats, and how many names a list leaves out, so that lists of names may grow.
func shortened(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text + "\n") {
		line = moreNames.ReplaceAllString(strings.TrimSuffix(line, "\n"), "or N more") + "\n"
		line = formatNames.ReplaceAllString(line, "${1}...")
		if len(line) > 160 {
			line = line[:160] + "...\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

func TestWarnings(t *testing.T) {
	c := parse(t, `keys: [env:GATE]
state: {dir: /tmp}
providers:
  groq: {}
  lab: {base_url: http://h/v1, api_key: env:LAB}
  heads: {base_url: http://h, headers: {A: env:HEAD}}
models:
  x: {model: openai/gpt-4o}
  y: {model: groq/a, fallbacks: [xai/grok-4]}
`)
	var got []string
	for _, w := range c.Warnings() {
		got = append(got, w.Brief())
	}
	want := []string{
		"1:8: keys[0]: GATE is not set: export GATE=...",
		"4:3: providers.groq.api_key: GROQ_API_KEY is not set: export GROQ_API_KEY=... with a key of groq",
		"5:41: providers.lab.api_key: LAB is not set: export LAB=... with a key of lab",
		"6:44: providers.heads.headers.A: HEAD is not set: export HEAD=...",
		"8:3: models.x: providers.openai.api_key: OPENAI_API_KEY is not set: export OPENAI_API_KEY=... with a key of openai",
		"9:3: models.y: providers.xai.api_key: XAI_API_KEY is not set: export XAI_API_KEY=... with a key of xai",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAccess(t *testing.T) {
	for _, c := range []struct {
		text, listen, address string
		keys                  []string
		fail                  string
	}{
		{"", "", "127.0.0.1:8787", nil, ""},
		{"listen: localhost:1", "", "localhost:1", nil, ""},
		{"listen: '[::1]:1'", "", "[::1]:1", nil, ""},
		{"", "0.0.0.0:80", "", nil, "expected keys"},
		{"", ":80", "", nil, "expected keys"},
		{"", "example.com:80", "", nil, "expected keys"},
		{"", "127.0.0.1", "", nil, "expected host:port"},
		{"", "127.0.0.1:99999", "", nil, "expected a port"},
		{"keys: [env:SET, plain]", ":80", ":80", []string{"1", "plain"}, ""},
		{"keys: [env:UNSET]", ":80", "", nil, "UNSET is not set: export UNSET=..."},
	} {
		conf := parse(t, c.text, "SET=1")
		address, keys, err := conf.Access(c.listen, env("SET=1"))
		if c.fail != "" {
			if err == nil || !strings.Contains(err.Error(), c.fail) {
				t.Errorf("%+v: got %v", c, err)
			}
			continue
		}
		var want []access.Key
		for i, k := range c.keys {
			want = append(want, access.NewUnlimitedKey(fmt.Sprintf("key %d", i+1), access.HashOf(k)))
		}
		if diff := cmp.Diff(want, keys); err != nil || address != c.address || diff != "" {
			t.Errorf("%+v: got %q, %v, %s", c, address, err, diff)
		}
	}
}

func TestSecretsStayOutOfErrors(t *testing.T) {
	for _, text := range []string{
		"providers: {p: {api_key: sk-secret, base_url: nonsense, wire: telepathy}}",
		"keys: [sk-secret]\nlisten: 1\nproviders: {p: {headers: {A: sk-secret, B: 5}}}",
		"providers:\n  p: {api_key: sk-secret\n",
		"providers: {p: {base_url: 'http://user:sk-secret@h'}}",
		"providers: {p: {api_key: sk-secret, api_key: sk-secret}}",
		"api_key: sk-secret: x",
	} {
		_, err := config.Parse([]byte(text), env())
		if err == nil || strings.Contains(err.Error(), "sk-secret") {
			t.Errorf("%s: got %v", text, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, dir := range []string{"good", "bad"} {
		files, _ := filepath.Glob("testdata/" + dir + "/*.yaml")
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := config.Parse(data, env())
		if (c == nil) == (err == nil) {
			t.Fatalf("got %v and %v", c, err)
		}
		if err != nil {
			return
		}
		if r, err := config.NewRegistry(c, config.WithEnv(env())); err != nil {
			t.Fatalf("parsed, but: %v", err)
		} else {
			r.Close()
		}
	})
}

func ExampleParse() {
	_, err := config.Parse([]byte("models:\n  fast: {model: groq/llama-3.3-70b-versatile, mood: text}\n"), func(string) (string, bool) { return "", false })
	var first *config.Error
	if errors.As(err, &first) {
		fmt.Println(first.Line, first.Column, first.Path)
	}
	// Output: 2 47 models.fast.mood
}

// TestAllErrorsAtOnce: whatever else is wrong with an entry, each of its errors is reported, once and at its own place.
func TestAllErrorsAtOnce(t *testing.T) {
	wrong := []struct{ key, value, right string }{
		{"model", "nowhere/x", "groq/x"}, {"fallbacks", "[nobody/y]", "[groq/y]"}, {"mode", "telepathy", "text"},
		{"dialect", "klingon", "hermes"}, {"max_retries", "-1", "1"}, {"caps", "{flying: yes}", "{tools: yes}"},
	}
	for _, name := range []string{"fast", "fast*"} {
		for set := range 1 << len(wrong) {
			var members, want []string
			for i, w := range wrong {
				value := w.right
				if set&(1<<i) != 0 {
					value = w.value
					want = append(want, w.key)
				}
				members = append(members, w.key+": "+value)
			}
			text := fmt.Sprintf("models: {%q: {%s}}", name, strings.Join(members, ", "))
			_, err := config.Parse([]byte(text), env())
			var list config.Errors
			var got []string
			if errors.As(err, &list) {
				for _, e := range list {
					_, key, _ := strings.Cut(strings.Replace(e.Path, `["fast*"]`, ".fast", 1), ".fast.")
					key, _, _ = strings.Cut(key, ".")
					got = append(got, key)
				}
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s: got errors of %q, want of %q: %v", text, got, want, err)
			}
		}
	}
}
