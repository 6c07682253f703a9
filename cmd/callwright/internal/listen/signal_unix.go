//go:build unix

package listen

import (
	"context"
	"net"
	"os"
	"os/signal"
	"syscall"
)

// takeovers returns a channel of the signals that request a replacement of this process.
func takeovers(ctx context.Context) <-chan os.Signal {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGUSR2)
	context.AfterFunc(ctx, func() { signal.Stop(asked) })
	return asked
}

// duplicate returns a duplicate of the socket's descriptor for another process. TCPListener.File is not used, because
// its result, and thereby the socket of this process, would be in blocking mode once the other process is started.
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
