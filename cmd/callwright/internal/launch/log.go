package launch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// LogFile returns the log file of gateways that launch starts with the given state folder.
func LogFile(state string) string { return filepath.Join(state, "launch.log") }

// fullLog is the size in bytes above which a log file is rotated.
const fullLog = 4 << 20

// OpenLog opens a log file for appending, with permissions for its owner only, and creates its folder. A file above
// fullLog is renamed first, replacing the previous renamed file.
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
