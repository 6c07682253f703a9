// Package version contains the version of the program and describes its build.
package version

import (
	"runtime"
	"runtime/debug"
	"sync"
)

// Number is the version of this source by https://semver.org. It is defined only here; releases copy it into file names
// and metadata. Between two releases it is the number of the last release.
const Number = "0.1.0"

// Commit of a release, its date, and "true" if files were modified. The linker sets them, because Go does not record a
// commit in a git worktree, and its module version depends on the tags of a clone. They are empty in other builds.
var linkedCommit, linkedDate, linkedModified string

// A Build describes how a program was built. Unknown members are empty.
type Build struct {
	Version  string `json:"version"`          // "v" and Number
	Module   string `json:"module,omitempty"` // module version recorded by Go, if the commit is unknown and it differs from Version
	Commit   string `json:"commit,omitempty"`
	Date     string `json:"date,omitempty"` // date of the commit, RFC 3339
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"` // GOOS/GOARCH
}

// This returns the Build of this program. A build without version control, such as a test, has no commit.
var This = sync.OnceValue(func() Build {
	b := Build{Version: "v" + Number, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if linkedCommit != "" {
		b.Commit, b.Date, b.Modified = linkedCommit, linkedDate, linkedModified == "true"
	} else if info, ok := debug.ReadBuildInfo(); ok {
		b.read(info)
	}
	return b
})

// read sets the members that Go recorded: the commit and its date or, if the build has no commit, the module version.
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
