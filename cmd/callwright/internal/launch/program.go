package launch

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// An Installed is the installed executable of a coding agent.
type Installed struct {
	Path    string
	Version string // empty if unknown
}

// Find searches PATH for the program of an agent. ok is false if it is not installed.
func (a Agent) Find(ctx context.Context) (Installed, bool) {
	path, err := exec.LookPath(a.Program)
	if err != nil {
		return Installed{}, false
	}
	version := packageVersion(path)
	if version == "" {
		version = saidVersion(ctx, path)
	}
	return Installed{Path: path, Version: version}, true
}

// packageVersion returns the version of the npm package that contains the program, "" if unknown. Running the program
// instead would take seconds and might write files.
func packageVersion(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	for dir := filepath.Dir(real); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		text, err := os.ReadFile(filepath.Join(dir, "package.json"))
		if err != nil {
			continue
		}
		var pkg struct{ Name, Version string }
		if json.Unmarshal(text, &pkg) == nil && pkg.Name != "" {
			return pkg.Version
		}
	}
	return ""
}

// versionTime is the time limit for a program to print its version.
const versionTime = 10 * time.Second

var versionNumber = regexp.MustCompile(`\d+\.\d+[\w.+-]*`)

// saidVersion runs a program with --version and returns the version number in its output, "" if there is none.
func saidVersion(ctx context.Context, path string) string {
	ctx, cancel := context.WithTimeout(ctx, versionTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.WaitDelay = time.Second // if children keep the output open
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return versionNumber.FindString(strings.TrimSpace(string(out)))
}

// A Listed describes a coding agent in the output of callwright launch.
type Listed struct {
	Name      string `json:"name"`
	Title     string `json:"title"`
	Installed bool   `json:"installed"`
	Version   string `json:"version,omitempty"`
	Path      string `json:"path,omitempty"`
	Install   string `json:"install"`
}

// List returns all agents, with the paths and versions of those that are installed.
func List(ctx context.Context) []Listed {
	var out []Listed
	for _, a := range Agents() {
		found, ok := a.Find(ctx)
		out = append(out, Listed{a.Name, a.Title, ok, found.Version, found.Path, a.Install()})
	}
	return out
}
