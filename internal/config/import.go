package config

import (
	"fmt"

	"github.com/callwright/callwright/internal/boundedfile"
	"github.com/callwright/callwright/internal/config/internal/foreignfile"
)

// Imported is the translation of another program's configuration.
type Imported = foreignfile.Result

// Import turns the configuration of LiteLLM, of claude-code-router or of Bifrost in a file into one of ours. The error
// is about a file that cannot be read or is of neither program.
func Import(path string) (*Imported, error) {
	text, err := boundedfile.Read(path, maxSize)
	if err != nil {
		return nil, err
	}
	r, err := foreignfile.Import(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}
