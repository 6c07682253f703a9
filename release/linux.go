package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb" // registers the Debian packager
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm" // registers the RPM packager
)

// summary is the description of the program in packages.
const summary = "Reliable tool calls on every language model: gateway and command line"

// writeLinuxPackages writes a Debian and an RPM package for each Linux binary.
func (r *release) writeLinuxPackages(context.Context) error {
	for _, b := range r.binaries {
		if b.os != "linux" {
			continue
		}
		for _, form := range []string{"deb", "rpm"} {
			if err := r.writeLinuxPackage(b, form); err != nil {
				return fmt.Errorf("%s: %w", form, err)
			}
		}
	}
	return nil
}

func (r *release) writeLinuxPackage(b *binary, form string) error {
	contents, err := r.linuxContents(b, form)
	if err != nil {
		return err
	}
	script := func(name string) string { return filepath.Join(r.root, "packaging", "linux", name) }
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "callwright", Arch: b.arch, Version: r.version, Section: "net",
		Maintainer:  "The Callwright maintainers <maintainers@callwright.invalid>",
		Description: summary, Homepage: "https://" + r.module, License: "Apache-2.0", MTime: r.date, DisableGlobbing: true,
		Overridables: nfpm.Overridables{
			Contents:   contents,
			Recommends: []string{"ca-certificates"},
			Scripts:    nfpm.Scripts{PostInstall: script("postinstall.sh"), PreRemove: script("preremove.sh"), PostRemove: script("postremove.sh")},
			Deb:        nfpm.Deb{Compression: "gzip"},
			RPM:        nfpm.RPM{BuildHost: "localhost", Compression: "gzip", Summary: summary, Packager: "The Callwright maintainers"},
		},
	})
	packager, err := nfpm.Get(form)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := packager.Package(info, &out); err != nil {
		return err
	}
	return r.write(packager.ConventionalFileName(info), out.Bytes())
}

// linuxContents writes the files of a package into the working folder, where nfpm reads them, and returns their list.
func (r *release) linuxContents(b *binary, form string) (files.Contents, error) {
	unit, err := r.read("packaging", "linux", "callwright.service")
	if err != nil {
		return nil, err
	}
	socket, err := r.read("packaging", "linux", "callwright.socket")
	if err != nil {
		return nil, err
	}
	conf, err := r.read("packaging", "linux", "callwright.yaml")
	if err != nil {
		return nil, err
	}
	variables, err := r.read("packaging", "linux", "callwright.env")
	if err != nil {
		return nil, err
	}
	manual, err := compress(r.shared.manual)
	if err != nil {
		return nil, err
	}
	zsh := "/usr/share/zsh/vendor-completions/_callwright"
	if form == "rpm" {
		zsh = "/usr/share/zsh/site-functions/_callwright"
	}
	copyright := append(append(bytes.Clone(r.shared.license), '\n'), r.shared.thirdParty...)
	var out files.Contents
	for _, f := range []struct {
		to   string
		text []byte
		mode os.FileMode
		kind string
	}{
		{"/usr/bin/callwright", b.text, 0o755, ""},
		{"/usr/lib/systemd/system/callwright.service", unit, 0o644, ""},
		{"/usr/lib/systemd/system/callwright.socket", socket, 0o644, ""},
		{"/etc/callwright/callwright.yaml", conf, 0o644, "config|noreplace"},
		{"/etc/callwright/callwright.env", variables, 0o600, "config|noreplace"},
		{"/usr/share/bash-completion/completions/callwright", r.shared.completions["bash"], 0o644, ""},
		{zsh, r.shared.completions["zsh"], 0o644, ""},
		{"/usr/share/fish/vendor_completions.d/callwright.fish", r.shared.completions["fish"], 0o644, ""},
		{"/usr/share/man/man1/callwright.1.gz", manual, 0o644, ""},
		{"/usr/share/doc/callwright/copyright", copyright, 0o644, ""},
	} {
		at := filepath.Join(r.work, form+"_"+b.arch, filepath.FromSlash(f.to))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(at, f.text, 0o600); err != nil {
			return nil, err
		}
		out = append(out, &files.Content{Source: at, Destination: f.to, Type: f.kind,
			FileInfo: &files.ContentFileInfo{Mode: f.mode, MTime: r.date, Owner: "root", Group: "root"}})
	}
	return out, nil
}
