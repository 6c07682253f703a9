// Package cardfile keeps the cards of probes in a folder, the last one of each model, so that programs share them: a
// probe, and a gateway that shows its results.
package cardfile

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/atomicfile"
	"github.com/callwright/callwright/internal/boundedfile"
	"github.com/callwright/callwright/internal/probe"
)

// Folder is the name of the folder of cards, below that of a state.
const Folder = "probes"

// maxFile bounds the file of a card, which has some dozens of checks.
const maxFile = 1 << 20

// Keep keeps a card in a folder, which is made where it is not there, in the place of the one before of its model. It
// is on disk when Keep returns.
func Keep(dir string, card *probe.Card, at time.Time) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("the folder of cards: %w", err)
	}
	text, err := json.MarshalIndent(probe.Kept{Card: card, Probed: at.UTC()}, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.ReplacePath(pathOf(dir, card.Model), append(text, '\n'), 0o600)
}

// Read returns the card of a model; nil where there is none.
func Read(dir string, model callwright.ModelID) (*probe.Kept, error) {
	path := pathOf(dir, model)
	text, err := boundedfile.Read(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var k probe.Kept
	if err := json.Unmarshal(text, &k); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &k, nil
}

// pathOf is the file of a model, whose name may be any text.
func pathOf(dir string, model callwright.ModelID) string {
	return filepath.Join(dir, fmt.Sprintf("%x.json", sha256.Sum256([]byte(model))))
}
