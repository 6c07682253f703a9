package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/prerequisite"
)

// maxMain is how many lines the main function of a program may have that a page shows.
const maxMain = 20

// TestDocPrograms runs the whole programs in Go that the pages show. A block marked text behind one is what it prints.
func TestDocPrograms(t *testing.T) {
	needsLong(t)
	prerequisite.Program(t, "go")
	ran := 0
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		blocks := docBlocks(string(text))
		for i, b := range blocks {
			if !isProgram(b) {
				continue
			}
			ran++
			_, body, _ := strings.Cut(b.text, "\nfunc main() {\n")
			if body, _, _ = strings.Cut(body, "\n}\n"); strings.Count(body, "\n")+1 > maxMain {
				t.Errorf("%s: a main function of more than %d lines:\n%s", page, maxMain, body)
			}
			file := filepath.Join(t.TempDir(), "main.go")
			if err := os.WriteFile(file, []byte(b.text), 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := exec.CommandContext(t.Context(), "go", "run", file).CombinedOutput() // in this module
			if err != nil {
				t.Fatalf("%s: %v\n%s", page, err, out)
			}
			if i+1 < len(blocks) && blocks[i+1].mark == "text" && blocks[i+1].text != string(out) {
				t.Errorf("%s shows\n%s\nand the program prints\n%s", page, blocks[i+1].text, out)
			}
		}
	}
	if ran == 0 {
		t.Error("no page shows a program")
	}
}

// isProgram reports whether a block is a whole program in Go.
func isProgram(b docBlock) bool { return b.mark == "go" && strings.HasPrefix(b.text, "package main\n") }
