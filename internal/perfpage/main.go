// Command perfpage runs benchmarks and writes the tables of docs/performance.md. It must be run at the root of the
// module. Arguments are names of sections; without arguments it measures all sections:
//
//	go run ./internal/perfpage
//	go run ./internal/perfpage gateway endurance
//
// A section of the page begins with a line <!-- NAME --> and ends with a line <!-- end -->. Text outside of sections is
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

// run measures the named sections, or all if there are no names. It writes each section directly after its measurement.
func run(names []string) error {
	for _, name := range names {
		if !slices.ContainsFunc(sections, func(s section) bool { return s.name == name }) {
			return fmt.Errorf("no section %s: want some of %s", name, sectionNames())
		}
	}
	if _, err := os.Stat(page); err != nil { // fail before minutes of measuring
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

// write measures a section and replaces its text on the page.
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

// shell runs a command and returns its standard output, which it also prints.
func shell(command string) (string, error) {
	var out bytes.Buffer
	cmd := exec.Command("sh", "-ec", command)
	cmd.Stdout, cmd.Stderr = io.MultiWriter(&out, os.Stdout), os.Stderr
	fmt.Println("$", command)
	err := cmd.Run()
	return out.String(), err
}
