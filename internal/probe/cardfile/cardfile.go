// Package cardfile stores the cards of probes as JSON files in a folder, the latest card of each model. Several
// programs share the folder: a probe writes a card, and a gateway shows the card.
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

// Folder is the name of the folder of cards within the state folder.
const Folder = "probes"

// maxFile is the maximum size of a card's file, in bytes.
const maxFile = 1 << 20

// Keep writes a card to its model's file in dir, and replaces the earlier card. It creates dir if needed. The file is
// on disk when Keep returns.
func Keep(dir string, card *probe.Card, at time.Time) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("the folder of cards: %w", err)
	}
	text, err := json.MarshalIndent(probe.StoredCard{Card: card, Probed: at.UTC()}, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.ReplacePath(pathOf(dir, card.Model), append(text, '\n'), 0o600)
}

// Read returns the stored card of a model, nil for none.
func Read(dir string, model callwright.ModelID) (*probe.StoredCard, error) {
	path := pathOf(dir, model)
	text, err := boundedfile.Read(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var k probe.StoredCard
	if err := json.Unmarshal(text, &k); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &k, nil
}

// pathOf returns the path of a model's file: the SHA-256 hash of the model's name, in hexadecimal, and ".json".
func pathOf(dir string, model callwright.ModelID) string {
	return filepath.Join(dir, fmt.Sprintf("%x.json", sha256.Sum256([]byte(model))))
}
