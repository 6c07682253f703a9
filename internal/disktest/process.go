package disktest

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Environment variables that make the test binary run a job in a folder.
const (
	childJob = "CALLWRIGHT_TEST_JOB"
	childDir = "CALLWRIGHT_TEST_DIR"
)

// Work runs the job for which this process was started. It returns false if the process was not started for a job. If
// the job fails, Work exits the process.
func Work(jobs map[string]func(dir string) error) bool {
	job, ok := jobs[os.Getenv(childJob)]
	if !ok {
		return false
	}
	if err := job(os.Getenv(childDir)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return true
}

// child returns the command for a process that runs a job in a folder.
func child(t *testing.T, job, dir string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childJob+"="+job, childDir+"="+dir)
	cmd.Stderr = os.Stderr
	return cmd
}

// RunAndKill starts a process that runs an endless job in a folder. After the first line of output it calls the
// functions of meanwhile, kills the process at most 20 ms later, and returns the last complete line of output.
func RunAndKill(t *testing.T, job, dir string, meanwhile ...func()) string {
	t.Helper()
	cmd := child(t, job, dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	first, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err, cmd.Wait())
	}
	for _, do := range meanwhile {
		do()
	}
	killed := time.AfterFunc(rand.N(20*time.Millisecond), func() { _ = cmd.Process.Kill() })
	rest, _ := io.ReadAll(lines)
	killed.Stop()
	_ = cmd.Wait()
	said := strings.Split(first+string(rest), "\n")
	return said[len(said)-2] // the element after it is an incomplete line
}

// Together runs jobs in one folder, each in its own process, at the same time. All must succeed.
func Together(t *testing.T, dir string, jobs ...string) {
	t.Helper()
	var cmds []*exec.Cmd
	for _, job := range jobs {
		cmd := child(t, job, dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		cmds = append(cmds, cmd)
	}
	for _, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
}
