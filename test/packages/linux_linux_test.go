package packages_test

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/prerequisite"
	"github.com/callwright/callwright/internal/version"
)

// withSimulator adds the simulator to the configuration of an installed package.
func (r *root) withSimulator() {
	r.t.Helper()
	const name = "etc/callwright/callwright.yaml"
	r.write(name, []byte(r.read(name)+"providers: {sim: {}}\n"), 0o644)
}

// serve starts the installed service as its unit does, but for the user and the port.
func (r *root) serve() *gateway {
	r.t.Helper()
	state := filepath.Join(r.path, "var/lib/callwright")
	if err := os.MkdirAll(state, 0o700); err != nil { // as StateDirectory= makes it
		r.t.Fatal(err)
	}
	if err := os.Chown(state, 65534, 65534); err != nil {
		r.t.Fatal(err)
	}
	return start(r.t, r.command(65534, []string{"HOME=/var/lib/callwright"}, "/usr/bin/callwright", "serve", "--config", "/etc/callwright/callwright.yaml", "--listen", "127.0.0.1:0"))
}

// installed are the files of a Linux package, but for the completions of zsh.
var installed = []string{
	"usr/bin/callwright", "usr/lib/systemd/system/callwright.service", "usr/lib/systemd/system/callwright.socket", "etc/callwright/callwright.yaml", "etc/callwright/callwright.env",
	"usr/share/bash-completion/completions/callwright", "usr/share/fish/vendor_completions.d/callwright.fish", "usr/share/man/man1/callwright.1.gz", "usr/share/doc/callwright/copyright",
}

func (r *root) wantInstalled() {
	r.t.Helper()
	for _, name := range installed {
		if !r.has(name) {
			r.t.Errorf("%s was not installed", name)
		}
	}
	if info, err := os.Stat(filepath.Join(r.path, "etc/callwright/callwright.env")); err != nil || info.Mode().Perm() != 0o600 {
		r.t.Errorf("the file with keys: %v, %v", info.Mode(), err)
	}
	if got := r.do("/usr/bin/callwright", "version"); !strings.HasPrefix(got, "callwright v"+version.Number+"\n") {
		r.t.Errorf("got %s", got)
	}
}

// addSystemd adds a systemctl that writes down its command lines, and gives the number of this process as that of the service.
func (r *root) addSystemd() {
	r.t.Helper()
	r.write("run/systemd/system/.keep", nil, 0o644)
	r.write("bin/systemctl", fmt.Appendf(nil, "#!/bin/sh\necho \"$*\" >>/systemctl.log\n[ \"$1\" != show ] || echo %d\n", os.Getpid()), 0o755)
}

// The Debian package is installed, answers, is installed once more with the configuration kept, removed and purged.
func TestDebianPackage(t *testing.T) {
	dpkg := prerequisite.Program(t, "dpkg")
	if line := installLine(t, "apt install "); !strings.HasSuffix(line, "/"+debFile) {
		t.Errorf("%s says %s", installPage, line)
	}
	r := newRoot(t)
	r.addBusyBox()
	for _, dir := range []string{"updates", "info", "triggers"} {
		if err := os.MkdirAll(filepath.Join(r.path, "var/lib/dpkg", dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	r.write("var/lib/dpkg/status", nil, 0o644)
	r.addSystemd()
	takeover := make(chan os.Signal, 1)
	signal.Notify(takeover, syscall.SIGUSR2)
	defer signal.Stop(takeover)
	run := func(args ...string) {
		t.Helper()
		do(t, "", dpkg, append([]string{"--root=" + r.path, "--log=/dev/null"}, args...)...)
	}
	begin := time.Now()
	run("--install", file(t, debFile))
	r.wantInstalled()
	if got := do(t, "", "dpkg-query", "--admindir="+filepath.Join(r.path, "var/lib/dpkg"), "--show", "--showformat=${Version} ${Architecture} ${db:Status-Status}", "callwright"); got != version.Number+" "+host.deb+" installed" {
		t.Errorf("got %s", got)
	}
	r.withSimulator()
	g := r.serve()
	g.wantReady()
	g.wantCall()
	logFirstCall(t, "deb", begin)
	if got := r.read("systemctl.log"); got != "daemon-reload\n" {
		t.Errorf("a first installation calls systemctl for\n%s", got)
	}
	run("--install", file(t, debFile))
	select {
	case <-takeover:
	case <-time.After(time.Minute):
		t.Error("an upgrade does not have the new program take over")
	}
	if !strings.Contains(r.read("etc/callwright/callwright.yaml"), "sim") {
		t.Error("an upgrade replaced the configuration")
	}
	run("--remove", "callwright")
	if got := r.read("systemctl.log"); !strings.Contains(got, "disable --now callwright.socket callwright.service\n") {
		t.Errorf("a removal calls systemctl for\n%s", got)
	}
	if r.has("usr/bin/callwright") || !r.has("etc/callwright/callwright.yaml") {
		t.Error("a removal keeps the configuration and nothing else")
	}
	run("--purge", "callwright")
	if r.has("etc/callwright/callwright.yaml") || r.has("var/lib/callwright") {
		t.Error("a purge keeps nothing")
	}
}

// The RPM package is installed and answers.
func TestRPM(t *testing.T) {
	rpm := prerequisite.Program(t, "rpm")
	if line := installLine(t, "dnf install "); !strings.HasSuffix(line, "/"+rpmFile) {
		t.Errorf("%s says %s", installPage, line)
	}
	do(t, "", rpm, "--checksig", "--nosignature", file(t, rpmFile))
	r := newRoot(t)
	r.addBusyBox()
	run := func(args ...string) {
		t.Helper()
		do(t, "", rpm, append([]string{"--force-debian", "--root", r.path, "--dbpath", "/var/lib/rpm", "--nodeps", "--nosignature"}, args...)...)
	}
	begin := time.Now()
	run("--install", file(t, rpmFile))
	r.wantInstalled()
	r.withSimulator()
	g := r.serve()
	g.wantReady()
	g.wantCall()
	logFirstCall(t, "rpm", begin)
	run("--erase", "callwright")
	if r.has("usr/bin/callwright") {
		t.Error("a removal leaves the program")
	}
}

// exposure matches the level that systemd gives a unit: from 0, all is guarded, to 10.
var exposure = regexp.MustCompile(`Overall exposure level for callwright\.service: ([\d.]+)`)

// mostExposure is the level that the unit must not exceed. The network is what remains: a gateway needs it.
const mostExposure = 1.5

// systemd takes the units, and finds hardly anything that the service could do without.
func TestUnits(t *testing.T) {
	analyze := prerequisite.Program(t, "systemd-analyze")
	dir := t.TempDir()
	do(t, "", "dpkg-deb", "--extract", file(t, debFile), dir)
	units := filepath.Join(dir, "usr/lib/systemd/system")
	if _, err := os.Stat("/usr/bin/callwright"); err != nil { // systemd looks for the program of the unit
		text, err := os.ReadFile(filepath.Join(units, "callwright.service"))
		if err != nil {
			t.Fatal(err)
		}
		moved := strings.ReplaceAll(string(text), "ExecStart=/usr/bin/callwright", "ExecStart="+filepath.Join(dir, "usr/bin/callwright"))
		if err := os.WriteFile(filepath.Join(units, "callwright.service"), []byte(moved), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if said := do(t, "", analyze, "verify", "--man=no", filepath.Join(units, "callwright.service"), filepath.Join(units, "callwright.socket")); strings.Contains(said, "callwright.s") {
		t.Errorf("got %s", said)
	}
	said := do(t, "", analyze, "security", "--offline=true", "--no-pager", filepath.Join(units, "callwright.service"))
	m := exposure.FindStringSubmatch(said)
	if m == nil {
		t.Fatalf("no level in\n%s", said)
	}
	if level, err := strconv.ParseFloat(m[1], 64); err != nil || level > mostExposure {
		t.Errorf("the exposure is %s, at most %v is allowed:\n%s", m[1], mostExposure, said)
	}
	t.Logf("exposure %s", m[1])
}
