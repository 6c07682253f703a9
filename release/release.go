package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A release is the state of a build of release files from a source.
type release struct {
	*source
	out, work string // folders: of the files, and for temporary files
	cache     string // GOCACHE; empty: the user's
	baseURL   string
	binaries  []*binary
	shared    shared
	sums      map[string]string // SHA-256 (hex) of each written file, by name
}

// shared are the files that are equal on all platforms.
type shared struct {
	license, readme, thirdParty, manual []byte
	completions                         map[string][]byte // by shell
}

// A binary is the compiled program for a platform.
type binary struct {
	platform
	file string
	text []byte
}

// buildEnv returns the environment variables of a build. They make the result independent of the machine.
func buildEnv(p platform) []string {
	return []string{"GOOS=" + p.os, "GOARCH=" + p.arch, "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off", "GOEXPERIMENT=",
		"GOAMD64=v1", "GOARM64=v8.0", "GOFIPS140=off"}
}

// build compiles the program for a platform.
func (r *release) build(ctx context.Context, p platform) (*binary, error) {
	b := &binary{platform: p, file: filepath.Join(r.work, p.os+"_"+p.arch, "callwright"+p.exe())}
	args := []string{"build", "-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -funcalign=16" + r.linkerFlags(), "-o", b.file}
	args = append(append(args, compilerFlags(r.module)...), "./cmd/callwright")
	env := buildEnv(p)
	if r.cache != "" {
		env = append(env, "GOCACHE="+r.cache)
	}
	if _, err := output(ctx, r.root, env, "go", args...); err != nil {
		return nil, err
	}
	var err error
	b.text, err = os.ReadFile(b.file)
	return b, err
}

// linkerFlags returns the -X flags that set the commit and its date in the program.
func (r *release) linkerFlags() string {
	pkg := " -X " + r.module + "/internal/version."
	flags := pkg + "linkedCommit=" + r.commit + pkg + "linkedDate=" + r.date.Format(time.RFC3339)
	if r.changed {
		flags += pkg + "linkedModified=true"
	}
	return flags
}

// describe creates the files that are equal on all platforms. It runs the program on this machine for some of them.
func (r *release) describe(ctx context.Context) error {
	b, err := r.build(ctx, platform{runtime.GOOS, runtime.GOARCH})
	if err != nil {
		return err
	}
	s := &r.shared
	if s.license, err = r.read("LICENSE"); err != nil {
		return err
	}
	if s.readme, err = r.read("packaging", "README.txt"); err != nil {
		return err
	}
	s.completions = map[string][]byte{}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		text, err := output(ctx, r.work, nil, b.file, "completion", shell)
		if err != nil {
			return err
		}
		s.completions[shell] = []byte(text + "\n")
	}
	s.manual, err = r.manualPage(ctx, b.file)
	return err
}

// write writes a file of the release and records its checksum.
func (r *release) write(name string, text []byte) error {
	sum := sha256.Sum256(text)
	r.sums[name] = hex.EncodeToString(sum[:])
	return os.WriteFile(filepath.Join(r.out, name), text, 0o644)
}

// sumsName is the name of the checksum file, in the format of sha256sum.
const sumsName = "SHA256SUMS"

func (r *release) writeSums() error {
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(r.sums)) {
		fmt.Fprintf(&text, "%s  %s\n", r.sums[name], name)
	}
	return os.WriteFile(filepath.Join(r.out, sumsName), []byte(text.String()), 0o644)
}
