package packages_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// installPage is the documentation whose lines the tests run.
const installPage = "../../docs/install.md"

// installLine returns the command of the page that begins so, with the files of this machine.
func installLine(t *testing.T, begin string) string {
	t.Helper()
	text, err := os.ReadFile(installPage)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "| `"+begin)
	line, _, closed := strings.Cut(rest, "`")
	if !ok || !closed {
		t.Fatalf("%s has no line that begins with %s", installPage, begin)
	}
	return begin + strings.NewReplacer("linux_amd64", strings.TrimSuffix(archiveFile[strings.Index(archiveFile, "linux_"):], ".tar.gz"), "_amd64.", "_"+host.deb+".", "x86_64", host.rpm, "linux-x64", host.npm).Replace(line)
}

// The page's line for the archive puts the program into a root that has nothing else, where it answers.
func TestArchive(t *testing.T) {
	r := newRoot(t)
	r.addBusyBox()
	text, err := os.ReadFile(file(t, archiveFile))
	if err != nil {
		t.Fatal(err)
	}
	r.write(archiveFile, text, 0o644)
	r.write("usr/local/bin/.keep", nil, 0o644)
	begin := time.Now()
	r.do("/bin/sh", "-c", installLine(t, "tar "))
	g := start(t, r.command(65534, []string{"HOME=/tmp"}, "/usr/local/bin/callwright", "serve", "--listen", "127.0.0.1:0"))
	g.wantReady()
	g.wantCall()
	logFirstCall(t, "archive", begin)
	r.do("/bin/tar", "-xzf", archiveFile)
	top := strings.TrimSuffix(archiveFile, ".tar.gz")
	for _, name := range []string{"README.txt", "LICENSE", "THIRD-PARTY-LICENSES", "callwright.1", "completions/callwright.bash", "completions/_callwright", "completions/callwright.fish", "completions/callwright.ps1"} {
		if !r.has(filepath.Join(top, name)) {
			t.Errorf("the archive lacks %s", name)
		}
	}
	if page := r.read(filepath.Join(top, "callwright.1")); !strings.Contains(page, ".SH CALLWRIGHT SERVE") || !strings.Contains(page, `\-\-config`) {
		t.Errorf("the manual page lacks a command:\n%.2000s", page)
	}
}

// maxProgram and maxArchive bound the program and the archives, in bytes.
const (
	maxProgram = 46_700_000
	maxArchive = 17_500_000
)

// The program and the files are within their bounds, so that an installation stays quick. Python and npm unpack nothing but deflate.
func TestSizes(t *testing.T) {
	const maxDeflated = 18_000_000
	for name, most := range map[string]int64{
		archiveFile: maxArchive, debFile: maxDeflated, rpmFile: maxDeflated, wheelFile: maxDeflated, npmHostFile: maxDeflated, imageFile: 20_000_000,
	} {
		info, err := os.Stat(file(t, name))
		if err != nil {
			t.Fatal(err)
		}
		if t.Logf("%-90s %4.1f MB", name, float64(info.Size())/1e6); info.Size() > most {
			t.Errorf("%s has %d bytes, at most %d are allowed", name, info.Size(), most)
		}
	}
	dir := t.TempDir()
	do(t, dir, "tar", "-xzf", file(t, archiveFile))
	program, err := os.ReadFile(filepath.Join(dir, strings.TrimSuffix(archiveFile, ".tar.gz"), "callwright"))
	if err != nil {
		t.Fatal(err)
	}
	if t.Logf("the program %27.1f MB", float64(len(program))/1e6); len(program) > maxProgram {
		t.Errorf("the program has %d bytes, at most %d are allowed", len(program), maxProgram)
	}
	if bytes.Contains(program, []byte("text/template.(*Template).Execute")) {
		t.Error("text/template is in the program: it looks methods up by name, so that the linker keeps all exported methods. Use internal/htmltemplate")
	}
}

// The sums are right, and all files are among them.
func TestSums(t *testing.T) {
	checked := lines(do(t, dist, "sha256sum", "--check", "SHA256SUMS"))
	files, err := os.ReadDir(dist)
	if err != nil {
		t.Fatal(err)
	}
	if len(checked) != len(files)-1 {
		t.Errorf("%d of %d files have a sum", len(checked), len(files)-1)
	}
}

// fileName matches the names of files of a release in a page.
var fileName = regexp.MustCompile(`callwright[-_]\d[\w.-]+|callwright-(?:npm|chart)-[\w.-]+`)

// The names of files in the page are those of this version.
func TestInstallPage(t *testing.T) {
	text, err := os.ReadFile(installPage)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join([]string{archiveFile, sbomFile, debFile, rpmFile, imageFile, layoutFile, wheelFile, npmFile, npmHostFile, chartFile}, "\n")
	found := 0
	for _, name := range fileName.FindAllString(string(text), -1) {
		if strings.Contains(name, "OS") || strings.Contains(name, "ARCH") || strings.Contains(name, "PLATFORM") || strings.Contains(name, "windows") || strings.HasSuffix(name, "-") {
			continue
		}
		name = strings.TrimSuffix(strings.NewReplacer("linux_amd64", archiveFile[strings.Index(archiveFile, "linux_"):len(archiveFile)-len(".tar.gz")]).Replace(name), ".")
		if strings.Contains(all, "amd64") && !strings.Contains(all, name) {
			t.Errorf("%s names %s, which a release does not have", installPage, name)
		}
		found++
	}
	if found < 10 {
		t.Errorf("only %d names were found", found)
	}
}

// Two builds of the commit give the same bytes, in other folders, time zones and with another build cache.
func TestReproducible(t *testing.T) {
	if os.Getenv("CALLWRIGHT_LONG") == "" {
		t.Skip("CALLWRIGHT_LONG is not set")
	}
	cmd := exec.CommandContext(t.Context(), "git", "status", "--porcelain")
	if out, err := cmd.Output(); err != nil || len(out) > 0 {
		t.Skipf("only a commit is built twice, and files are changed: %v %s", err, out)
	}
	out := filepath.Join(t.TempDir(), "dist")
	said := doWith(t, "../../release", append(os.Environ(), "GOFLAGS="), "go", "run", ".", "-platforms", "host", "-out", out, "-verify")
	if !strings.Contains(said, "files are equal in two builds") {
		t.Errorf("got %s", said)
	}
}
