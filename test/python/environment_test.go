package python_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/callwright/callwright/internal/prerequisite"
)

// interpreter returns the Python of an environment, which is installed unless it is there. The test lacks a prerequisite where it cannot be, for want
// of a network say.
func interpreter(t *testing.T, environment string) string {
	t.Helper()
	uv := prerequisite.Program(t, "uv")
	home, err := install(uv, environment)
	if err != nil {
		prerequisite.Missing(t, err)
	}
	return filepath.Join(home, "bin", "python")
}

// install installs the packages of an environment into a cache folder that is named after their list, and returns it.
func install(uv, environment string) (string, error) {
	list, err := filepath.Abs(environment + ".txt")
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(list)
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	home := filepath.Join(cache, "callwright", "python", environment+"-"+hex.EncodeToString(sum[:])[:16])
	done := filepath.Join(home, "complete")
	if _, err := os.Stat(done); err == nil {
		return home, nil
	}
	for _, args := range [][]string{
		{"venv", "--quiet", "--clear", "--python", ">=3.11", home},
		{"pip", "sync", "--quiet", "--python", home, list},
	} {
		var said bytes.Buffer
		cmd := exec.Command(uv, args...)
		cmd.Stdout, cmd.Stderr = &said, &said
		if err := cmd.Run(); err != nil {
			return "", fmt.Errorf("uv %s could not install %s.txt (is there a network?): %w\n%s", args[0], environment, err, said.String())
		}
	}
	return home, os.WriteFile(done, nil, 0o644)
}
