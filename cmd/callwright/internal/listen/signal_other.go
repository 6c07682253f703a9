//go:build !unix

package listen

import (
	"context"
	"errors"
	"net"
	"os"
)

// takeovers returns nil, because this system has no SIGUSR2.
func takeovers(context.Context) <-chan os.Signal { return nil }

func duplicate(*net.TCPListener) (*os.File, error) { return nil, errors.ErrUnsupported }
