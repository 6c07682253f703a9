package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Every command has a help with an example of its own, which fits the width of the terminal.
func TestHelp(t *testing.T) {
	for _, columns := range []string{"80", "120"} {
		width := map[string]int{"80": 80, "120": 120}[columns]
		env := func(name string) (string, bool) {
			return map[string]string{"COLUMNS": columns}[name], name == "COLUMNS"
		}
		var walk func(c *cobra.Command)
		walk = func(c *cobra.Command) {
			args := append(strings.Fields(c.CommandPath())[1:], "--help")
			var out, errs bytes.Buffer
			if status := run(t.Context(), args, streams{in: strings.NewReader(""), out: &out, err: &errs}, env); status != exitDone || errs.Len() > 0 {
				t.Errorf("%v: exit status %d, %s", args, status, &errs)
			}
			_, examples, ok := strings.Cut(out.String(), "\nExamples:\n")
			if !ok || !strings.Contains(examples, "  callwright") && !strings.Contains(examples, "<(callwright") {
				t.Errorf("%v shows no example:\n%s", args, &out)
			}
			if usage, _, _ := strings.Cut(out.String(), "\nExamples:\n"); !strings.Contains(args[0], "completion") {
				if strings.Contains(usage, "[flags]") {
					t.Errorf("%v does not name its flags:\n%s", args, usage)
				}
				c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
					if f.Name != "help" && f.Name != "version" && !strings.Contains(usage, "--"+f.Name) {
						t.Errorf("the usage of %v lacks --%s:\n%s", args, f.Name, usage)
					}
				})
			}
			for line := range strings.Lines(out.String()) {
				if paint.Columns(strings.TrimRight(line, "\n")) > width && !strings.HasPrefix(line, "\t") {
					t.Errorf("%v: wider than %d columns: %s", args, width, line)
				}
			}
			for _, sub := range c.Commands() {
				walk(sub)
			}
		}
		walk(newRoot(&app{env: env}))
	}
}

// A usage is broken between its parts.
func TestUsageParts(t *testing.T) {
	got := usageParts("[--one NAME] [--two NAME | --three] FILE", 20, "    ")
	if want := "[--one NAME]\n    [--two NAME | --three]\n    FILE"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A command whose output cannot be written has failed, also where it prints for people.
func TestOutputNotWritten(t *testing.T) {
	for _, line := range []string{"--help", "models", "config schema"} {
		var errs bytes.Buffer
		status := run(t.Context(), strings.Fields(line), streams{in: strings.NewReader(""), out: fullDisk{}, err: &errs}, noEnv)
		if status != exitFailed || !strings.Contains(errs.String(), "no space left on device") {
			t.Errorf("%s: exit status %d, %s", line, status, &errs)
		}
	}
}
