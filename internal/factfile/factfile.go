// Package factfile stores the facts about models in a folder, one file for each model, so that several programs can
// share them: a gateway, a probe, and commands that list or remove facts. A file is always replaced as a whole. If two
// programs write a file at the same moment, the last write wins.
package factfile

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/atomicfile"
	"github.com/callwright/callwright/internal/boundedfile"
)

// A CapsStore is a [caps.Store] in a folder. It caches facts in memory and checks files for changes at most once a
// second.
type CapsStore struct {
	dir    string
	now    func() time.Time
	memory *caps.Memory

	mu   sync.Mutex       // held during a change
	read map[string]state // cached version of each file, by model
	bad  map[string]bool  // models whose files could not be read
}

var _ caps.Store = (*CapsStore)(nil)

// A state identifies the cached version of a file by its modification time and size, which are zero without a file.
type state struct {
	changed time.Time
	size    int64
	at      time.Time // time of the last check
}

// lookEvery is the minimum time between two checks of a file.
const lookEvery = time.Second

// maxRead is the maximum number of models in the cache.
const maxRead = 2048

const suffix = ".json"

// A file is the JSON content of a file: the facts of one model. On reading, each fact is decoded separately, because a
// newer version may have written facts that are unknown here.
type file[F caps.Fact | json.RawMessage] struct {
	Model string `json:"model"`
	Facts []F    `json:"facts"`
}

// Open returns the CapsStore of a folder. It creates the folder if necessary. now returns the current time; nil means
// time.Now.
func Open(dir string, now func() time.Time) (*CapsStore, error) {
	if now == nil {
		now = time.Now
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the folder of facts about models: %w", err)
	}
	return &CapsStore{dir: dir, now: now, memory: caps.NewMemory(now), read: map[string]state{}, bad: map[string]bool{}}, nil
}

// longName is the maximum length of a file name. A longer name is replaced by its digest, because file systems allow
// 255 bytes.
const longName = 200

// path returns the path of the file of a model.
func (s *CapsStore) path(model string) string {
	name := url.QueryEscape(model)
	if len(name) > longName {
		name = fmt.Sprintf("%x", sha256.Sum256([]byte(model)))
	}
	return filepath.Join(s.dir, name+suffix)
}

// Facts returns the facts about a model that have not expired. It returns an error if the file cannot be read.
func (s *CapsStore) Facts(ctx context.Context, model string) ([]caps.Fact, error) {
	s.mu.Lock()
	err := s.refresh(model, false)
	if err == nil {
		delete(s.bad, model)
	} else if len(s.bad) < maxBad {
		s.bad[model] = true
	}
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return s.memory.Facts(ctx, model)
}

// maxBad is the maximum number of unreadable files that are remembered.
const maxBad = 100

// Unread returns errors by file path for the files that Facts could not read and that still cannot be read. It returns
// nil if store is not a CapsStore.
func Unread(store caps.Store) map[string]error {
	s, ok := store.(*CapsStore)
	if !ok {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[string]error{}
	for model := range s.bad {
		if err := s.refresh(model, false); err != nil {
			out[s.path(model)] = err
		} else {
			delete(s.bad, model)
		}
	}
	return out
}

// refresh reads the file of a model if it has changed. If now is false, it checks the file at most once in lookEvery.
func (s *CapsStore) refresh(model string, now bool) error {
	was, known := s.read[model]
	at := s.now()
	if known && !now && at.Sub(was.at) < lookEvery {
		return nil
	}
	info, err := os.Stat(s.path(model))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.remember(model, state{at: at})
		s.memory.Set(model, nil)
		return nil
	case err != nil:
		return err
	}
	is := state{changed: info.ModTime(), size: info.Size(), at: at}
	if known && was.changed.Equal(is.changed) && was.size == is.size {
		s.remember(model, is)
		return nil
	}
	_, facts, err := load(s.path(model))
	if err != nil {
		return err
	}
	s.memory.Set(model, facts)
	s.remember(model, is)
	return nil
}

func (s *CapsStore) remember(model string, is state) {
	if _, known := s.read[model]; !known && len(s.read) >= maxRead {
		clear(s.read)
	}
	s.read[model] = is
}

// maxFile is the maximum size of a file in bytes.
const maxFile = 4 << 20

// load reads a file. It ignores facts that are unknown in this version.
func load(path string) (model string, facts []caps.Fact, err error) {
	raw, err := boundedfile.Read(path, maxFile)
	if err != nil {
		return "", nil, err
	}
	var in file[json.RawMessage]
	if err := json.Unmarshal(raw, &in); err != nil {
		return "", nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, written := range in.Facts {
		var f caps.Fact
		if json.Unmarshal(written, &f) != nil {
			continue
		}
		if _, err := (caps.Caps{}).With(f); err == nil {
			facts = append(facts, f)
		}
	}
	return in.Model, facts, nil
}

// Learn stores a fact about a model. The fact is on disk when Learn returns.
func (s *CapsStore) Learn(ctx context.Context, model string, f caps.Fact) error {
	return s.change(model, func() error { return s.memory.Learn(ctx, model, f) })
}

// Forget removes the fact with the key, or all facts about the model if key is empty.
func (s *CapsStore) Forget(ctx context.Context, model, key string) error {
	return s.change(model, func() error { return s.memory.Forget(ctx, model, key) })
}

// change reads the file of a model, calls make, which changes the facts in memory, and writes the file. If make returns
// an error, nothing is written.
func (s *CapsStore) change(model string, make func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refresh(model, true); err != nil {
		return err
	}
	if err := make(); err != nil {
		return err
	}
	return s.write(model)
}

// write replaces the file of a model by the facts in memory. It removes the file if there are none.
func (s *CapsStore) write(model string) error {
	facts, err := s.memory.Facts(context.Background(), model)
	if err != nil {
		return err
	}
	path := s.path(model)
	if len(facts) == 0 {
		s.remember(model, state{at: s.now()})
		if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	raw, err := json.MarshalIndent(file[caps.Fact]{model, facts}, "", "  ")
	if err != nil {
		return err
	}
	if err := atomicfile.ReplacePath(path, append(raw, '\n'), 0o600); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err == nil {
		s.remember(model, state{changed: info.ModTime(), size: info.Size(), at: s.now()})
	}
	return err
}

// Models returns the models with facts that have not expired, sorted.
func (s *CapsStore) Models(ctx context.Context) ([]string, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), suffix) {
			continue
		}
		model, _, err := load(filepath.Join(s.dir, e.Name()))
		if errors.Is(err, fs.ErrNotExist) { // removed in the meantime
			continue
		}
		if err != nil {
			return nil, err
		}
		facts, err := s.Facts(ctx, model)
		if err != nil {
			return nil, err
		}
		if len(facts) > 0 {
			out = append(out, model)
		}
	}
	slices.Sort(out)
	return out, nil
}

// Watch calls changed for each model about which this CapsStore learns or forgets a fact, until ctx ends. Changes by
// other programs are noticed only when the file is next read.
func (s *CapsStore) Watch(ctx context.Context, changed func(model string)) error {
	return s.memory.Watch(ctx, changed)
}
