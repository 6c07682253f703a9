package packages_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/version"
)

// dist is the folder with the files of the release.
var dist string

func TestMain(m *testing.M) { os.Exit(withDist(m.Run)) }

// withDist calls run when the files of the release are there.
func withDist(run func() int) int {
	if dist = os.Getenv("CALLWRIGHT_DIST"); dist != "" {
		return run()
	}
	dir, err := os.MkdirTemp("", "callwright-packages")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	dist = filepath.Join(dir, "dist")
	cmd := exec.Command("go", "run", "-C", "../../release", ".", "-dirty", "-platforms", "host", "-out", dist)
	cmd.Env = append(os.Environ(), "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "the release: %v\n%s", err, out)
		return 1
	}
	return run()
}

// file returns the path of a file of the release.
func file(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(dist, name)
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// host says how this machine is called in names of files.
var host = map[string]struct{ deb, rpm, wheel, npm string }{
	"amd64": {"amd64", "x86_64", "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64", "linux-x64"},
	"arm64": {"arm64", "aarch64", "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64", "linux-arm64"},
}[runtime.GOARCH]

// The files for this machine.
var (
	archiveFile = "callwright_" + version.Number + "_linux_" + runtime.GOARCH + ".tar.gz"
	sbomFile    = "callwright_" + version.Number + "_linux_" + runtime.GOARCH + ".cdx.json"
	debFile     = "callwright_" + version.Number + "_" + host.deb + ".deb"
	rpmFile     = "callwright-" + version.Number + "-1." + host.rpm + ".rpm"
	imageFile   = "callwright_" + version.Number + "_image_" + runtime.GOARCH + ".tar"
	layoutFile  = "callwright_" + version.Number + "_oci.tar"
	wheelFile   = "callwright-" + version.Number + "-py3-none-" + host.wheel + ".whl"
	npmFile     = "callwright-npm-" + version.Number + ".tgz"
	npmHostFile = "callwright-npm-" + host.npm + "-" + version.Number + ".tgz"
	chartFile   = "callwright-chart-" + version.Number + ".tgz"
)

// outside is the environment of programs of the machine, without Go.
func outside() []string {
	var out []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "GO") && !strings.HasPrefix(v, "CALLWRIGHT") {
			out = append(out, v)
		}
	}
	return out
}

// do runs a program and returns what it prints.
func do(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	return doWith(t, dir, outside(), name, args...)
}

func doWith(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Env = dir, env
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, &out, &errs)
	}
	return out.String()
}

// fails runs a program that must fail, and returns what it prints.
func fails(ctx context.Context, t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = env
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Fatalf("%s %s: expected a failure, got\n%s", name, strings.Join(args, " "), out)
	}
	return string(out)
}
