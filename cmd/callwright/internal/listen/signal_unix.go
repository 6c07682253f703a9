//go:build unix

package listen

import (
	"context"
	"net"
	"os"
	"os/signal"
	"syscall"
)

// takeovers returns the signals by which a process is told to have another take its place.
func takeovers(ctx context.Context) <-chan os.Signal {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGUSR2)
	context.AfterFunc(ctx, func() { signal.Stop(asked) })
	return asked
}

// duplicate returns a descriptor of its own for a socket, for another process. TCPListener.File would do, but its
// result, and this process's socket with it, blocks threads once the other process is started.
func duplicate(socket *net.TCPListener) (*os.File, error) {
	raw, err := socket.SyscallConn()
	if err != nil {
		return nil, err
	}
	copied, failed := -1, error(nil)
	err = raw.Control(func(fd uintptr) {
		syscall.ForkLock.RLock()
		defer syscall.ForkLock.RUnlock()
		if copied, failed = syscall.Dup(int(fd)); failed == nil {
			syscall.CloseOnExec(copied)
		}
	})
	if err == nil {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(copied), "socket"), nil
}
