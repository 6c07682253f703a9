package version

import (
	"regexp"
	"runtime"
	"runtime/debug"
	"testing"
)

// TestNumber: the version is one of semver.org, as tags and packages need it.
func TestNumber(t *testing.T) {
	if !regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$`).MatchString(Number) {
		t.Errorf("%q is no semantic version", Number)
	}
	if b := This(); b.Version != "v"+Number || b.Go != runtime.Version() || b.Platform != runtime.GOOS+"/"+runtime.GOARCH {
		t.Errorf("got %+v", b)
	}
}

// TestRead: the commit comes from version control, and only without one the version of the module tells where the source is from.
func TestRead(t *testing.T) {
	settings := []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "2026-01-02T03:04:05Z"}, {Key: "vcs.modified", Value: "true"}}
	for name, tc := range map[string]struct {
		info debug.BuildInfo
		want Build
	}{
		"clone":         {debug.BuildInfo{Main: debug.Module{Version: "v0.0.0-2026"}, Settings: settings}, Build{Version: "v1.2.3", Commit: "abc", Date: "2026-01-02T03:04:05Z", Modified: true}},
		"no clone":      {debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, Build{Version: "v1.2.3"}},
		"release":       {debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}, Build{Version: "v1.2.3"}},
		"other version": {debug.BuildInfo{Main: debug.Module{Version: "v1.2.4-0.2026"}}, Build{Version: "v1.2.3", Module: "v1.2.4-0.2026"}},
	} {
		got := Build{Version: "v1.2.3"}
		if got.read(&tc.info); got != tc.want {
			t.Errorf("%s: got %+v, want %+v", name, got, tc.want)
		}
	}
}
