package main

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/prerequisite"
)

// foreign are the programs of others that pages show: nothing of ours is in such a line but an address.
var foreign = []string{"claude", "codex", "gemini", "export", "cd", ".ci/run", ".ci/engines", ".ci/live", "npm", "pip"}

// TestShellLines holds every line of shell that a page shows: it is run by TestDocs, or what it names is there, or it is somebody else's.
func TestShellLines(t *testing.T) {
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range docBlocks(string(text)) {
			if b.mark != "sh" {
				continue
			}
			dir := "." // in the repository
			for _, line := range shellLines(b.text) {
				if to, ok := strings.CutPrefix(line, "cd "); ok {
					dir, _, _ = strings.Cut(to, " ")
				}
				checkShell(t, filepath.Base(page), dir, line)
			}
		}
	}
}

// shellLines returns the commands of a block without comments, each on one line unless it has a quotation over several.
func shellLines(block string) []string {
	var out []string
	open := ""
	for line := range strings.Lines(strings.ReplaceAll(block, "\\\n", "")) {
		open += line
		if strings.Count(open, "'")%2 == 1 {
			continue
		}
		command, _, _ := strings.Cut(strings.TrimSpace(open), " # ")
		if command = strings.TrimSpace(command); command != "" && command[0] != '#' {
			out = append(out, command)
		}
		open = ""
	}
	return out
}

// assigned is an assignment in front of a command.
var assigned = regexp.MustCompile(`^[A-Z_]+=\S* `)

func checkShell(t *testing.T, page, dir, line string) {
	t.Helper()
	command := line
	for assigned.MatchString(command) {
		command = assigned.ReplaceAllString(command, "")
	}
	words := strings.Fields(command)
	switch {
	case docCommand(line) != "", words[0] == "curl" && page == "clients.md": // run, the latter with the SDKs
	case words[0] == "curl":
		checkCurl(t, page, line)
	case words[0] == "git":
		if want := "git clone https://" + modulePath(t); command != want {
			t.Errorf("%s: %s: expected %s", page, line, want)
		}
	case strings.Contains(command, "go "):
		checkGo(t, page, dir, command[strings.Index(command, "go "):])
	case !slices.Contains(foreign, words[0]):
		t.Errorf("%s: nothing tests this line: %s", page, line)
	}
}

func modulePath(t *testing.T) string {
	t.Helper()
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(mod), "\n")
	return strings.TrimPrefix(first, "module ")
}

// checkGo checks that the packages of a go command are there, and the tests and benchmarks that it chooses. Without packages it is about
// the folder that it runs in.
func checkGo(t *testing.T, page, dir, command string) {
	t.Helper()
	words := strings.Fields(strings.ReplaceAll(command, "'", ""))
	source := ""
	if i := slices.Index(words, "-C"); i > 0 {
		dir = words[i+1]
		words = slices.Delete(words, i, i+2)
	}
	if !strings.Contains(command, " ./") {
		words = slices.Insert(words, 2, "./"+dir)
	}
	for i, w := range words[2:] {
		dir := filepath.Join("../..", strings.TrimSuffix(w, "/..."))
		switch before := words[i+1]; {
		case strings.HasPrefix(w, "./"):
			files, _ := filepath.Glob(dir + "/*.go")
			if len(files) == 0 && !strings.HasSuffix(w, "...") {
				t.Errorf("%s: %s: there is no package %s", page, command, w)
			}
			for _, f := range files {
				text, _ := os.ReadFile(f)
				source += string(text)
			}
		case (before == "-run" || before == "-bench") && w != "^$" && w != ".":
			name, _, _ := strings.Cut(strings.TrimPrefix(w, "^"), "/")
			kind := map[string]string{"-run": "Test", "-bench": "Benchmark"}[before]
			if !regexp.MustCompile(`func ` + kind + `\w*` + strings.TrimPrefix(name, kind)).MatchString(source) {
				t.Errorf("%s: %s: nothing is called %s", page, command, name)
			}
		case words[1] == "get" && w != modulePath(t):
			t.Errorf("%s: %s: expected %s", page, command, modulePath(t))
		case words[1] == "run" && before == "./cmd/callwright":
			if status, _ := runDemo(t, nil, append(words[i+3:], "--list")...); w != "demo" || status != exitDone {
				t.Errorf("%s: %s: exit status %d", page, command, status)
			}
			return
		}
	}
}

// checkCurl asks a gateway that runs as it does where nothing is configured.
func checkCurl(t *testing.T, page, line string) {
	t.Helper()
	for _, program := range []string{"sh", "curl"} {
		prerequisite.Program(t, program)
	}
	conf, _ := config.Discover(t.Context(), noEnv, func(string) bool { return false })
	registry, err := config.NewRegistry(conf, config.WithEnv(noEnv))
	if err != nil {
		t.Fatal(err)
	}
	defer registry.Close()
	srv := httptest.NewServer(gateway.New(gateway.Config{Models: registry}))
	defer srv.Close()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", strings.ReplaceAll(line, "http://127.0.0.1:8787", srv.URL))
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	out, err := cmd.Output()
	if err != nil || !json.Valid(out) || strings.Contains(string(out), `"error"`) || !strings.Contains(string(out), "get_weather") {
		t.Errorf("%s: got %v and %s from\n%s", page, err, out, line)
	}
}
