package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/callwright/callwright/cmd/callwright/internal/replay"
	"github.com/callwright/callwright/internal/prerequisite"
)

// command runs a command line, and gives its exit status and what it prints.
func command(t *testing.T, in string, args ...string) (status int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	status = run(t.Context(), args, streams{in: strings.NewReader(in), out: &o, err: &e}, noEnv)
	return status, o.String(), e.String()
}

// traced serves with a trace, asks models, and gives the trace.
func traced(t *testing.T, conf string, flags []string, file string, models ...string) string {
	t.Helper()
	s := serve(t, conf, nil, flags...)
	for _, m := range models {
		if status, body := s.ask(m, ""); status != http.StatusOK {
			t.Errorf("%s: %d %s", m, status, body)
		}
	}
	http.DefaultClient.CloseIdleConnections()
	s.stop()
	if code := s.rest(); code != exitDone || !strings.Contains(s.said, "requests and answers are written to "+file) {
		t.Errorf("exit status %d, said:\n%s", code, s.said)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestServeTrace: a gateway records what it serves in a file for its owner alone, appends to it, and what it recorded is replayed.
func TestServeTrace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trace.jsonl")
	flags := []string{"--trace", file}
	first := traced(t, "providers: {sim: {}}", flags, file, "sim/native", "sim/hermes-unclosed")
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := os.WriteFile(file, []byte(first+`{"trace":1,"kind":"ans`), 0o600); err != nil { // as a crash leaves it
		t.Fatal(err)
	}
	if text := traced(t, "providers: {sim: {}}", flags, file, "sim/native"); !strings.HasPrefix(text, first+`{"trace":1,"seq":1,`) {
		t.Errorf("it was not appended to:\n%s", text)
	}
	status, out, errs := command(t, "", "replay", file)
	if status != exitDone || !strings.HasSuffix(out, "\n3 requests: 3 the same, 0 different\n") || strings.Count(out, "  same\n") != 3 || errs != "" {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
	id, _, _ := strings.Cut(out, " ")
	status, out, errs = command(t, "", "replay", "--json", "--reread", "--id", id, file)
	var res replay.Result
	if err := json.Unmarshal([]byte(out), &res); err != nil || status != exitDone || errs != "" || res.ID != id || res.Outcome != replay.Same || res.From != replay.FromRaw {
		t.Errorf("status %d, %v, %s%s", status, err, out, errs)
	}
}

// TestServeTraceFolder: in a folder each start has a file of its own, without contents where that is asked for, and the folder is replayed as one trace.
func TestServeTraceFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "traces") + string(filepath.Separator)
	for _, content := range []string{"on", "on", "off"} {
		s := serve(t, "providers: {sim: {}}", nil, "--trace", dir, "--trace-content", content)
		if status, body := s.ask("sim/native", ""); status != http.StatusOK {
			t.Errorf("%d %s", status, body)
		}
		http.DefaultClient.CloseIdleConnections()
		s.stop()
		if code := s.rest(); code != exitDone || !strings.Contains(s.said, "requests and answers are written to "+dir) {
			t.Errorf("exit status %d, said:\n%s", code, s.said)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "trace-????????T??????.???-*[0-9].jsonl"))
	if err != nil || len(files) != 3 {
		t.Fatal(files, err)
	}
	if text, err := os.ReadFile(files[2]); err != nil || !strings.Contains(string(text), `"redacted":true`) {
		t.Errorf("%v: %s", err, text)
	}
	if err := os.Remove(files[2]); err != nil {
		t.Fatal(err)
	}
	if status, out, errs := command(t, "", "replay", dir); status != exitDone || !strings.HasSuffix(out, "\n2 requests: 2 the same, 0 different\n") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	want := "the trace " + plain + "/: a name with a slash at its end means a folder, but " + plain + " is a file: omit the slash, or name another folder\n"
	if status, _, errs := command(t, "", "serve", "--trace", plain+"/"); status != exitMisused || !strings.HasSuffix(errs, want) {
		t.Errorf("status %d, %s", status, errs)
	}
	if status, _, errs := command(t, "", "serve", "--trace-content", "some"); status != exitMisused || !strings.Contains(errs, "expected on or off") {
		t.Errorf("status %d, %s", status, errs)
	}
}

// TestServeTraceConfigured: the configuration names the file, and leaves contents out.
func TestServeTraceConfigured(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trace.jsonl")
	text := traced(t, "providers: {sim: {}}\ntrace: {file: '"+file+"', content: false}", nil, file, "sim/native")
	if strings.Contains(text, "Oslo") || strings.Count(text, `"redacted":true`) == 0 {
		t.Errorf("it has contents:\n%s", text)
	}
	if status, out, errs := command(t, "", "replay", file); status != exitMisused || !strings.Contains(errs, "without contents") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
}

// TestServeTraceFull: a full disk is told of once, and requests are answered.
func TestServeTraceFull(t *testing.T) {
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		prerequisite.Missing(t, "a full disk to write to:", err)
	}
	s := serve(t, "providers: {sim: {}}", nil, "--trace", full)
	for range 3 {
		if status, body := s.ask("sim/native", ""); status != http.StatusOK {
			t.Errorf("%d %s", status, body)
		}
	}
	http.DefaultClient.CloseIdleConnections()
	s.stop()
	if code := s.rest(); code != exitDone || strings.Count(s.said, "the trace cannot be written") != 1 {
		t.Errorf("exit status %d, said:\n%s", code, s.said)
	}
}

// TestReplay: what the command says of traces, and its exit status.
func TestReplay(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "trace.jsonl")
	sound := traced(t, "providers: {sim: {}}", []string{"--trace", file}, file, "sim/native")
	changed := strings.Replace(sound, `"arguments":{"city": "Oslo"}`, `"arguments":{"city": "Rome"}`, 1)
	unanswered := sound[:strings.LastIndex(strings.TrimSuffix(sound, "\n"), "\n")+1]
	none := filepath.Join(dir, "none.jsonl")
	for name, c := range map[string]struct {
		in     string
		args   []string
		status int
		says   []string
	}{
		"the same":       {in: sound, args: []string{"-"}, status: exitDone, says: []string{"sim/native  same\n", "1 request: 1 the same, 0 different\n"}},
		"a difference":   {in: changed, args: []string{"-"}, status: exitFailed, says: []string{"sim/native  different\n", `  /answer/parts/0/arguments/city: was "Rome", now "Oslo"`, "the result of the request differs from the trace"}},
		"as JSON":        {in: changed, args: []string{"--json", "-"}, status: exitFailed, says: []string{`"outcome":"different","from":"raw","differences":[{"path":"/answer/parts/0/arguments/city","was":"Rome","now":"Oslo"}]}`}},
		"unanswered":     {in: unanswered, args: []string{"-"}, status: exitDone, says: []string{"sim/native  unanswered\n", "0 the same, 0 different, 1 without an answer in the trace"}},
		"torn":           {in: sound + sound[:40], args: []string{"-"}, status: exitDone, says: []string{"1 the same", "the last line is incomplete"}},
		"a broken line":  {in: sound + "{}\n", args: []string{"-"}, status: exitFailed, says: []string{"1 the same", "line 6: "}},
		"nothing":        {args: []string{"-"}, status: exitDone, says: []string{"0 requests"}},
		"no trace":       {in: "listen: 127.0.0.1:0\n", args: []string{"-"}, status: exitMisused, says: []string{"- is not a trace", "line 1"}},
		"no file":        {args: []string{none}, status: exitMisused, says: []string{none}},
		"a folder":       {args: []string{dir}, status: exitMisused, says: []string{"is a folder without a trace"}},
		"no argument":    {status: exitMisused, says: []string{"no trace is named"}},
		"no such id":     {in: sound, args: []string{"--id", "rep_1", "-"}, status: exitMisused, says: []string{"no request with the id rep_1"}},
		"no such config": {in: sound, args: []string{"--config", none, "-"}, status: exitMisused, says: []string{none}},
		"a config":       {in: sound, args: []string{"--config", configFile(t, "providers: {sim: {policy: 'off'}}"), "-"}, status: exitFailed, says: []string{"different"}},
	} {
		t.Run(name, func(t *testing.T) {
			status, out, errs := command(t, c.in, append([]string{"replay"}, c.args...)...)
			if status != c.status {
				t.Errorf("status %d", status)
			}
			for _, want := range c.says {
				if !strings.Contains(out+errs, want) {
					t.Errorf("it does not say %q, but:\n%s%s", want, out, errs)
				}
			}
		})
	}
}

func configFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "callwright.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestTraceOfOther: a file that is no trace is not written to.
func TestTraceOfOther(t *testing.T) {
	file := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(file, []byte("my notes"), 0o600); err != nil {
		t.Fatal(err)
	}
	status, _, errs := command(t, "", "run", "--model", "sim/native", "--trace", file, "Hello")
	if text, err := os.ReadFile(file); status != exitMisused || !strings.Contains(errs, "is not a trace") || err != nil || string(text) != "my notes" {
		t.Errorf("status %d, %s; it has %q, %v", status, errs, text, err)
	}
}

// TestRunTrace: what a run recorded is replayed, for an alias too.
func TestRunTrace(t *testing.T) {
	dir := t.TempDir()
	file, conf := filepath.Join(dir, "trace.jsonl"), configFile(t, "providers: {sim: {}}\nmodels: {fast: {model: sim/hermes-unclosed}}")
	tool := `{"name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}, "run": {"command": ["echo", "3 degrees"]}}`
	status, out, errs := command(t, "", "run", "--config", conf, "--model", "fast", "--state", dir, "--tools", tool, "--yes", "--trace", file, "What is the weather in Oslo?")
	if status != exitDone {
		t.Fatalf("status %d, %s%s", status, out, errs)
	}
	for _, args := range [][]string{{"replay", "--reread", "--config", conf, file}, {"replay", "--reread", file}} {
		if status, out, errs := command(t, "", args...); status != exitDone || !strings.Contains(out, "fast  same") || !strings.Contains(out, "2 requests: 2 the same") {
			t.Errorf("%v: status %d, %s%s", args, status, out, errs)
		}
	}
}

// TestReplayEval: what an evaluation recorded is replayed, with the calls that it had.
func TestReplayEval(t *testing.T) {
	dir := t.TempDir()
	status, _, errs := command(t, "", "eval", "--trials", "1", "--scenarios", "type_error_recovery,missing_workspace_id,happy_path", "--state", dir, "--trace")
	files, err := filepath.Glob(filepath.Join(dir, "traces", "*.jsonl"))
	if err != nil || len(files) < 10 {
		t.Fatalf("status %d, %d files, %v: %s", status, len(files), err, errs)
	}
	for _, file := range files {
		if status, out, errs := command(t, "", "replay", file); status != exitDone {
			t.Errorf("%s: status %d: %s%s", filepath.Base(file), status, out, errs)
		}
	}
}
