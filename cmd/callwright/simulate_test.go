package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The simulator does what its flags say, and stops at once, whatever it is made to do.
func TestSimulateServes(t *testing.T) {
	recordings := filepath.Join(t.TempDir(), "answers.jsonl")
	if err := os.WriteFile(recordings, []byte(`{"match":"weather","text":"Recorded."}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for what, tc := range map[string]struct {
		args  []string
		model string
		want  string
	}{
		"nothing":    {nil, "m", `"name":"get_weather","arguments":"{\"city\": \"Oslo\"}"`},
		"a model":    {nil, "text_json-fence", "```json"},
		"a fault":    {[]string{"--fault", "hermes=1", "--seed", "3"}, "m", `"<tool_call>\n`},
		"a family":   {[]string{"--family", "claude"}, "m", `<invoke name=`},
		"strictness": {[]string{"--strict", "vllm"}, "m", `--enable-auto-tool-choice`},
		"recordings": {[]string{"--recorded", recordings, "--latency", "first=1ms"}, "m", `"Recorded."`},
	} {
		t.Run(what, func(t *testing.T) {
			s := background(t, "simulate", "callwright simulates models on ", tc.args, nil)
			if _, got := s.ask(tc.model, ""); !strings.Contains(got, tc.want) {
				t.Errorf("want %s in %s", tc.want, got)
			}
			s.stop()
			if code := s.rest(); code != exitDone {
				t.Errorf("exit status %d\n%s", code, s.said)
			}
		})
	}
}
