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

// A source is the commit that a release is made of.
type source struct {
	root    string // of the repository
	module  string
	version string // without a v
	commit  string
	date    time.Time // of the commit: that of all files
	changed bool      // files of it are changed
}

// openSource looks at the repository that has the working directory. Changed files are an error unless dirty is set.
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
		return nil, fmt.Errorf("a release is made of a commit, and these files are changed: commit them, or add -dirty for a test\n%s", changed)
	}
	return s, nil
}

// versionIn reads the constant Number of the file that has the version.
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
	return "", fmt.Errorf("%s: no constant Number with the version", file)
}

// releaseURL is where files of the tag lie that people add to the release, by the repository that the module is named
// after.
func (s *source) releaseURL() string {
	return "https://" + s.module + "/releases/download/v" + s.version
}

// read returns a file of the repository.
func (s *source) read(name ...string) ([]byte, error) {
	return os.ReadFile(filepath.Join(append([]string{s.root}, name...)...))
}

// output runs a program and returns its standard output without white space around it. env is added to the environment.
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

// errorText is a program's message about its failure, nil without one.
func errorText(text string) error {
	if text = strings.TrimSpace(text); text == "" {
		return nil
	}
	return errors.New(text)
}
