package secretfile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/secretfile"
)

// A clock is what time it is for a File: it begins long after the files of the test were written.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.now }

func (c *clock) add(d time.Duration) { c.mu.Lock(); defer c.mu.Unlock(); c.now = c.now.Add(d) }

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The secret is the file's text without the line break at its end.
func TestText(t *testing.T) {
	for name, c := range map[string]struct{ text, want, err string }{
		"plain":        {"secret", "secret", ""},
		"line":         {"secret\n", "secret", ""},
		"Windows line": {"secret\r\n", "secret", ""},
		"spaces":       {" se cret ", " se cret ", ""},
		"two lines":    {"se\ncret\n", "", "expected a secret on one line"},
		"empty":        {"", "", "is empty"},
		"only a line":  {"\n", "", "is empty"},
		"longest":      {strings.Repeat("x", secretfile.MaxSize), strings.Repeat("x", secretfile.MaxSize), ""},
		"too long":     {strings.Repeat("x", secretfile.MaxSize+1), "", "at most 65536 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "secret")
			write(t, path, c.text)
			got, err := secretfile.New(path, nil).Get()
			if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("got %.20q, %v", got, err)
			}
		})
	}
	if _, err := secretfile.New(t.TempDir(), nil).Get(); err == nil || !strings.Contains(err.Error(), "got a folder") {
		t.Errorf("a folder: %v", err)
	}
}

// change is a way in which a file gets another text.
var change = map[string]func(t *testing.T, path, text string){
	"written in place": write,
	"renamed over": func(t *testing.T, path, text string) {
		write(t, path+".new", text)
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
	},
	// As the kubelet does: the name leads over a link to a folder, which is exchanged.
	"link exchanged": func(t *testing.T, path, text string) {
		dir, err := os.MkdirTemp(filepath.Dir(path), "..data-*")
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "secret"), text)
		if err := os.Symlink(filepath.Join(dir, "secret"), path+".new"); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
	},
}

// A file that changes is used within 2 seconds, whatever way it changes in, also where length and time are the same; one that cannot be read any
// more keeps its last secret, and is a problem until it can be.
func TestChange(t *testing.T) {
	for name, to := range change {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "secret")
			c := &clock{now: time.Now().Add(time.Hour)}
			set := secretfile.NewSet(c.Now)
			f := set.Of(path)
			if set.Of(path) != f {
				t.Fatal("two files of one name")
			}
			if _, err := f.Get(); err == nil {
				t.Fatal("a file that is not there has a secret")
			}
			for i := range 5 {
				want := fmt.Sprintf("secret-%d", i)
				to(t, path, want+"\n")
				at := time.Now().Add(time.Duration(i) * time.Millisecond) // a coarse clock of the file system would hide a change
				if err := os.Chtimes(path, at, at); err != nil {
					t.Fatal(err)
				}
				c.add(2 * time.Second)
				if got := f.Text(); got != want {
					t.Fatalf("got %q, want %q", got, want)
				}
				if texts := f.Texts(); i > 0 && (len(texts) != 2 || texts[1] != fmt.Sprintf("secret-%d", i-1)) {
					t.Errorf("texts %q", texts)
				}
			}
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if got, err := f.Get(); got != "secret-4" || err != nil || f.Err() != nil {
				t.Errorf("before the next look: %q, %v", got, err)
			}
			c.add(2 * time.Second)
			if got, err := f.Get(); got != "secret-4" || err != nil || f.Err() == nil {
				t.Errorf("after it: %q, %v, %v", got, err, f.Err())
			}
			if p := set.Problems(); len(p) != 1 || p[0].Path != path || !p[0].Kept {
				t.Errorf("problems %+v", p)
			}
			to(t, path, "back")
			c.add(2 * time.Second)
			if got := f.Text(); got != "back" || len(set.Problems()) != 0 {
				t.Errorf("got %q, problems %+v", got, set.Problems())
			}
		})
	}
}

// A file is looked at once a second at most, however often it is asked for.
func TestLooks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret")
	c := &clock{now: time.Now().Add(time.Hour)}
	f := secretfile.New(path, c.Now)
	write(t, path, "one")
	f.Text()
	write(t, path, "other")
	c.add(time.Second - time.Nanosecond)
	if got := f.Text(); got != "one" {
		t.Errorf("looked again: %q", got)
	}
	c.add(time.Nanosecond)
	if got := f.Text(); got != "other" {
		t.Errorf("did not look: %q", got)
	}
	if n := testing.AllocsPerRun(100, func() { f.Text() }); n != 0 {
		t.Errorf("%v allocations a request", n)
	}
}

// Many ask at once while the file changes: each gets a secret that was there.
func TestConcurrent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret")
	c := &clock{now: time.Now().Add(time.Hour)}
	f := secretfile.New(path, c.Now)
	write(t, path, "secret-0")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				if got := f.Text(); !strings.HasPrefix(got, "secret-") {
					t.Errorf("got %q", got)
					return
				}
				c.add(100 * time.Millisecond)
			}
		})
	}
	for i := range 20 {
		change["renamed over"](t, path, fmt.Sprintf("secret-%d", i))
	}
	wg.Wait()
}
