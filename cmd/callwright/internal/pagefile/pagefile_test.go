package pagefile_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/callwright/callwright/cmd/callwright/internal/pagefile"
)

// A page takes the place of what was in its file. Where none is written, a file that was there stays, and a new one leaves nothing behind.
func TestFile(t *testing.T) {
	short := func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }
	failed := func(io.Writer) error { return errors.New("failed") }
	for name, c := range map[string]struct {
		was   string
		print func(io.Writer) error
		want  string // empty: there is no file
	}{
		"a new file":            {"", short, "new"},
		"over a longer page":    {"an older page", short, "new"},
		"not written, new":      {"", nil, ""},
		"not written, older":    {"an older page", nil, "an older page"},
		"written without words": {"", failed, ""},
	} {
		file := filepath.Join(t.TempDir(), "page.html")
		if c.was != "" {
			if err := os.WriteFile(file, []byte(c.was), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		p, err := pagefile.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		if c.print != nil {
			if err := p.Write(c.print); (err != nil) != (c.want == "") {
				t.Errorf("%s: %v", name, err)
			}
		}
		p.Close()
		if got, _ := os.ReadFile(file); string(got) != c.want {
			t.Errorf("%s: got %q", name, got)
		}
		if _, err := os.Stat(file); (err == nil) != (c.want != "") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What is no file of its own can be written to, and no name is no page.
func TestNoFile(t *testing.T) {
	for _, name := range []string{"", os.DevNull} {
		p, err := pagefile.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Write(func(w io.Writer) error { _, err := io.WriteString(w, "page"); return err }); err != nil {
			t.Errorf("%q: %v", name, err)
		}
		p.Close()
	}
}
