package packages_test

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/freeport"
)

// archived returns the files of a tar archive.
func archived(t *testing.T, name string) map[string][]byte {
	t.Helper()
	f, err := os.Open(file(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[string][]byte{}
	for r := tar.NewReader(f); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		if out[h.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
}

// unpack puts a layer into a root as a runtime of containers does: with owners and modes, as no file is removed by a later layer.
func (r *root) unpack(layer []byte) {
	r.t.Helper()
	z, err := gzip.NewReader(strings.NewReader(string(layer)))
	if err != nil {
		r.t.Fatal(err)
	}
	for files := tar.NewReader(z); ; {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			r.t.Fatal(err)
		}
		at := filepath.Join(r.path, h.Name)
		if h.Typeflag == tar.TypeDir {
			if err := os.MkdirAll(at, 0o755); err != nil {
				r.t.Fatal(err)
			}
		} else {
			text, err := io.ReadAll(files)
			if err != nil {
				r.t.Fatal(err)
			}
			r.write(h.Name, text, 0o644)
		}
		if err := errors.Join(os.Chown(at, h.Uid, h.Gid), os.Chmod(at, h.FileInfo().Mode())); err != nil {
			r.t.Fatal(err)
		}
	}
}

// An imageConfig is the part of an image's configuration that a runtime goes by.
type imageConfig struct {
	Architecture string
	Config       struct {
		User, WorkingDir     string
		Env, Entrypoint, Cmd []string
		Healthcheck          struct{ Test []string }
	}
}

// The image runs from its layers alone: as a user without privileges, with a key, healthy by its own check.
func TestImage(t *testing.T) {
	files := archived(t, imageFile)
	var manifest []struct {
		Config           string
		RepoTags, Layers []string
	}
	if err := json.Unmarshal(files["manifest.json"], &manifest); err != nil || len(manifest) != 1 {
		t.Fatalf("manifest.json: %v, %s", err, files["manifest.json"])
	}
	m := &manifest[0]
	if !slices.Contains(m.RepoTags, "callwright:latest") || len(m.RepoTags) != 2 {
		t.Errorf("got the tags %v", m.RepoTags)
	}
	var c imageConfig
	if err := json.Unmarshal(files[m.Config], &c); err != nil {
		t.Fatal(err)
	}
	r := newRoot(t)
	for _, name := range m.Layers {
		r.unpack(files[name])
	}
	if c.Config.User != "65532:65532" || r.has("bin/sh") || !strings.Contains(r.read("etc/ssl/certs/ca-certificates.crt"), "BEGIN CERTIFICATE") {
		t.Errorf("the user is %s; a shell: %v", c.Config.User, r.has("bin/sh"))
	}
	const user = 65532
	if out, err := r.command(user, c.Config.Env, slices.Concat(c.Config.Entrypoint, c.Config.Cmd)...).CombinedOutput(); err == nil || !strings.Contains(string(out), "CALLWRIGHT_KEY") {
		t.Errorf("without a key: %v, %s", err, out)
	}
	const conf = "etc/callwright/callwright.yaml"
	ports, err := freeport.Find(1)
	if err != nil {
		t.Fatal(err)
	}
	r.write(conf, []byte(strings.Replace(r.read(conf), "0.0.0.0:8787", freeport.Address(ports[0]), 1)+"providers: {sim: {}}\n"), 0o644)
	run := func(args ...string) *exec.Cmd {
		cmd := r.command(user, append(slices.Clone(c.Config.Env), "CALLWRIGHT_KEY=sesame"), args...)
		cmd.Dir = c.Config.WorkingDir
		return cmd
	}
	check := c.Config.Healthcheck.Test
	if len(check) < 2 || check[0] != "CMD" {
		t.Fatalf("the check of the health is %v", check)
	}
	if out, err := run(check[1:]...).CombinedOutput(); err == nil {
		t.Errorf("the check of the health found a gateway where none is: %s", out)
	}
	g := start(t, run(slices.Concat(c.Config.Entrypoint, c.Config.Cmd)...))
	g.key = "sesame"
	g.wantReady()
	g.wantCall()
	if out, err := run(check[1:]...).CombinedOutput(); err != nil {
		t.Errorf("the check of the health: %v, %s", err, out)
	}
}

// The OCI layout has an index of images, whose parts are there by their sums.
func TestLayout(t *testing.T) {
	files := archived(t, layoutFile)
	type descriptor struct {
		Digest   string
		Platform struct{ Architecture string }
	}
	var top, images struct{ Manifests []descriptor }
	if err := json.Unmarshal(files["index.json"], &top); err != nil || len(top.Manifests) != 1 {
		t.Fatalf("index.json: %v, %s", err, files["index.json"])
	}
	blob := func(digest string) []byte { return files["blobs/"+strings.Replace(digest, ":", "/", 1)] }
	if err := json.Unmarshal(blob(top.Manifests[0].Digest), &images); err != nil || len(images.Manifests) == 0 {
		t.Fatalf("the index: %v, %s", err, blob(top.Manifests[0].Digest))
	}
	for _, m := range images.Manifests {
		var image struct {
			Config descriptor
			Layers []descriptor
		}
		if err := json.Unmarshal(blob(m.Digest), &image); err != nil || len(image.Layers) != 2 {
			t.Fatalf("%s: %v, %s", m.Platform.Architecture, err, blob(m.Digest))
		}
		for _, part := range append(image.Layers, image.Config) {
			if len(blob(part.Digest)) == 0 {
				t.Errorf("%s: %s is not there", m.Platform.Architecture, part.Digest)
			}
		}
	}
}
