package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
)

// A library is a Go module in a binary.
type library struct {
	path, version, sum string
	license            string // SPDX identifier; "" if unknown
	texts              []byte // license and notice texts
}

// A bom is a CycloneDX 1.6 document: https://cyclonedx.org/docs/1.6/json/.
type bom struct {
	Format       string       `json:"bomFormat"`
	SpecVersion  string       `json:"specVersion"`
	Version      int          `json:"version"`
	Metadata     bomMetadata  `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type bomMetadata struct {
	Timestamp string     `json:"timestamp"`
	Component component  `json:"component"`
	Property  []property `json:"properties,omitempty"`
}

type component struct {
	Type     string           `json:"type"`
	Ref      string           `json:"bom-ref"`
	Name     string           `json:"name"`
	Version  string           `json:"version"`
	PURL     string           `json:"purl"`
	Hashes   []hash           `json:"hashes,omitempty"`
	Licenses []map[string]any `json:"licenses,omitempty"`
	Property []property       `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn,omitempty"`
}

// writeSBOMs writes an SBOM for each binary, and collects the licenses of all modules in r.shared.
func (r *release) writeSBOMs(ctx context.Context) error {
	all := map[string]*library{}
	for _, b := range r.binaries {
		info, err := buildinfo.ReadFile(b.file)
		if err != nil {
			return err
		}
		libraries, err := r.librariesOf(ctx, info)
		if err != nil {
			return err
		}
		for _, l := range libraries {
			all[l.path] = l
		}
		text, err := jsonOf(r.bomOf(b, libraries))
		if err != nil {
			return err
		}
		if err := r.write("callwright_"+r.version+"_"+b.os+"_"+b.arch+".cdx.json", text); err != nil {
			return err
		}
	}
	var texts bytes.Buffer
	for _, path := range slices.Sorted(maps.Keys(all)) {
		l := all[path]
		if l.license == "" {
			fmt.Fprintf(os.Stderr, "release: %s: unknown licence\n", l.path)
		}
		fmt.Fprintf(&texts, "%s\n%s %s\n%[1]s\n\n%s\n", strings.Repeat("=", 80), l.path, l.version, l.texts)
	}
	r.shared.thirdParty = texts.Bytes()
	return nil
}

// bomOf returns the SBOM of a binary.
func (r *release) bomOf(b *binary, libraries []*library) *bom {
	sum := sha256.Sum256(b.text)
	main := component{Type: "application", Ref: "callwright", Name: r.module, Version: "v" + r.version,
		PURL:   "pkg:golang/" + r.module + "@v" + r.version,
		Hashes: []hash{{"SHA-256", hex.EncodeToString(sum[:])}}, Licenses: licensesOf("Apache-2.0"),
		Property: []property{{"callwright:platform", b.platform.String()}, {"callwright:commit", r.commit}}}
	out := &bom{Format: "CycloneDX", SpecVersion: "1.6", Version: 1,
		Metadata: bomMetadata{Timestamp: r.date.Format("2006-01-02T15:04:05Z"), Component: main}}
	needs := dependency{Ref: main.Ref}
	for _, l := range libraries {
		c := component{Type: "library", Name: l.path, Version: l.version, PURL: "pkg:golang/" + l.path + "@" + l.version,
			Licenses: licensesOf(l.license)}
		c.Ref = c.PURL
		if l.sum != "" {
			c.Property = []property{{"callwright:go.sum", l.sum}} // a go.sum hash matches no algorithm of CycloneDX
		}
		out.Components = append(out.Components, c)
		needs.DependsOn = append(needs.DependsOn, c.Ref)
	}
	out.Dependencies = []dependency{needs}
	return out
}

func licensesOf(id string) []map[string]any {
	if id == "" {
		return nil
	}
	return []map[string]any{{"license": map[string]string{"id": id}}}
}

// librariesOf returns the modules in a binary and the standard library.
func (r *release) librariesOf(ctx context.Context, info *debug.BuildInfo) ([]*library, error) {
	root, err := output(ctx, r.root, []string{"GOFLAGS="}, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	list, err := output(ctx, r.root, []string{"GOFLAGS=", "GOWORK=off"}, "go", "list", "-mod=readonly", "-m", "-json=Path,Dir", "all")
	if err != nil {
		return nil, err
	}
	folders := map[string]string{}
	for d := json.NewDecoder(strings.NewReader(list)); ; {
		var m struct{ Path, Dir string }
		if err := d.Decode(&m); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		folders[m.Path] = m.Dir
	}
	out := []*library{{path: "std", version: strings.TrimPrefix(info.GoVersion, "go")}}
	folders["std"] = root
	for _, m := range info.Deps {
		if m.Replace != nil {
			return nil, fmt.Errorf("%s is replaced by %s: a release requires the module versions of go.mod", m.Path, m.Replace.Path)
		}
		out = append(out, &library{path: m.Path, version: m.Version, sum: m.Sum})
	}
	for _, l := range out {
		if err := l.readLicense(folders[l.path]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// readLicense reads the license and notice files in a module's folder.
func (l *library) readLicense(dir string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("%s: the module's folder: %w", l.path, err)
	}
	var first []byte
	for _, f := range files {
		name := strings.ToUpper(f.Name())
		isLicense := strings.HasPrefix(name, "LICENSE") || strings.HasPrefix(name, "LICENCE") || strings.HasPrefix(name, "COPYING")
		if f.IsDir() || !isLicense && !strings.HasPrefix(name, "NOTICE") && name != "PATENTS" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return err
		}
		if isLicense && first == nil {
			first = text
		}
		l.texts = append(append(l.texts, bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))...), '\n')
	}
	l.license = identify(string(first))
	return nil
}

// phrases identify licenses: the first row whose words all occur in the text wins. Words are in lower case.
var phrases = []struct {
	id    string
	words []string
}{
	{"Apache-2.0", []string{"apache license", "version 2.0"}},
	{"MPL-2.0", []string{"mozilla public license", "2.0"}},
	{"BSD-3-Clause", []string{"redistribution and use in source and binary forms", "neither the name"}},
	{"BSD-3-Clause", []string{"redistribution and use in source and binary forms", "may not be used to endorse"}},
	{"BSD-2-Clause", []string{"redistribution and use in source and binary forms"}},
	{"ISC", []string{"permission to use, copy, modify, and"}},
	{"MIT-0", []string{"mit no attribution"}},
	{"MIT", []string{"permission is hereby granted, free of charge"}},
}

// identify returns the SPDX identifier of a license text, "" if it is unknown.
func identify(text string) string {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
next:
	for _, p := range phrases {
		for _, w := range p.words {
			if !strings.Contains(text, w) {
				continue next
			}
		}
		return p.id
	}
	return ""
}
