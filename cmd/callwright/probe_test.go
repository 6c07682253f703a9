package main

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/callwright/callwright/simulate"
)

// What probe --describe prints can be put into the configuration as it is.
func TestProbeDescribes(t *testing.T) {
	llm := simulate.New(func(req simulate.Seen) simulate.Turn {
		switch {
		case strings.Contains(req.User, "Describe your own format"):
			return simulate.Turn{Text: `{"format": "xml", "example": "<run tool=\"get_weather\">\n  <with key=\"city\">Paris</with>\n</run>", "quirks": ["Cost is in ${CURRENCY}."]}`}
		case bytes.Contains(req.Body, []byte("{function-name}")):
			return simulate.Turn{Text: `<run tool="get_weather"><with key="city">Oslo</with></run>`}
		}
		return simulate.Turn{Text: "Hello."}
	})
	srv := httptest.NewServer(llm)
	t.Cleanup(srv.Close)
	file := filepath.Join(t.TempDir(), "callwright.yaml")
	providers := "providers: {lab: {base_url: " + srv.URL + "/v1}}\n"
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command := func(args ...string) string {
		var out, errs bytes.Buffer
		if status := run(t.Context(), args, streams{in: strings.NewReader(""), out: &out, err: &errs}, noEnv); status != exitDone {
			t.Fatalf("status %d: %s", status, errs.String())
		}
		if args[0] == "probe" && !strings.Contains(errs.String(), "at most 112 requests") {
			t.Errorf("the bound is not said: %s", errs.String())
		}
		return out.String()
	}
	write(providers)
	_, shown, _ := strings.Cut(command("probe", "--config", file, "--describe", "lab/one"), "for the configuration:\n\n")
	write(providers + shown)
	command("config", "check", file)

	var got struct {
		Checks     []json.RawMessage
		ToolFormat map[string]any `json:"tool_format"`
	}
	if err := json.Unmarshal([]byte(command("probe", "--config", file, "--describe", "--json", "lab/one")), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Checks) < 25 || got.ToolFormat["format"] != "xml" || got.ToolFormat["example"] == "" {
		t.Errorf("%+v", got)
	}
}
