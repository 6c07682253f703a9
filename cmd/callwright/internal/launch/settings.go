package launch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
)

// A systemSettings describes a machine-wide settings file, which takes precedence over the user's settings. variable
// names the environment variable that selects another file.
type systemSettings struct {
	variable string
	defaults map[string]string // path by operating system (GOOS); "" for all others
}

// setup returns a Setup with a session file that contains the machine's settings with changes merged in.
func (s systemSettings) setup(t Target, path string, changes map[string]any) (Setup, error) {
	old, ok := s.defaults[runtime.GOOS]
	if !ok {
		old = s.defaults[""]
	}
	if named, ok := t.Env(s.variable); ok && named != "" {
		old = named
	}
	settings := map[string]any{}
	text, err := t.ReadFile(old)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return Setup{}, fmt.Errorf("%s: the agent's system settings cannot be read: %w: correct the file, or %s", old, err, s.variable)
	default:
		if err := json.Unmarshal(text, &settings); err != nil {
			return Setup{}, fmt.Errorf("%s: the agent's system settings: expected a JSON object: %w: correct the file, or %s", old, err, s.variable)
		}
	}
	merge(settings, changes)
	out, err := document(settings)
	return Setup{Env: []Variable{{s.variable, path}}, Files: []File{{path, out}}}, err
}

// merge merges the members of changes into an object, recursively for objects on both sides.
func merge(into, changes map[string]any) {
	for name, v := range changes {
		inner, isObject := v.(map[string]any)
		old, wasObject := into[name].(map[string]any)
		if isObject && wasObject {
			merge(old, inner)
		} else {
			into[name] = v
		}
	}
}
