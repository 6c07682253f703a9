package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A source is the commit that a release is built from.
type source struct {
	root    string // root folder of the repository
	module  string
	version string // without "v"
	commit  string
	date    time.Time // commit time, used for all files
	changed bool      // there are uncommitted changes
}

// openSource returns the source for the repository of the working directory. Uncommitted changes are an error unless
// dirty is set.
func openSource(ctx context.Context, dirty bool) (*source, error) {
	at, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	s := &source{}
	if s.root, err = output(ctx, at, nil, "git", "rev-parse", "--show-toplevel"); err != nil {
		return nil, err
	}
	if s.version, err = versionIn(filepath.Join(s.root, "internal", "version", "version.go")); err != nil {
		return nil, err
	}
	if s.module, err = output(ctx, s.root, nil, "go", "list", "-m"); err != nil {
		return nil, err
	}
	if s.commit, err = output(ctx, s.root, nil, "git", "rev-parse", "HEAD"); err != nil {
		return nil, err
	}
	text, err := output(ctx, s.root, nil, "git", "show", "-s", "--format=%ct", "HEAD")
	if err != nil {
		return nil, err
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return nil, err
	}
	s.date = time.Unix(seconds, 0).UTC()
	changed, err := output(ctx, s.root, nil, "git", "status", "--porcelain")
	if err != nil {
		return nil, err
	}
	if s.changed = changed != ""; s.changed && !dirty {
		return nil, fmt.Errorf("a release needs a commit, but these files have changes: commit them, or add -dirty for a test\n%s", changed)
	}
	return s, nil
}

// versionIn returns the value of the constant Number in a Go file.
func versionIn(file string) (string, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	for _, d := range parsed.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, spec := range g.Specs {
			v := spec.(*ast.ValueSpec)
			if lit, ok := v.Values[0].(*ast.BasicLit); ok && v.Names[0].Name == "Number" {
				return strconv.Unquote(lit.Value)
			}
		}
	}
	return "", fmt.Errorf("%s: expected a constant Number with the version, got none", file)
}

// releaseURL returns the base URL of the release's files at the repository host, derived from the module path.
func (s *source) releaseURL() string {
	return "https://" + s.module + "/releases/download/v" + s.version
}

// read reads a file of the repository. name are the elements of its path.
func (s *source) read(name ...string) ([]byte, error) {
	return os.ReadFile(filepath.Join(append([]string{s.root}, name...)...))
}

// output runs a program in dir and returns its standard output without surrounding white space. env is added to the
// environment.
func output(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return "", errors.Join(fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err), errorText(errs.String()))
	}
	return strings.TrimSpace(string(out)), nil
}

// errorText returns a program's error output as an error, nil if it is empty.
func errorText(text string) error {
	if text = strings.TrimSpace(text); text == "" {
		return nil
	}
	return errors.New(text)
}
