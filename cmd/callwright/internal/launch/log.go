package launch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// LogFile returns the file of the log of gateways that starts with a folder of state begin.
func LogFile(state string) string { return filepath.Join(state, "launch.log") }

// fullLog is how many bytes a log may have when a gateway begins to append to it.
const fullLog = 4 << 20

// OpenLog opens a file of a log to append to it, readable for its owner alone, and makes its folder. A full one is kept
// beside it, in place of the one before.
func OpenLog(file string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, err
	}
	info, err := os.Stat(file)
	switch {
	case err == nil && info.Mode().IsRegular() && info.Size() > fullLog:
		if err := os.Rename(file, file+".old"); err != nil {
			return nil, err
		}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	return os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
}
