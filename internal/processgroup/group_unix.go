//go:build unix

package processgroup

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// EndTogether has a command end with its child processes when its context ends: they are a process group. It is called
// before the command is started.
func EndTogether(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
}
