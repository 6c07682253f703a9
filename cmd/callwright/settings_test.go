package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"
)

// A settingCase shows that a setting does something: it is observed without the setting and with it, and the two observations differ.
type settingCase struct {
	value string // of the key, in YAML or as the value of the flag
	with  string // further keys beside it, in both observations
	below string // settings of the provider below those of its models, in both observations
	see   func(s *scene) string
	want  string // a text that one of the observations has more often, "" where any difference will do
}

// A scene is what is there for an observation: a configuration, and a provider named lab that plays answers.
type scene struct {
	*testing.T
	conf  string   // the text of the configuration
	flags []string // of the command that is observed
	dir   string   // where it may write
	lab   *lab
}

// A lab is a provider that answers its requests in turn, the last answer again and again, and keeps what it was asked.
type lab struct {
	*httptest.Server
	mu      sync.Mutex
	answers []string
	seen    []string
}

// newLab starts a provider. An answer is a text, "call NAME ARGUMENTS", further ones behind " & ", "status N", or
// "limited MS", a 429 with a wait in milliseconds. "torn" before
// a call breaks its stream off.
func newLab(t *testing.T) *lab {
	l := &lab{}
	l.Server = httptest.NewServer(l)
	t.Cleanup(l.Close)
	return l
}

// play begins anew with answers.
func (l *lab) play(answers ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.answers, l.seen = answers, nil
}

func (l *lab) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || r.Method != http.MethodPost {
		http.NotFound(w, r)
		return
	}
	l.mu.Lock()
	answer := l.answers[min(len(l.seen), len(l.answers)-1)]
	l.seen = append(l.seen, fmt.Sprintf("%s %s authorization=%q x-lab=%q %s", r.Method, r.URL.Path, r.Header.Get("Authorization"), r.Header.Get("X-Lab"), body))
	n := len(l.seen)
	l.mu.Unlock()
	if code, ok := strings.CutPrefix(answer, "status "); ok {
		status, _ := strconv.Atoi(code)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprint(w, `{"error":{"message":"the engine broke","type":"server_error"}}`)
		return
	}
	if ms, ok := strings.CutPrefix(answer, "limited "); ok {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Retry-After-Ms", ms)
		w.WriteHeader(http.StatusTooManyRequests)
		fmt.Fprint(w, `{"error":{"message":"slow down","type":"rate_limit_error"}}`)
		return
	}
	answer, torn := strings.CutPrefix(answer, "torn ")
	writeAnswer(w, answer, n, strings.Contains(string(body), `"stream":true`), torn)
}

// writeAnswer writes an answer of Chat Completions, whole or streamed. A torn stream ends in the midst of its arguments.
func writeAnswer(w http.ResponseWriter, answer string, n int, streamed, torn bool) {
	finish := "stop"
	message := map[string]any{"role": "assistant", "content": answer}
	if calls, ok := strings.CutPrefix(answer, "call "); ok {
		var list []any
		for i, c := range strings.Split(calls, " & ") {
			name, args, _ := strings.Cut(c, " ")
			list = append(list, map[string]any{"index": i, "id": fmt.Sprintf("call_%d_%d", n, i), "type": "function", "function": map[string]any{"name": name, "arguments": args}})
		}
		finish, message["content"], message["tool_calls"] = "tool_calls", nil, list
	}
	usage := map[string]any{"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100}
	if streamed {
		w.Header().Set("Content-Type", "text/event-stream")
		first, rest := halves(message)
		for i, delta := range []map[string]any{first, rest, {}} {
			choice := map[string]any{"index": 0, "delta": delta, "finish_reason": nil}
			if i == 2 {
				choice["finish_reason"] = finish
			}
			data, _ := json.Marshal(map[string]any{"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": []any{choice}, "usage": usage})
			fmt.Fprintf(w, "data: %s\n\n", data)
			_ = http.NewResponseController(w).Flush()
			if torn {
				panic(http.ErrAbortHandler)
			}
		}
		fmt.Fprint(w, "data: [DONE]\n\n")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	data, _ := json.Marshal(map[string]any{"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": finish}}, "usage": usage})
	_, _ = w.Write(data)
}

// halves are a message in two deltas: the arguments of calls are torn apart.
func halves(message map[string]any) (first, rest map[string]any) {
	calls, ok := message["tool_calls"].([]any)
	if !ok {
		return message, map[string]any{}
	}
	var more []any
	for i, c := range calls {
		function, _ := c.(map[string]any)["function"].(map[string]any)
		args, _ := function["arguments"].(string)
		function["arguments"] = args[:len(args)/2]
		more = append(more, map[string]any{"index": i, "function": map[string]any{"arguments": args[len(args)/2:]}})
	}
	return message, map[string]any{"tool_calls": more}
}

// asked are the requests that the provider got.
func (l *lab) asked() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.seen, "\n")
}

// changing is what differs from run to run.
var changing = regexp.MustCompile(`[a-z]+_[0-9a-f]{8}-[0-9a-f-]{27}|(call|rep|resp|msg|chatcmpl|run|fc|rs)[_-][0-9a-f]{20,}|127\.0\.0\.1:\d+|duration_ms=[0-9.]+|"(created|created_at|completed_at|duration_ns|ms)":[0-9.]+|/tmp/[^\s"',:]+|\d{4}[-/]\d\d[-/]\d\d[T ][0-9:.]+(Z|[+-]\d\d:\d\d)?|\d+h\d+m\b|[0-9.]+ ?(ns|µs|ms|s)\b|\d{2}:\d{2}:\d{2}`)

// goodbye is the last line of a gateway. Whether it comes before its output is read differs from run to run.
const goodbye = "callwright finishes running requests and accepts no new ones (interrupt again to end at once)\n"

// steady is a text without what differs from run to run.
func steady(text string) string {
	return changing.ReplaceAllString(strings.ReplaceAll(text, goodbye, ""), "...")
}

// file writes the configuration into a folder of its own.
func (s *scene) file() string {
	s.Helper()
	name := filepath.Join(s.dir, "callwright.yaml")
	if err := os.WriteFile(name, []byte(s.conf), 0o600); err != nil {
		s.Fatal(err)
	}
	return name
}

// differ observes without a setting and with it.
func differ(t *testing.T, c *settingCase, l *lab, without, with scene) {
	t.Helper()
	see := func(s scene) string {
		l.play("Hi.")
		s.T, s.lab, s.dir = t, l, t.TempDir()
		return steady(c.see(&s))
	}
	before, after := see(without), see(with)
	if d := cmp.Diff(before, see(without)); d != "" {
		t.Fatalf("the observation differs by itself\n%s", d)
	}
	if before == after {
		t.Errorf("the setting changes nothing:\n%s", after)
		return
	}
	if c.want != "" && strings.Count(before, c.want) == strings.Count(after, c.want) {
		t.Errorf("expected a difference in how often %q is there (-without +with)\n%s", c.want, cmp.Diff(strings.Split(before, "\n"), strings.Split(after, "\n")))
	}
}

// schemaKeys are the keys of the configuration by their paths, as its schema lists them, with * for names and numbers.
func schemaKeys(t *testing.T) []string {
	t.Helper()
	status, out, errs := command(t, "", "config", "schema")
	if status != exitDone {
		t.Fatal(errs)
	}
	var root any
	if err := json.Unmarshal([]byte(out), &root); err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{}
	addSchemaKeys(keys, "", root)
	if len(keys) < 400 {
		t.Fatalf("only %d keys were found", len(keys))
	}
	return slices.Sorted(maps.Keys(keys))
}

func addSchemaKeys(keys map[string]bool, path string, schema any) {
	s, ok := schema.(map[string]any)
	if !ok {
		return
	}
	for _, word := range []string{"anyOf", "oneOf", "allOf"} {
		list, _ := s[word].([]any)
		for _, one := range list {
			addSchemaKeys(keys, path, one)
		}
	}
	properties, _ := s["properties"].(map[string]any)
	for key, below := range properties {
		at := strings.TrimPrefix(path+"/"+key, "/")
		keys[at] = true
		addSchemaKeys(keys, at, below)
	}
	for _, word := range []string{"additionalProperties", "items"} {
		addSchemaKeys(keys, path+"/*", s[word])
	}
}

// flagsOf are the flags of a command.
func flagsOf(t *testing.T, name string) (out []string) {
	t.Helper()
	c, _, err := newRoot(&app{env: noEnv}).Find([]string{name})
	if err != nil {
		t.Fatal(err)
	}
	c.Flags().VisitAll(func(f *pflag.Flag) { out = append(out, f.Name) })
	return out
}

// complete fails for settings without a case, and for cases without a setting.
func complete[C any](t *testing.T, settings []string, cases map[string]C) {
	t.Helper()
	for _, name := range settings {
		if _, ok := cases[name]; !ok {
			t.Errorf("%s has no case: give a value of it, and an observation that it changes", name)
		}
	}
	for name := range cases {
		if !slices.Contains(settings, name) {
			t.Errorf("%s is no setting", name)
		}
	}
}
