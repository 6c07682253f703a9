package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/version"
)

// TestVersion: the command, its JSON and the flag agree.
func TestVersion(t *testing.T) {
	var said, flagged, shown bytes.Buffer
	for out, args := range map[*bytes.Buffer][]string{&said: {"version"}, &shown: {"version", "--json"}, &flagged: {"--version"}} {
		if code := run(t.Context(), args, streams{in: strings.NewReader(""), out: out, err: out}, func(string) (string, bool) { return "", false }); code != 0 {
			t.Fatalf("%v: status %d: %s", args, code, out)
		}
	}
	var b version.Build
	if err := json.Unmarshal(shown.Bytes(), &b); err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(said.String(), "\n")
	if first != "callwright v"+version.Number || b != version.This() || flagged.String() != said.String() || !strings.Contains(said.String(), b.Platform) {
		t.Errorf("got %q, %q and %+v", said.String(), flagged.String(), b)
	}
}

// TestPrintBuild: members that are not known are left out.
func TestPrintBuild(t *testing.T) {
	for want, b := range map[string]version.Build{
		"callwright v1\n  go        go1\n  platform  a/b\n":                               {Version: "v1", Go: "go1", Platform: "a/b"},
		"callwright v1\n  module    v2\n  go        go1\n  platform  a/b\n":               {Version: "v1", Module: "v2", Go: "go1", Platform: "a/b"},
		"callwright v1\n  commit    abc, with changes\n  date      2026\n  go        g\n": {Version: "v1", Commit: "abc", Date: "2026", Modified: true, Go: "g"},
	} {
		var out bytes.Buffer
		if printBuild(&out, b); out.String() != want {
			t.Errorf("got %q, want %q", out.String(), want)
		}
	}
}
