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

// An Installed is the program of an agent.
type Installed struct {
	Path    string
	Version string // empty where it does not say
}

// Find looks for the program of an agent in the folders of PATH.
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

// packageVersion returns the version in the package of npm that a program is in: starting the program takes seconds and
// may write files.
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

// versionTime is how long a program may take to say its version.
const versionTime = 10 * time.Second

var versionNumber = regexp.MustCompile(`\d+\.\d+[\w.+-]*`)

// saidVersion asks a program for its version.
func saidVersion(ctx context.Context, path string) string {
	ctx, cancel := context.WithTimeout(ctx, versionTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.WaitDelay = time.Second // of children that keep its output open
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return versionNumber.FindString(strings.TrimSpace(string(out)))
}

// A Listed agent is one in the list of all.
type Listed struct {
	Name      string `json:"name"`
	Title     string `json:"title"`
	Installed bool   `json:"installed"`
	Version   string `json:"version,omitempty"`
	Path      string `json:"path,omitempty"`
	Install   string `json:"install"`
}

// List returns all agents, with the programs that were found.
func List(ctx context.Context) []Listed {
	var out []Listed
	for _, a := range Agents() {
		found, ok := a.Find(ctx)
		out = append(out, Listed{a.Name, a.Title, ok, found.Version, found.Path, a.Install()})
	}
	return out
}
