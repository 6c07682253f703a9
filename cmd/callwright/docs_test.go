package main

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestDocs runs the command lines that the pages of docs show, so that no page promises what is not there. A line of a
// block marked sh is run when callwright or a pipe into it is what it says. A block marked text after such a block must be
// a part of what its last line prints. A block marked with json or yaml and the name of a file is that file. A command that does not end with 0
// says so: "# exit status 1". Servers only have their flags looked at, and so have runs that ask live models.
func TestDocs(t *testing.T) {
	needsLong(t)
	if runtime.GOOS == "windows" {
		t.Skip("the pages are written for a POSIX shell")
	}
	dir := t.TempDir()
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		script := docScript(string(text))
		if script == "" {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(page), ".md") + ".txtar"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	testscript.Run(t, testscript.Params{Dir: dir, Cmds: map[string]func(*testscript.TestScript, bool, []string){"prints": prints}})
}

// pages returns all pages of the project.
func pages(t *testing.T) []string {
	t.Helper()
	var found []string
	for _, folder := range []string{"../../docs/*.md", "../../docs/migrate/*.md"} {
		in, err := filepath.Glob(folder)
		if err != nil || len(in) == 0 {
			t.Fatalf("no pages in %s: %v", folder, err)
		}
		found = append(found, in...)
	}
	return append(found, readme, "../../CONTRIBUTING.md")
}

// prints checks that a file's text is a part of what the last command printed.
func prints(ts *testscript.TestScript, neg bool, args []string) {
	want, got := ts.ReadFile(args[0]), ts.ReadFile("stdout")
	if strings.Contains(got, strings.TrimSpace(want)) == neg {
		ts.Fatalf("the page shows\n%s\nand the command prints\n%s", want, got)
	}
}

// docScript returns a page as a script; empty where it has nothing to run.
func docScript(page string) string {
	var script, files strings.Builder
	ran := false
	for _, b := range docBlocks(page) {
		form, name, named := strings.Cut(b.mark, " ")
		named = named && (form == "json" || form == "yaml")
		switch {
		case b.mark == "sh":
			ran = false
			for line := range strings.Lines(strings.ReplaceAll(b.text, "\\\n", "")) {
				if command := docCommand(strings.TrimSpace(line)); command != "" {
					script.WriteString("exec sh -c '" + strings.ReplaceAll(command, "'", "''") + "'\n")
					ran = true
				}
			}
		case named:
			files.WriteString("\n-- " + name + " --\n" + b.text)
		case b.mark == "go":
			ran = false // a text behind it is what that prints
		case b.mark == "text" && ran:
			name := "shown" + string(rune('a'+strings.Count(files.String(), "\n-- shown")))
			script.WriteString("prints " + name + "\n")
			files.WriteString("\n-- " + name + " --\n" + b.text)
			ran = false
		}
	}
	return script.String() + files.String()
}

// docCommand returns what to run for a line of a page, empty where it is not about callwright.
func docCommand(line string) string {
	stages := strings.Split(line, "| ")
	words := strings.Fields(stages[len(stages)-1])
	switch {
	case len(words) < 2 || words[0] != "callwright":
		return ""
	case words[1] == "eval" && slices.Contains(words, "--live"):
		return line + " --help"
	case slices.Contains([]string{"serve", "simulate", "launch", "mcp"}, words[1]) && !slices.Contains(words, "--list") && !slices.Contains(words, "--dry-run"):
		words = slices.DeleteFunc(words, func(w string) bool { return w == "&" })
		return strings.Join(slices.Insert(words, 2, "--help"), " ")
	}
	if command, status, said := strings.Cut(line, " # exit status "); said {
		return command + "; case $? in " + strings.ReplaceAll(status, " or ", "|") + ") ;; *) false ;; esac"
	}
	return line
}

// A docBlock is a fenced block of a page.
type docBlock struct{ mark, text string }

func docBlocks(page string) []docBlock {
	var out []docBlock
	inside := false
	for line := range strings.Lines(page) {
		mark, fence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case fence && !inside:
			out, inside = append(out, docBlock{mark: mark}), true
		case fence:
			inside = false
		case inside:
			out[len(out)-1].text += line
		}
	}
	return out
}

func TestDocScript(t *testing.T) {
	page := "Text `callwright demo`.\n\n```sh\ncurl -s http://x | callwright parse \\\n  --json\nnpm start\ncallwright serve --listen :1 &\n" +
		"```\n\n```text\nout it's\n```\n\n```json\n{}\n```\n\n```json a.json\n[]\n```\n\n```sh\ncallwright eval --live\ncallwright x # exit status 0 or 1\n```\n"
	want := "exec sh -c 'curl -s http://x | callwright parse   --json'\nexec sh -c 'callwright serve --help --listen :1'\n" +
		"prints showna\nexec sh -c 'callwright eval --live --help'\nexec sh -c 'callwright x; case $? in 0|1) ;; *) false ;; esac'\n" +
		"\n-- showna --\nout it's\n\n-- a.json --\n[]\n"
	if got := docScript(page); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
