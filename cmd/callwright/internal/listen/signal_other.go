//go:build !unix

package listen

import (
	"context"
	"errors"
	"net"
	"os"
)

// takeovers returns nothing: this system has no signal for it.
func takeovers(context.Context) <-chan os.Signal { return nil }

func duplicate(*net.TCPListener) (*os.File, error) { return nil, errors.ErrUnsupported }
