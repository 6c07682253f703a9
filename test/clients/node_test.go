package clients_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/callwright/callwright/internal/prerequisite"
)

// oldestNode is the oldest major version of Node that the SDKs run on.
const oldestNode = 20

// packages says which packages the driver needs and where npm is told how to install them.
var packages = []string{"package.json", "package-lock.json", ".npmrc"}

// node is an installed Node with packages.
type node struct {
	path string // of the program
	sdks string // the folder that has node_modules
	skip string // why there is none
	err  error
}

// The folders with the two lists of packages: the official SDKs, and frameworks. Each of the two has dependencies that the other cannot have beside it.
var (
	findNode       = sync.OnceValue(func() node { return nodeFor(".", "clients") })
	findFrameworks = sync.OnceValue(func() node { return nodeFor("frameworks", "frameworks") })
)

// nodeFor finds Node and installs the packages that a folder lists into the cache folder of that name.
func nodeFor(folder, cache string) node {
	path, err := exec.LookPath("node")
	if err != nil {
		return node{skip: "Node is not installed"}
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		return node{skip: "npm is not installed"}
	}
	version, err := exec.Command(path, "--version").Output()
	if err != nil {
		return node{skip: "node --version failed: " + err.Error()}
	}
	major, _, _ := strings.Cut(strings.TrimPrefix(string(version), "v"), ".")
	if n, err := strconv.Atoi(major); err != nil || n < oldestNode {
		return node{skip: "the SDKs need Node " + strconv.Itoa(oldestNode) + " or newer, this is " + strings.TrimSpace(string(version))}
	}
	sdks, err := install(npm, folder, cache)
	return node{path: path, sdks: sdks, err: err}
}

// needNode returns Node with the SDKs. The test lacks a prerequisite where they cannot be installed, for want of a network say.
func needNode(t *testing.T) node {
	t.Helper()
	return need(t, findNode())
}

// need is a node that can be used.
func need(t *testing.T, n node) node {
	t.Helper()
	switch {
	case n.skip != "":
		prerequisite.Missing(t, n.skip)
	case n.err != nil:
		prerequisite.Missing(t, n.err)
	}
	return n
}

// install installs the locked packages of a folder into a cache folder that is named after them, unless they are there.
func install(npm, folder, name string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	files := map[string][]byte{}
	for _, file := range packages {
		if files[file], err = os.ReadFile(filepath.Join(folder, file)); err != nil {
			return "", err
		}
		sum.Write(files[file])
	}
	root := filepath.Join(cache, "callwright", name)
	home := filepath.Join(root, hex.EncodeToString(sum.Sum(nil))[:16])
	if _, err := os.Stat(home); err == nil {
		return home, nil
	}
	if err := os.MkdirAll(root, 0o755); err != nil {
		return "", err
	}
	fresh, err := os.MkdirTemp(root, "new-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(fresh) }()
	for file, text := range files {
		if err := os.WriteFile(filepath.Join(fresh, file), text, 0o644); err != nil {
			return "", err
		}
	}
	cmd := exec.Command(npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
	var said bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = fresh, &said, &said
	if err := cmd.Run(); err != nil {
		return "", errors.New("npm ci could not install the SDKs (is there a network?): " + err.Error() + "\n" + said.String())
	}
	if err := os.Rename(fresh, home); err != nil && !errors.Is(err, fs.ErrExist) {
		if _, there := os.Stat(home); there != nil { // else another test was faster
			return "", err
		}
	}
	return home, nil
}
