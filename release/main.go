package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// options are the command-line flags of the release command.
type options struct {
	out, platforms, baseURL, cache string
	dirty, verify                  bool
}

func run(ctx context.Context, args []string) error {
	var o options
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.StringVar(&o.out, "out", "", "write the files to this folder, which is emptied first (default: dist in the repository)")
	flags.StringVar(&o.platforms, "platforms", "all", "build for these platforms: all, host, or a list such as linux/amd64,windows/arm64")
	flags.StringVar(&o.baseURL, "base-url", "",
		"the address of the release files, for the URLs in the formula (default: the releases of the repository)")
	flags.StringVar(&o.cache, "cache", "", "use this build cache of Go")
	flags.BoolVar(&o.dirty, "dirty", false, "build with uncommitted changes, for tests: the result is not a release")
	flags.BoolVar(&o.verify, "verify", false, "build the commit again, in another folder with an empty build cache, and compare the files")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("expected no argument, got %q", flags.Arg(0))
	}
	chosen, err := platformsOf(o.platforms)
	if err != nil {
		return err
	}
	src, err := openSource(ctx, o.dirty)
	if err != nil {
		return err
	}
	if o.out == "" {
		o.out = filepath.Join(src.root, "dist")
	}
	if o.out, err = filepath.Abs(o.out); err != nil {
		return err
	}
	if o.baseURL == "" {
		o.baseURL = src.releaseURL()
	}
	if err := makeAll(ctx, src, chosen, o); err != nil {
		return err
	}
	if o.verify {
		return verify(ctx, src, o)
	}
	return nil
}

// makeAll builds all files of a release into o.out. It first empties that folder.
func makeAll(ctx context.Context, src *source, platforms []platform, o options) error {
	if err := emptyFolder(o.out); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "callwright-release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	r := &release{source: src, out: o.out, work: work, cache: o.cache, baseURL: strings.TrimSuffix(o.baseURL, "/"), sums: map[string]string{}}
	if err := r.describe(ctx); err != nil {
		return err
	}
	for _, p := range platforms {
		b, err := r.build(ctx, p)
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		r.binaries = append(r.binaries, b)
		fmt.Printf("%-14s %5.1f MB\n", p, float64(len(b.text))/1e6)
	}
	for _, step := range []func(context.Context) error{r.writeSBOMs, r.writeArchives, r.writeLinuxPackages, r.writeImages,
		r.writeWheels, r.writeNPM, r.writeChart, r.writeFormula} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	if err := r.writeSums(); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(r.sums)) {
		fmt.Println(" ", name)
	}
	return nil
}

// emptyFolder creates a folder, or empties it if it contains an earlier release. Any other non-empty folder is an
// error.
func emptyFolder(dir string) error {
	list, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		return err
	}
	known := len(list) == 0
	for _, e := range list {
		known = known || e.Name() == sumsName
	}
	if !known {
		return fmt.Errorf("%s is not empty and has no %s, so it is not the folder of an earlier release: remove it, or name another one with -out", dir, sumsName)
	}
	for _, e := range list {
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// A platform is a target platform, with Go's names (GOOS and GOARCH).
type platform struct{ os, arch string }

func (p platform) String() string { return p.os + "/" + p.arch }

// exe returns the suffix of executable files: ".exe" on Windows, "" elsewhere.
func (p platform) exe() string {
	if p.os == "windows" {
		return ".exe"
	}
	return ""
}

// platforms are the target platforms of a release.
var platforms = []platform{
	{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"},
}

// platformsOf parses the -platforms flag: a comma-separated list of "all", "host" and OS/ARCH.
func platformsOf(list string) ([]platform, error) {
	var out []platform
	for _, name := range strings.Split(list, ",") {
		if name == "all" {
			return platforms, nil
		}
		if name == "host" {
			name = runtime.GOOS + "/" + runtime.GOARCH
		}
		goos, arch, _ := strings.Cut(name, "/")
		p := platform{goos, arch}
		if !slices.Contains(platforms, p) {
			return nil, fmt.Errorf("-platforms: unknown platform %q: expected all, host or some of %v", name, platforms)
		}
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out, nil
}
