package main

import (
	"bytes"
	"encoding/json"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// TestVersion: the command, its JSON and the flag agree.
func TestVersion(t *testing.T) {
	var said, flagged, shown bytes.Buffer
	for out, args := range map[*bytes.Buffer][]string{&said: {"version"}, &shown: {"version", "--json"}, &flagged: {"--version"}} {
		if code := run(t.Context(), args, streams{in: strings.NewReader(""), out: out, err: out}, func(string) (string, bool) { return "", false }); code != 0 {
			t.Fatalf("%v: status %d: %s", args, code, out)
		}
	}
	var b build
	if err := json.Unmarshal(shown.Bytes(), &b); err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(said.String(), "\n")
	if first != "callwright "+b.Version || !strings.Contains(flagged.String(), b.Version) || b.Go != runtime.Version() || !strings.Contains(said.String(), b.Platform) {
		t.Errorf("got %q, %q and %+v", said.String(), flagged.String(), b)
	}
}

// TestBuild: the members that Go records of a build are printed, the others are left out.
func TestBuild(t *testing.T) {
	b := build{Version: "unknown", Go: "go1", Platform: "a/b"}
	var out bytes.Buffer
	if b.print(&out); out.String() != "callwright unknown\n  go        go1\n  platform  a/b\n" {
		t.Errorf("got %q", out.String())
	}
	b.read(&debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "2026-01-02T03:04:05Z"}, {Key: "vcs.modified", Value: "true"},
	}})
	out.Reset()
	if b.print(&out); out.String() != "callwright v1.2.3\n  commit    abc, with changes\n  date      2026-01-02T03:04:05Z\n  go        go1\n  platform  a/b\n" {
		t.Errorf("got %q", out.String())
	}
}
