package main

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/callwright/callwright/internal/jsonx"
)

// A build is how the program was built. Members that the build does not know are empty.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Date     string `json:"date,omitempty"` // of the commit, RFC 3339
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// thisBuild returns how this program was built.
func thisBuild() build {
	b := build{Version: "unknown", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.read(info)
	}
	return b
}

// read fills in the version of the module, the commit and its date. The version is "(devel)" for a build without version control.
func (b *build) read(info *debug.BuildInfo) {
	b.Version = cmp.Or(info.Main.Version, b.Version)
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
}

// print writes a build for people.
func (b *build) print(w io.Writer) {
	fmt.Fprintln(w, "callwright "+b.Version)
	commit := b.Commit
	if b.Modified && commit != "" {
		commit += ", with changes"
	}
	for _, line := range [][2]string{{"commit", commit}, {"date", b.Date}, {"go", b.Go}, {"platform", b.Platform}} {
		if line[1] != "" {
			fmt.Fprintf(w, "  %-9s %s\n", line[0], line[1])
		}
	}
}

func newVersion(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "version [--json]",
		Short:   "Print the version, the commit and the Go that this program was built with",
		Long:    "Version prints how this program was built: its version, the commit and the date of it, the version of Go, and the platform.",
		Example: "  callwright version\n  callwright version --json",
		Args:    noArgs,

		DisableFlagsInUseLine: true,

		RunE: func(*cobra.Command, []string) error {
			b := thisBuild()
			if asJSON {
				return jsonx.WriteLine(a.std.out, b)
			}
			b.print(a.std.out)
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}
