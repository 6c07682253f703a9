package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// verify builds the commit again, in a clone in another folder with an empty build cache. It returns an error if the
// checksums differ from those in o.out.
func verify(ctx context.Context, src *source, o options) error {
	work, err := os.MkdirTemp("", "callwright-verify")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	clone, again := filepath.Join(work, "a", "clone"), filepath.Join(work, "dist")
	if _, err := output(ctx, src.root, nil, "git", "clone", "--quiet", "--no-local", ".", clone); err != nil {
		return err
	}
	if _, err := output(ctx, clone, nil, "git", "checkout", "--quiet", "--detach", src.commit); err != nil {
		return err
	}
	fmt.Println("building the commit again")
	cmd := exec.CommandContext(ctx, "go", "run", "-C", filepath.Join(clone, "release"), ".", "-out", again, "-platforms",
		o.platforms, "-base-url", o.baseURL, "-cache", filepath.Join(work, "cache"))
	cmd.Env = append(os.Environ(), "TZ=Pacific/Auckland", "LANG=C")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("the second build: %w", err)
	}
	first, err := readSums(o.out)
	if err != nil {
		return err
	}
	second, err := readSums(again)
	if err != nil {
		return err
	}
	var different []string
	for _, name := range slices.Sorted(maps.Keys(first)) {
		if first[name] != second[name] {
			different = append(different, name)
		}
	}
	if len(different) > 0 || len(first) != len(second) {
		return fmt.Errorf("two builds of %s differ, %d and %d files: %s", src.commit, len(first), len(second), strings.Join(different, ", "))
	}
	fmt.Printf("%d files are equal in two builds\n", len(first))
	return nil
}

// readSums parses SHA256SUMS in a folder and returns the checksums by file name.
func readSums(dir string) (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(dir, sumsName))
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for line := range strings.Lines(string(text)) {
		sum, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if !ok {
			return nil, fmt.Errorf("%s: expected a sum and a name, got %q", sumsName, line)
		}
		out[name] = sum
	}
	return out, nil
}
