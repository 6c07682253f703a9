package evalcmd_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/callwright/callwright/cmd/callwright/internal/evalcmd"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the table of settings into its page")

const (
	docPage = "../../../../docs/eval.md"

	// generated stands between what people write on the page and what the table says.
	generated = "<!-- below: written by go test ./cmd/callwright/internal/evalcmd -run TestPage -update -->\n"
)

// The page lists what the table says.
func TestPage(t *testing.T) {
	b, err := os.ReadFile(docPage)
	if err != nil {
		t.Fatal(err)
	}
	intro, _, ok := strings.Cut(string(b), generated)
	if !ok {
		t.Fatalf("%s lacks the line %s", docPage, generated)
	}
	want := intro + generated + tableOf(evalcmd.Settings())
	if *update {
		if err := os.WriteFile(docPage, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(want, string(b)); d != "" {
		t.Errorf("%s is stale; go test ./cmd/callwright/internal/evalcmd -run TestPage -update writes it. Want (-) got (+):\n%s", docPage, d)
	}
}

// tableOf has a line for each setting.
func tableOf(list []evalcmd.Setting) string {
	var b strings.Builder
	b.WriteString("\n| flag | variable | default | what it means |\n|---|---|---|---|\n")
	cell := func(text string) string { return strings.NewReplacer("|", `\|`, "<", "&lt;").Replace(text) }
	for _, s := range list {
		name, variable, meaning := "`--"+s.Flag+"`", "", cell(s.Meaning)
		if s.Value != "" {
			name = "`--" + s.Flag + " " + s.Value + "`"
		}
		if s.Variable != "" {
			variable = "`" + s.Variable + "`"
		}
		if s.Live {
			meaning += " (live)"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", name, variable, cell(s.Default), meaning)
	}
	return b.String()
}
