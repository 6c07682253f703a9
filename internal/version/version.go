// Package version has the version of the program, and how this program was built.
package version

import (
	"runtime"
	"runtime/debug"
	"sync"
)

// Number is the version of this source, by https://semver.org. It is the only place that has it: a release writes it
// into the names and the metadata of its files. Between two releases it is the number of the last one.
const Number = "0.1.0"

// The commit of a release, its date, and "true" where files were changed, as the linker sets them: Go records none in a
// worktree of git, and its record of the module depends on the tags that a clone has. Empty in other builds.
var linkedCommit, linkedDate, linkedModified string

// A Build is how a program was built. Members that are not known are empty.
type Build struct {
	Version  string `json:"version"`          // "v" and Number
	Module   string `json:"module,omitempty"` // as Go recorded it, where the commit is not known and it is not Version
	Commit   string `json:"commit,omitempty"`
	Date     string `json:"date,omitempty"` // of the commit, RFC 3339
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"` // GOOS/GOARCH
}

// This returns how this program was built. A build without version control, such as a test, has no commit.
var This = sync.OnceValue(func() Build {
	b := Build{Version: "v" + Number, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if linkedCommit != "" {
		b.Commit, b.Date, b.Modified = linkedCommit, linkedDate, linkedModified == "true"
	} else if info, ok := debug.ReadBuildInfo(); ok {
		b.read(info)
	}
	return b
})

// read fills in Go's record of the build: the commit and its date, or the version of the module where a module proxy
// had no commit.
func (b *Build) read(info *debug.BuildInfo) {
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
	if of := info.Main.Version; b.Commit == "" && of != "(devel)" && of != b.Version {
		b.Module = of
	}
}
