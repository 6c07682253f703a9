// Command perfpage measures the figures of docs/performance.md and writes its tables. It is run at the root of the
// module, for all sections of the page or for those that are named:
//
//	go run ./internal/perfpage
//	go run ./internal/perfpage gateway endurance
//
// A section is the part of the page between a line <!-- NAME --> and the line <!-- end --> after it. The rest is
// written by hand.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
)

const page = "docs/performance.md"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "perfpage:", err)
		os.Exit(1)
	}
}

// run measures the sections of these names, or all, and writes each as soon as it is measured.
func run(names []string) error {
	for _, name := range names {
		if !slices.ContainsFunc(sections, func(s section) bool { return s.name == name }) {
			return fmt.Errorf("no section %s: want some of %s", name, sectionNames())
		}
	}
	if _, err := os.Stat(page); err != nil { // before measuring for minutes
		return err
	}
	for _, s := range sections {
		if len(names) > 0 && !slices.Contains(names, s.name) {
			continue
		}
		if err := write(s); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

// write measures a section and replaces it on the page.
func write(s section) error {
	out, err := shell(s.command)
	if err != nil {
		return err
	}
	f := parse(out, runtime.GOMAXPROCS(0))
	text := s.text(f)
	if len(f.missing) > 0 {
		return fmt.Errorf("the benchmarks have no figure for %q", f.missing)
	}
	was, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	now, err := replace(string(was), s.name, text)
	if err != nil {
		return err
	}
	return os.WriteFile(page, []byte(now), 0o600)
}

// shell runs a command and returns its output, which can be watched.
func shell(command string) (string, error) {
	var out bytes.Buffer
	cmd := exec.Command("sh", "-ec", command)
	cmd.Stdout, cmd.Stderr = io.MultiWriter(&out, os.Stdout), os.Stderr
	fmt.Println("$", command)
	err := cmd.Run()
	return out.String(), err
}
