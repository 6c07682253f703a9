package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/pem"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// user is the user id of the program in the image.
const user = 65532

// writeImages writes the container image of each architecture as a file for `docker load`, and all of them as an OCI
// layout in a tar archive.
func (r *release) writeImages(context.Context) error {
	base, err := r.baseLayer()
	if err != nil {
		return err
	}
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	found := false
	for _, b := range r.binaries {
		if b.os != "linux" {
			continue
		}
		found = true
		img, err := r.image(b, base)
		if err != nil {
			return err
		}
		index = mutate.AppendManifests(index,
			mutate.IndexAddendum{Add: img, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: b.os, Architecture: b.arch}}})
		text, err := r.imageFile(img, r.version, "latest")
		if err != nil {
			return err
		}
		if err := r.write("callwright_"+r.version+"_image_"+b.arch+".tar", text); err != nil {
			return err
		}
	}
	if !found {
		return nil
	}
	return r.writeLayout(index)
}

// imageFile returns an image as a file for `docker load`. Unlike [tarball.MultiRefWrite] it sorts the tags, so that the
// bytes are reproducible.
func (r *release) imageFile(img v1.Image, versions ...string) ([]byte, error) {
	refs := map[name.Reference]v1.Image{}
	for _, version := range versions {
		tag, err := name.NewTag("callwright:" + version)
		if err != nil {
			return nil, err
		}
		refs[tag] = img
	}
	manifest, err := tarball.ComputeManifest(refs)
	if err != nil {
		return nil, err
	}
	slices.Sort(manifest[0].RepoTags)
	manifestText, err := json.Marshal(manifest)
	if err != nil {
		return nil, err
	}
	config, err := img.RawConfigFile()
	if err != nil {
		return nil, err
	}
	list := []entry{{name: manifest[0].Config, text: config, mode: 0o644}}
	layers, err := img.Layers()
	if err != nil {
		return nil, err
	}
	for i, layer := range layers {
		text, err := compressed(layer)
		if err != nil {
			return nil, err
		}
		list = append(list, entry{name: manifest[0].Layers[i], text: text, mode: 0o644})
	}
	return tarOf(append(list, entry{name: "manifest.json", text: manifestText, mode: 0o644}), r.date)
}

// compressed returns the bytes of an image layer as compressed by gzip.
func compressed(layer v1.Layer) ([]byte, error) {
	from, err := layer.Compressed()
	if err != nil {
		return nil, err
	}
	defer from.Close()
	return io.ReadAll(from)
}

// writeLayout writes an image index as an OCI layout in a tar archive:
// https://github.com/opencontainers/image-spec/blob/main/image-layout.md.
func (r *release) writeLayout(index v1.ImageIndex) error {
	dir := filepath.Join(r.work, "oci")
	at, err := layout.Write(dir, empty.Index)
	if err != nil {
		return err
	}
	if err := at.AppendIndex(index, layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": r.version})); err != nil {
		return err
	}
	list, err := entriesOf(dir)
	if err != nil {
		return err
	}
	text, err := tarOf(list, r.date)
	if err != nil {
		return err
	}
	return r.write("callwright_"+r.version+"_oci.tar", text)
}

// entriesOf returns the files in a folder and its subfolders.
func entriesOf(dir string) ([]entry, error) {
	var out []entry
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		to, err := filepath.Rel(dir, path)
		out = append(out, entry{name: filepath.ToSlash(to), text: text, mode: 0o644})
		return err
	})
	return out, err
}

// baseLayer returns the image layer that does not depend on the program: CA certificates, the user, the configuration
// and the state folder.
func (r *release) baseLayer() (v1.Layer, error) {
	conf, err := r.read("packaging", "image", "callwright.yaml")
	if err != nil {
		return nil, err
	}
	return r.layer([]entry{
		{name: "etc/", mode: 0o755},
		{name: "etc/callwright/", mode: 0o755},
		{name: "etc/callwright/callwright.yaml", text: conf, mode: 0o644},
		{name: "etc/passwd", text: []byte("root:x:0:0:root:/root:/sbin/nologin\ncallwright:x:65532:65532:callwright:/var/lib/callwright:/sbin/nologin\n"), mode: 0o644},
		{name: "etc/group", text: []byte("root:x:0:\ncallwright:x:65532:\n"), mode: 0o644},
		{name: "etc/ssl/", mode: 0o755},
		{name: "etc/ssl/certs/", mode: 0o755},
		{name: "etc/ssl/certs/ca-certificates.crt", text: certificates(), mode: 0o644},
		{name: "tmp/", mode: 0o777 | fs.ModeSticky},
		{name: "var/", mode: 0o755},
		{name: "var/lib/", mode: 0o755},
		{name: "var/lib/callwright/", mode: 0o700, uid: user},
	})
}

func (r *release) layer(list []entry) (v1.Layer, error) {
	text, err := tarOf(list, r.date)
	if err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil },
		tarball.WithMediaType(types.OCILayer))
}

// certificates returns the root certificates of Mozilla's store in PEM. It omits roots with a constraint, such as an
// end of trust, because a PEM file cannot express it.
func certificates() []byte {
	var out bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			_ = pem.Encode(&out, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}) // a bytes.Buffer never fails
		}
	}
	return out.Bytes()
}

// image returns the container image for a binary.
func (r *release) image(b *binary, base v1.Layer) (v1.Image, error) {
	licenses := append(append(bytes.Clone(r.shared.license), '\n'), r.shared.thirdParty...)
	program, err := r.layer([]entry{
		{name: "usr/", mode: 0o755},
		{name: "usr/bin/", mode: 0o755},
		{name: "usr/bin/callwright", text: b.text, mode: 0o755},
		{name: "usr/share/", mode: 0o755},
		{name: "usr/share/doc/", mode: 0o755},
		{name: "usr/share/doc/callwright/", mode: 0o755},
		{name: "usr/share/doc/callwright/copyright", text: licenses, mode: 0o644},
	})
	if err != nil {
		return nil, err
	}
	img := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	img, err = mutate.ConfigFile(img, &v1.ConfigFile{
		Architecture: b.arch, OS: b.os, Created: v1.Time{Time: r.date},
		Config: v1.Config{
			User:         "65532:65532",
			Env:          []string{"PATH=/usr/bin", "HOME=/var/lib/callwright"},
			Entrypoint:   []string{"/usr/bin/callwright"},
			Cmd:          []string{"serve", "--config", "/etc/callwright/callwright.yaml"},
			WorkingDir:   "/etc/callwright", // other commands find the configuration there
			ExposedPorts: map[string]struct{}{"8787/tcp": {}},
			Volumes:      map[string]struct{}{"/var/lib/callwright": {}},
			StopSignal:   "SIGTERM",
			Healthcheck: &v1.HealthConfig{Test: []string{"CMD", "/usr/bin/callwright", "status", "--ready"},
				Interval: 30 * time.Second, Timeout: 5 * time.Second, StartPeriod: 10 * time.Second, Retries: 3},
			Labels: map[string]string{
				"org.opencontainers.image.title":    "callwright",
				"org.opencontainers.image.version":  r.version,
				"org.opencontainers.image.revision": r.commit,
				"org.opencontainers.image.created":  r.date.Format(time.RFC3339),
				"org.opencontainers.image.licenses": "Apache-2.0",
				"org.opencontainers.image.source":   "https://" + r.module,
			},
		},
	})
	if err != nil {
		return nil, err
	}
	history := v1.History{Created: v1.Time{Time: r.date}, CreatedBy: "callwright " + r.version}
	return mutate.Append(img, mutate.Addendum{Layer: base, History: history}, mutate.Addendum{Layer: program, History: history})
}
