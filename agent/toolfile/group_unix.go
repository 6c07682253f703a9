//go:build unix

package toolfile

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// endTogether lets a command end with what it started when its time is over: they are a process group.
func endTogether(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
}
