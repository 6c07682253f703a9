package main

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var figure = regexp.MustCompile(`\d+(\.\d+)?`)

// shape is a text without the figures of its tables and without the lines about the machine.
func shape(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "|"):
			out = append(out, figure.ReplaceAllString(line, "N"))
		case !strings.HasPrefix(line, "On "):
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}

// The page has every section, and in it what the command would write, but for the figures.
func TestPage(t *testing.T) {
	raw, err := os.ReadFile("../../" + page)
	if err != nil {
		t.Fatal(err)
	}
	now := string(raw)
	want := now
	for _, s := range sections {
		if want, err = replace(want, s.name, s.text(parse("", 1))); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(shape(want), shape(now)); d != "" {
		t.Errorf("%s is stale: go run ./internal/perfpage writes it. Want (-) got (+):\n%s", page, d)
	}
}

func TestParse(t *testing.T) {
	f := parse(`goos: linux
cpu: Some CPU
BenchmarkA/b-c-2   	 15	  90.40 gateway-µs	  3.5 x-proxy
warning: a takes 3.50 times the CPU
BenchmarkA/b-c-2   	 15	  80.40 gateway-µs	  2.5 x-proxy
BenchmarkA/b-c-2   	 15	  10.40 gateway-µs	  1.5 x-proxy
BenchmarkB/4KB-2
PASS
`, 2)
	if got := f.median("A/b-c", "x-proxy"); got != 2.5 {
		t.Errorf("got %v", got)
	}
	if got := f.best("A/b-c", "gateway-µs"); got != 10.4 {
		t.Errorf("got %v", got)
	}
	if f.about["cpu"] != "Some CPU" || !slices.Equal(slices.Sorted(maps.Keys(f.byName)), []string{"A/b-c"}) || len(f.missing) > 0 {
		t.Errorf("got %+v", f)
	}
	if f.median("A/b", "x-proxy"); !slices.Equal(f.missing, []string{"A/b x-proxy"}) {
		t.Errorf("got %q", f.missing)
	}
	if one := parse("BenchmarkA/x-1 1 5 ns/op", 1); one.best("A/x-1", "ns/op") != 5 {
		t.Errorf("got %+v", one)
	}
}

func TestReplace(t *testing.T) {
	got, err := replace("a\n<!-- x -->\nb\n<!-- end -->\nc\n<!-- y -->\n<!-- end -->\n", "x", "new\n")
	if want := "a\n<!-- x -->\nnew\n<!-- end -->\nc\n<!-- y -->\n<!-- end -->\n"; got != want || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	for _, page := range []string{"", "<!-- x -->\n"} {
		if _, err := replace(page, "x", ""); err == nil {
			t.Errorf("got no error for %q", page)
		}
	}
}

func TestUnknownSection(t *testing.T) {
	if err := run([]string{"nothing"}); err == nil || !strings.Contains(err.Error(), "gateway, pairs") {
		t.Errorf("got %v", err)
	}
}
