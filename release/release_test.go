package main

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

func TestPythonVersion(t *testing.T) {
	for version, want := range map[string]string{"1.2.3": "1.2.3", "1.2.3-rc.1": "1.2.3rc1", "1.2.3-alpha.12": "1.2.3a12", "1.2.3-beta.0": "1.2.3b0", "1.2.3-rc1": "", "1.2.3-next.1": ""} {
		if got, err := pythonVersion(version); got != want || (err != nil) != (want == "") {
			t.Errorf("%s: got %q, %v, want %q", version, got, err, want)
		}
	}
}

func TestPlatforms(t *testing.T) {
	for list, want := range map[string]string{"all": "[linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64]", "linux/arm64,windows/amd64,linux/arm64": "[linux/arm64 windows/amd64]"} {
		got, err := platformsOf(list)
		if text := strings.Join(strings.Fields(strings.TrimSpace(sprint(got))), " "); err != nil || text != want {
			t.Errorf("%s: got %s, %v, want %s", list, text, err, want)
		}
	}
	if got, err := platformsOf("host"); err != nil || len(got) != 1 {
		t.Errorf("host: got %v, %v", got, err)
	}
	if _, err := platformsOf("plan9/386"); err == nil {
		t.Error("a platform was taken that a release does not have")
	}
	for _, p := range platforms {
		if wheelTags[p] == "" || nodeOS[p.os] == "" || nodeArch[p.arch] == "" {
			t.Errorf("%s: wheels or npm have no name for it", p)
		}
	}
}

func sprint(list []platform) string {
	var out []string
	for _, p := range list {
		out = append(out, p.String())
	}
	return "[" + strings.Join(out, " ") + "]"
}

// Licences are recognised by their words, wherever lines are broken.
func TestIdentify(t *testing.T) {
	for text, want := range map[string]string{
		"  Apache License\n  Version 2.0, January 2004":                                              "Apache-2.0",
		"Permission is hereby granted,\nfree of charge":                                              "MIT",
		"Redistribution and use in source and binary forms, with or without ... Neither the name of": "BSD-3-Clause",
		"Redistribution and use in source and binary forms, with or without":                         "BSD-2-Clause",
		"Permission to use, copy, modify, and/or distribute":                                         "ISC",
		"Mozilla Public License Version 2.0":                                                         "MPL-2.0",
		"All rights reserved":                                                                        "",
	} {
		if got := identify(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// Archives are the same bytes in whatever order their entries came, and have their modes.
func TestArchivesAreSorted(t *testing.T) {
	at := time.Unix(1_700_000_000, 0).UTC()
	list := []entry{{name: "b/", mode: 0o700, uid: 7}, {name: "a", text: []byte("A"), mode: 0o755}, {name: "b/c", text: []byte("C"), mode: 0o644}, {name: "t/", mode: 0o777 | fs.ModeSticky}}
	one, err := tarGzOf(slices.Clone(list), at)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(list)
	two, err := tarGzOf(list, at)
	if err != nil || !bytes.Equal(one, two) {
		t.Errorf("%v; equal: %v", err, bytes.Equal(one, two))
	}
}

// The file of an image is the same in each build, and is read under both of its tags. The library's own writer changes the order of the tags.
func TestImageFile(t *testing.T) {
	r := &release{source: &source{version: "1.2.3", date: time.Unix(1_700_000_000, 0).UTC()}}
	layer, err := r.layer([]entry{{name: "a", text: []byte("A"), mode: 0o644}})
	if err != nil {
		t.Fatal(err)
	}
	img, err := mutate.AppendLayers(empty.Image, layer)
	if err != nil {
		t.Fatal(err)
	}
	first, err := r.imageFile(img, "1.2.3", "latest")
	if err != nil {
		t.Fatal(err)
	}
	for range 30 {
		if next, err := r.imageFile(img, "1.2.3", "latest"); err != nil || !bytes.Equal(first, next) {
			t.Fatalf("%v; equal: %v", err, bytes.Equal(first, next))
		}
	}
	for _, version := range []string{"1.2.3", "latest"} {
		tag, err := name.NewTag("callwright:" + version)
		if err != nil {
			t.Fatal(err)
		}
		got, err := tarball.Image(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(first)), nil }, &tag)
		if err != nil {
			t.Fatal(err)
		}
		want, err := img.ConfigName()
		if err != nil {
			t.Fatal(err)
		}
		if have, err := got.ConfigName(); err != nil || have != want {
			t.Errorf("%v: got the configuration %v, want %v", err, have, want)
		}
	}
}

// The record of a wheel has the sum and the size of each file, and itself without them.
func TestRecord(t *testing.T) {
	got := record([]entry{{name: "a.py", text: []byte("")}}, "x.dist-info/RECORD")
	if want := "a.py,sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,0\nx.dist-info/RECORD,,\n"; string(got.text) != want {
		t.Errorf("got %q, want %q", got.text, want)
	}
}

// Only a folder of an earlier release is emptied.
func TestEmptyFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dist")
	write := func(name string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := emptyFolder(dir); err != nil {
		t.Fatal(err)
	}
	write("mine.txt")
	if err := emptyFolder(dir); err == nil || !strings.Contains(err.Error(), "-out") {
		t.Errorf("got %v", err)
	}
	write(sumsName)
	if err := emptyFolder(dir); err != nil {
		t.Fatal(err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
		t.Errorf("%v, %v", list, err)
	}
}

// The version of the source is the one in one place, and that of the packages' sources is filled in.
func TestVersion(t *testing.T) {
	version, err := versionIn("../internal/version/version.go")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pythonVersion(version); err != nil {
		t.Error(err)
	}
	for name, part := range map[string]string{
		"../packaging/python/callwright/__init__.py": `__version__ = "0"`,
		"../packaging/npm/callwright/package.json":   `"version": "0.0.0"`,
		"../packaging/helm/callwright/Chart.yaml":    `version: "0.0.0"`,
		"../CHANGELOG.md":                            "## [" + version + "] - ",
	} {
		if text, err := os.ReadFile(name); err != nil || !strings.Contains(string(text), part) {
			t.Errorf("%s: %v; expected %s", name, err, part)
		}
	}
}

// The formula has an address and a sum for each platform, and is left out where an archive is missing.
func TestFormula(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	r := &release{source: &source{root: root, module: "example.com/callwright", version: "1.2.3"}, out: t.TempDir(), baseURL: "https://example.com/files", sums: map[string]string{}}
	if err := r.writeFormula(t.Context()); err != nil || len(r.sums) > 0 {
		t.Fatalf("%v, %v", err, r.sums)
	}
	for _, p := range platforms {
		r.sums["callwright_1.2.3_"+p.os+"_"+p.arch+".tar.gz"] = "sum of " + p.String()
	}
	if err := r.writeFormula(t.Context()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(r.out, "callwright.rb"))
	if err != nil || strings.Contains(string(text), "@") || strings.Count(string(text), "sum of ") != 4 ||
		!strings.Contains(string(text), `url "https://example.com/files/callwright_1.2.3_darwin_arm64.tar.gz"`) {
		t.Errorf("%v\n%s", err, text)
	}
}

// Text of a help means itself in a manual page.
func TestSection(t *testing.T) {
	var out strings.Builder
	section(&out, "A", "--flag\n.point\n'quote\nback\\slash")
	if want := ".SH A\n.nf\n\\-\\-flag\n\\&.point\n\\&'quote\nback\\eslash\n.fi\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}
