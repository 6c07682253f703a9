package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/version"
)

// printBuild prints a build as text.
func printBuild(w io.Writer, b version.Build) {
	fmt.Fprintln(w, "callwright "+b.Version)
	commit := b.Commit
	if b.Modified && commit != "" {
		commit += ", with changes"
	}
	for _, line := range [][2]string{{"module", b.Module}, {"commit", commit}, {"date", b.Date}, {"go", b.Go}, {"platform", b.Platform}} {
		if line[1] != "" {
			fmt.Fprintf(w, "  %-9s %s\n", line[0], line[1])
		}
	}
}

func newVersion(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "version [--json]",
		Short:   "Print the version, the commit and the version of Go",
		Long:    "Version prints the version of this program, its commit with the date, the version of Go, and the platform.",
		Example: "  callwright version\n  callwright version --json",
		Args:    noArgs,

		DisableFlagsInUseLine: true,

		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return jsonx.WriteLine(a.std.out, version.This())
			}
			printBuild(a.std.out, version.This())
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}
