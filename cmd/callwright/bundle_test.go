package main

import (
	"archive/zip"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// unzipped writes the files of an archive below a folder, and returns their texts by their names.
func unzipped(t *testing.T, archive, dir string) map[string]string {
	t.Helper()
	z, err := zip.OpenReader(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }()
	out := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(f.Name)
		out[f.Name[strings.IndexByte(f.Name, '/')+1:]] = string(text)
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestTraceBundle: a bundle of a request of a folder or a file has both sides, and its case is replayed by its file alone.
func TestTraceBundle(t *testing.T) {
	dir := recordedFolder(t)
	healed, failed := listRequests(t, dir, "--outcome", "healed")[0], listRequests(t, dir, "--outcome", "failed")[0]
	for id, want := range map[string]string{healed.ID: "healed: dialect.hermes, finish.derived", failed.ID: "failed with not_found"} {
		at := t.TempDir()
		file := filepath.Join(at, "bundle.zip")
		status, out, errs := command(t, "", "trace", "bundle", "--dir", dir, "--out", file, id)
		if status != exitDone || errs != "" || !strings.Contains(out, "\n  "+want+"\n  broken by: ") || !strings.Contains(out, "no secret was found") {
			t.Fatalf("status %d: %s%s", status, out, errs)
		}
		files := unzipped(t, file, at)
		for _, name := range []string{"issue.md", "case.txtar", "client/request.json", "client/answer.json", "report.json", "trace.jsonl", "settings.yaml", "secrets.json", "versions.json", "model.json"} {
			if files[name] == "" && name != "report.json" {
				t.Errorf("%s: there is no %s", id, name)
			}
		}
		status, out, errs = command(t, "", "replay", filepath.Join(at, "case.txtar"))
		if status != exitDone || errs != "" || out != id+"  "+string(map[string]string{healed.ID: "sim/hermes-unclosed", failed.ID: "sim/nothing-like-it"}[id])+"  the same finding\n  "+want+"\n" {
			t.Errorf("status %d: %s%s", status, out, errs)
		}
		changed := strings.Replace(files["case.txtar"], `"outcome":"`, `"outcome":"not `, 1)
		if status, out, _ := command(t, changed, "replay", "--json", "-"); status != exitFailed || !strings.Contains(out, `"outcome":"different"`) {
			t.Errorf("status %d: %s", status, out)
		}
	}
}

// TestTraceBundleLatest: without an id the latest request that failed or was healed is taken, and its case can be written alone.
func TestTraceBundleLatest(t *testing.T) {
	dir, at := recordedFolder(t), t.TempDir()
	failed := listRequests(t, dir, "--outcome", "failed")[0]
	status, out, errs := command(t, "", "trace", "bundle", "--dir", dir, "--out", filepath.Join(at, "b.zip"), "--case", filepath.Join(at, "c.txtar"), "--json")
	if status != exitDone || errs != "" || !strings.Contains(out, `"id":"`+failed.ID+`"`) {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
	if status, out, errs := command(t, "", "replay", filepath.Join(at, "c.txtar")); status != exitDone || !strings.Contains(out, "the same finding") {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
}

// TestServeBundle: a running gateway makes bundles for keys with the verb ui, also from its page of the request; secrets of its configuration and of the
// request are in no file.
func TestServeBundle(t *testing.T) {
	dir, at := filepath.Join(t.TempDir(), "traces")+string(filepath.Separator), t.TempDir()
	s := serve(t, "providers: {sim: {}}\nkeys: [{key: canary-of-root-key, name: root, verbs: [generate, ui, admin]}, {key: canary-of-a-client, name: ci}]\n", nil, "--trace", dir)
	defer http.DefaultClient.CloseIdleConnections()
	const secret = "sk-canary0123456789abcdefABCDEF"
	body := `{"model":"sim/hermes-unclosed","messages":[{"role":"system","content":"The key is ` + secret + `, the other canary-of-a-client."},{"role":"user","content":"What is the weather in Oslo?"}],"tools":[{"type":"function","function":{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string"}}}}}]}`
	_, said := s.call(http.MethodPost, "/v1/chat/completions", "canary-of-root-key", body, "Callwright-Report", "body")
	var answered struct{ Callwright struct{ ID string } }
	if err := json.Unmarshal([]byte(said), &answered); err != nil || answered.Callwright.ID == "" {
		t.Fatalf("no report: %v %s", err, said)
	}
	id := answered.Callwright.ID
	path := "/callwright/traces/" + id + "/bundle"
	if status, text := s.call(http.MethodGet, path, "canary-of-a-client", ""); status != http.StatusForbidden {
		t.Errorf("a key without the verb: %d %s", status, text)
	}
	if status, text := s.call(http.MethodGet, "/callwright/traces/rep_none/bundle", "canary-of-root-key", ""); status != http.StatusNotFound || !strings.Contains(text, "the trace has no request with this id") {
		t.Errorf("no such request: %d %s", status, text)
	}
	var file string
	for { // what is recorded is written beside the requests
		file = filepath.Join(at, "bundle.zip")
		status, out, errs := command(t, "", "trace", "bundle", "--url", s.url, "--key", "canary-of-root-key", "--out", file, id)
		if status == exitDone && strings.Contains(out, "healed: dialect.hermes") && strings.Contains(out, "secrets removed: ") {
			break
		}
		if !strings.Contains(errs, "no request with this id") && !strings.Contains(out, "unfinished") {
			t.Fatalf("status %d: %s%s", status, out, errs)
		}
	}
	files := unzipped(t, file, at)
	for name, text := range files {
		if strings.Contains(text, secret) || strings.Contains(text, "canary-of") {
			t.Errorf("%s has a secret", name)
		}
	}
	if !strings.Contains(files["secrets.json"], `"place": "client/request"`) || !strings.Contains(files["client/request.json"], "The key is [redacted], the other [redacted].") {
		t.Errorf("%s\n%s", files["secrets.json"], files["client/request.json"])
	}
	if status, out, errs := command(t, "", "replay", filepath.Join(at, "case.txtar")); status != exitDone {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
}

// TestTraceBundleErrors: what is missing is said, with a remedy.
func TestTraceBundleErrors(t *testing.T) {
	dir := recordedFolder(t, "--trace-content", "off")
	id := listRequests(t, dir)[0].ID
	for args, want := range map[string]string{
		"--dir " + dir + " " + id:                "callwright serve --trace traces/ --trace-content on",
		"--dir " + dir + " rep_none":             `has no request with the id "rep_none"`,
		"--dir " + dir + " a b":                  "expected the ID of one request",
		"--url http://127.0.0.1:1":               "expected an ID with --url",
		"--key k --dir " + dir + " " + id:        "--key needs --url",
		"--url http://127.0.0.1:1 " + id:         "no gateway answers",
		"--url nowhere " + id:                    "expected the URL of a gateway",
		"--dir " + dir + " --url http://x " + id: "none of the others can be",
	} {
		status, out, errs := command(t, "", append([]string{"trace", "bundle"}, strings.Fields(args)...)...)
		if status == exitDone || !strings.Contains(errs, want) || strings.Contains(errs, "case:") {
			t.Errorf("%s: status %d: %s%s", args, status, out, errs)
		}
	}
	for text, want := range map[string]string{
		"callwright case 2\n":                                 `expected "callwright case 1"`,
		"callwright case 1\n":                                 "there are no sections",
		"callwright case 1\n-- finding.json --\n{}\n":         "request/head.json is missing",
		"callwright case 1\n-- finding.json --\n{\n-- a --\n": "finding.json",
	} {
		if status, _, errs := command(t, text, "replay", "-"); status != exitMisused || !strings.Contains(errs, want) {
			t.Errorf("%q: status %d: %s", text, status, errs)
		}
	}
}
