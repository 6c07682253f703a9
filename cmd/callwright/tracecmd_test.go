package main

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/trace"
)

// recordedFolder has a gateway record what models are asked, one of which does not exist at its provider, and gives the folder.
func recordedFolder(t *testing.T, flags ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "traces") + string(filepath.Separator)
	s := serve(t, "providers: {sim: {}}", nil, append([]string{"--trace", dir}, flags...)...)
	for _, m := range []string{"sim/native", "sim/hermes-unclosed", "sim/nothing-like-it"} {
		if status, body := s.ask(m, ""); (status == http.StatusOK) == (m == "sim/nothing-like-it") {
			t.Errorf("%s: %d %s", m, status, body)
		}
	}
	http.DefaultClient.CloseIdleConnections()
	s.stop()
	if code := s.rest(); code != exitDone {
		t.Errorf("exit status %d", code)
	}
	return dir
}

// listRequests are the requests that a command line lists.
func listRequests(t *testing.T, dir string, flags ...string) (out []trace.Summary) {
	t.Helper()
	status, text, errs := command(t, "", append([]string{"trace", "--dir", dir, "--json"}, flags...)...)
	if status != exitDone || errs != "" {
		t.Fatalf("status %d, %s", status, errs)
	}
	for line := range strings.Lines(text) {
		var s trace.Summary
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

// TestTraceLists: the requests of a trace are listed, the latest first, and by what is asked for.
func TestTraceLists(t *testing.T) {
	dir := recordedFolder(t)
	for flags, want := range map[string]string{
		"":                                  "sim/nothing-like-it sim/hermes-unclosed sim/native",
		"--limit 1":                         "sim/nothing-like-it",
		"--outcome failed":                  "sim/nothing-like-it",
		"--outcome answered":                "sim/hermes-unclosed sim/native",
		"--rule dialect.*":                  "sim/hermes-unclosed",
		"--model sim/native":                "sim/native",
		"--model sim/native --rule x.y":     "",
		"--since 1h --outcome healed":       "sim/hermes-unclosed",
		"--since 1ns":                       "",
		"--config callwright.yaml --rule x": "-",
	} {
		if want == "-" {
			status, _, errs := command(t, "", append([]string{"trace"}, strings.Fields(flags)...)...)
			if status != exitMisused || !strings.Contains(errs, "callwright.yaml") {
				t.Errorf("%s: status %d, %s", flags, status, errs)
			}
			continue
		}
		var models []string
		for _, s := range listRequests(t, dir, strings.Fields(flags)...) {
			models = append(models, string(s.Model))
		}
		if got := strings.Join(models, " "); got != want {
			t.Errorf("%s: got %s, want %s", flags, got, want)
		}
	}
	status, out, errs := command(t, "", "trace", "--dir", dir)
	if status != exitDone || errs != "" || strings.Count(out, "\nrep_") != 2 || !strings.Contains(out, "  sim/hermes-unclosed  healed (call in tags) in ") || !strings.Contains(out, "\n  dialect.hermes") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
}

// TestTraceShows: one request is shown with what was sent, came back, was changed and left; as its entries where that is asked for.
func TestTraceShows(t *testing.T) {
	dir := recordedFolder(t)
	healed, failed := listRequests(t, dir, "--outcome", "healed")[0], listRequests(t, dir, "--outcome", "failed")[0]
	for id, want := range map[string][]string{
		healed.ID: {"healed (call in tags) in", "\nThe model called `get_weather`. In the answer, a call written in tags in the text was read.\n", "\nREQUEST", "message", "over openai", "\nSENT", "\nRECEIVED", "status 200", "<tool_call>", "\nANSWER", "call ", "get_weather", "Oslo", "\nATTEMPTS", "\nNOTES", "dialect.hermes"},
		failed.ID: {"failed in", "\nThere was no such model. The client received the error `not_found` with status 404.\n", "\nERROR", "\nATTEMPTS"},
	} {
		status, out, errs := command(t, "", "trace", "--dir", dir, "--id", id)
		if status != exitDone || errs != "" || !strings.HasPrefix(out, id) {
			t.Errorf("%s: status %d, %s%s", id, status, out, errs)
		}
		for _, text := range want {
			if !strings.Contains(out, text) {
				t.Errorf("%s: %q is not shown:\n%s", id, text, out)
			}
		}
	}
	status, out, _ := command(t, "", "trace", "--dir", dir, "--json", healed.ID)
	entries, err := trace.ReadAll(strings.NewReader(out))
	if err != nil || status != exitDone || trace.Summarize(entries).Outcome != outcome.Healed || len(entries) != healed.Entries {
		t.Errorf("status %d, %v, %d entries", status, err, len(entries))
	}
	for _, args := range [][]string{{"rep_unknown"}, {"--outcome", "good"}, {"--limit", "0"}, {"--since", "-1h"}, {"--dir", filepath.Join(dir, "none")}, {healed.ID, failed.ID}} {
		if status, _, errs := command(t, "", append([]string{"trace", "--dir", dir}, args...)...); status == exitDone || errs == "" {
			t.Errorf("%v: status %d, %s", args, status, errs)
		}
	}
}

// TestTraceWithoutContent: of a trace without what was said lengths are shown.
func TestTraceWithoutContent(t *testing.T) {
	dir := recordedFolder(t, "--trace-content", "off")
	for _, s := range listRequests(t, dir) {
		status, out, errs := command(t, "", "trace", "--dir", dir, s.ID)
		if status != exitDone || errs != "" || strings.Contains(out, "Oslo") || !strings.Contains(out, "without contents") || !strings.Contains(out, " bytes)") {
			t.Errorf("status %d, %s%s", status, out, errs)
		}
	}
}
