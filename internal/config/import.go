package config

import (
	"fmt"

	"github.com/callwright/callwright/internal/boundedfile"
	"github.com/callwright/callwright/internal/config/internal/foreignfile"
)

// Imported is the result of the conversion of another program's configuration.
type Imported = foreignfile.Result

// Import converts a configuration file of LiteLLM, claude-code-router or Bifrost into a configuration of this gateway.
// It returns an error if the file cannot be read or has the format of another program.
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
