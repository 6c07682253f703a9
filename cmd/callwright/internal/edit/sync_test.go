package edit_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/callwright/callwright/cmd/callwright/internal/edit"
)

const elsewhere = " the file was changed by another program"

// What another program changes in the file, between sessions or in one, is an edit of the person, beside what the model changes.
func TestChangedElsewhere(t *testing.T) {
	b := newBench(t, "{\n  \"a\": 1,\n  \"b\": [1, 2]\n}\n")
	b.Locks = []string{"/a"}
	done(t, b.says("hello", "lock 2 person /a", "answer hello"))
	b.write("{\"a\":2,\n  \"b\": [1, 2]}\n") // no lock binds a person
	done(t, b.says(":locks", "draft 3 person [replace /a 1 > 2]"+elsewhere, "locks 3 /a"))
	b.has("{\"a\":2,\n  \"b\": [1, 2]}\n")

	b.model.before = func() { b.write(`{"a":2,"b":[1,2,3]}`) } // while the model thinks
	done(t, b.says(`state_patch {"patch":{"c":null,"d":4}}`, "draft 4 model [add /d > 4]", "draft 5 person [add /b/2 > 3]"+elsewhere, "answer Done."))
	b.has(`{"a":2,"b":[1,2,3],"d":4}`)
	done(t, b.says(":undo", "draft 6 person to 4 [remove /b/2 3]"))
	b.has(`{"a":2,"b":[1,2],"d":4}`)

	b.model.before = func() { b.write(`{"a":2,"b":[1,5],"d":4}`) }
	done(t, b.says(`state_patch {"patch":[{"op":"remove","path":"/b"}]}`, "draft 7 model [remove /b [1,2]]", "draft 8 person [add /b > [1,5]]"+elsewhere, "answer Done."))
	b.has(`{"a":2,"b":[1,5],"d":4}`)
	b.model.before = nil
	done(t, b.says(":locks", "locks 8 /a"))
}

// White space and the order of members are the person's own.
func TestOnlyTheLayoutIsChanged(t *testing.T) {
	b := newBench(t, `{"a":1,"b":[1,2]}`)
	done(t, b.says("hello", "answer hello"))
	b.write("{ \"b\": [1,2],\n \"a\": 1 }")
	done(t, b.says("hello", "answer hello"))
	b.has("{ \"b\": [1,2],\n \"a\": 1 }")
	done(t, b.says(`state_patch {"patch":{"a":2}}`, "draft 2 model [replace /a 1 > 2]", "answer Done."))
}

// A file that was removed is made again with the next change of the draft, and one that was put in its place is taken over.
func TestRemovedFile(t *testing.T) {
	b := newBench(t, `{"a":1}`)
	done(t, b.says("hello", "answer hello"))
	remove := func() {
		t.Helper()
		if err := os.Remove(b.file); err != nil {
			t.Fatal(err)
		}
	}
	remove()
	done(t, b.says("hello", "note "+b.file+" no longer exists: the next change of the draft creates it again", "answer hello"))
	b.has("")
	b.write(`{"a":3}`)
	done(t, b.says("hello", "draft 2 person [replace /a 1 > 3]"+elsewhere, "answer hello"))
	remove()
	done(t, b.says(`state_patch {"patch":{"a":4}}`, "note "+b.file+" no longer exists: the next change of the draft creates it again",
		"draft 3 model [replace /a 3 > 4]", "answer Done."))
	b.has("{\n  \"a\": 4\n}\n")
}

// A file that cannot be read is left alone, and said with its place; the draft is as safe as before.
func TestBadFiles(t *testing.T) {
	deep := strings.Repeat("[", 101) + strings.Repeat("]", 101)
	for _, c := range []struct{ text, want string }{
		{"{\n  \"a\": x\n}\n", `book.json is not JSON: line 2, column 8: expected a value, got 'x'`},
		{" ", "book.json is not JSON: line 1, column 2: expected a value, got end of text"},
		{`{"a":1,"a":2}`, `book.json: workspace.apply: /a: an object has two members "a"`},
		{`{"a":"` + "\xff" + `"}`, "book.json is not JSON: line 1, column 7"},
		{deep, "it has 101 arrays and objects in one another"},
		{`"` + strings.Repeat("x", 1<<20) + `"`, "bytes"},
		{strings.Repeat(" ", 16<<20) + "1", "has more than 16777216 bytes"},
	} {
		b := newBench(t, c.text)
		b.Screen = &b.screen
		b.Lines = edit.NewLines(strings.NewReader("hello"), nil)
		err := edit.Run(t.Context(), b.Config)
		fails(t, err, c.want)
		if _, ok := errors.AsType[*edit.UseError](err); !ok {
			t.Errorf("%v is no misuse", err)
		}
		b.has(c.text)

		b = newBench(t, `{"a":1}`)
		b.model.before = func() { b.write(c.text) }
		b.Screen = &b.screen
		b.Lines = edit.NewLines(strings.NewReader(`state_patch {"patch":{"b":2}}`), nil)
		fails(t, edit.Run(t.Context(), b.Config), c.want)
		b.has(c.text)
		b.model.before = nil
		b.write(`{"a":1}`) // mended
		done(t, b.says(":draft", `value 2 draft  {"a":1,"b":2}`))
		b.has(`{"a":1,"b":2}`)
	}
}

// A person goes on when the file has been mended.
func TestMendedFile(t *testing.T) {
	b := newBench(t, `{"a":1}`)
	b.model.before = func() { b.write("{") }
	patch := `state_patch {"patch":{"b":2}}`
	broken := "error " + b.file + " is not JSON: line 1, column 2: expected a member name or '}', got end of text"
	done(t, b.talks([]string{patch, ":undo", "hello"}, "> "+patch, "draft 2 model [add /b > 2]", "answer Done.", broken, "> :undo", broken, "> hello", broken))
	b.write(`{"a":1}`)
	done(t, b.talks([]string{":undo"}, "> :undo", "draft 3 person to 1 [remove /b 2]"))
	b.has(`{"a":1}`)
}

// What is no file, or cannot be written, is said before a model is asked or when it is to be written.
func TestOddPlaces(t *testing.T) {
	b := newBench(t, `{"a":1}`)
	b.File = b.dir
	fails(t, b.says("", "error "+b.dir+" is not a file"), "is not a file")
	b.File = filepath.Join(b.dir, "none", "book.json")
	b.Screen = &b.screen
	fails(t, edit.Run(t.Context(), b.Config), "none")
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("nothing is forbidden to this user")
	}
	b.File = b.file
	if err := os.Chmod(b.file, 0o400); err != nil {
		t.Fatal(err)
	}
	b.Lines = edit.NewLines(strings.NewReader(`state_patch {"patch":{"a":2}}`), nil)
	fails(t, edit.Run(t.Context(), b.Config), "permission denied")
	b.has(`{"a":1}`)
}

// The file keeps its permissions, and a link to it stays one: a document has one workspace by whatever name it is called.
func TestLinksAndPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it has other permissions, and asks for a right to make links")
	}
	b := newBench(t, `{"a":1}`)
	if err := os.Chmod(b.file, 0o640); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(b.dir, "other.json")
	if err := os.Symlink("book.json", link); err != nil {
		t.Fatal(err)
	}
	b.File = link
	done(t, b.says(`state_patch {"patch":{"a":2}}`, "draft 2 model [replace /a 1 > 2]", "answer Done."))
	b.File = b.file
	done(t, b.says(`state_patch {"patch":{"a":3}}`, "draft 3 model [replace /a 2 > 3]", "answer Done."))
	b.has(`{"a":3}`)
	for name, want := range map[string]os.FileMode{b.file: 0o640, link: os.ModeSymlink | 0o777, filepath.Join(b.dir, "state", "edits"): os.ModeDir | 0o700} {
		if info, err := os.Lstat(name); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	left, err := filepath.Glob(filepath.Join(b.dir, ".*"))
	if err != nil || left != nil {
		t.Errorf("left: %v, %v", left, err)
	}
}
