// Package factfile keeps the known facts of models in a folder, a file for each model, so that programs share it: a
// gateway that learns, a probe, and commands that list or forget facts. Files are replaced whole; of two programs that
// learn about one model at the same moment the later one counts.
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

// A CapsStore is a [caps.Store] in a folder. Facts that were read stay in memory. Changes by other programs are looked
// for at most once a second.
type CapsStore struct {
	dir    string
	now    func() time.Time
	memory *caps.Memory

	mu   sync.Mutex // one change at a time
	read map[string]state
	bad  map[string]bool // the models whose files could not be read
}

var _ caps.Store = (*CapsStore)(nil)

// state says which state of a file is in memory.
type state struct {
	changed time.Time
	size    int64
	at      time.Time // when it was looked up
}

// lookEvery is how long a file is taken to be as it was.
const lookEvery = time.Second

// maxRead bounds the models whose files are remembered.
const maxRead = 2048

const suffix = ".json"

// A file holds the known facts of one model. Each fact is read on its own, since another version may have written facts
// that this one lacks.
type file[F caps.Fact | json.RawMessage] struct {
	Model string `json:"model"`
	Facts []F    `json:"facts"`
}

// Open gives the CapsStore of a folder, which is made where it is not there. now is the source of time, nil for
// time.Now.
func Open(dir string, now func() time.Time) (*CapsStore, error) {
	if now == nil {
		now = time.Now
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the folder of what is known of models: %w", err)
	}
	return &CapsStore{dir: dir, now: now, memory: caps.NewMemory(now), read: map[string]state{}, bad: map[string]bool{}}, nil
}

// longName is the length of a file's name from which it is a digest: file systems take 255 bytes.
const longName = 200

// path is the file of a model.
func (s *CapsStore) path(model string) string {
	name := url.QueryEscape(model)
	if len(name) > longName {
		name = fmt.Sprintf("%x", sha256.Sum256([]byte(model)))
	}
	return filepath.Join(s.dir, name+suffix)
}

// Facts are the facts about the model that have not expired. The error is that of a file that cannot be read.
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

// maxBad bounds the files of which it is remembered that they could not be read.
const maxBad = 100

// Unread returns why files of a store could not be read that were asked for, by their paths. A file that can be read
// now is not among them, nor is one of a store that is no CapsStore.
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

// refresh reads the file of a model where it is not as it was, now or a moment ago.
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

// maxFile bounds a file of facts, of which a model has some dozens.
const maxFile = 4 << 20

// load reads a file. A fact that this version does not know is left out.
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

// Learn keeps the fact about the model, on disk when it returns.
func (s *CapsStore) Learn(ctx context.Context, model string, f caps.Fact) error {
	return s.change(model, func() error { return s.memory.Learn(ctx, model, f) })
}

// Forget drops the facts of the key, or every fact about the model where key is empty.
func (s *CapsStore) Forget(ctx context.Context, model, key string) error {
	return s.change(model, func() error { return s.memory.Forget(ctx, model, key) })
}

// change makes a change on the present content of the file, and writes it.
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

// write replaces the file of a model by the facts in memory, or removes it where there are none.
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

// Models lists the models that have facts which have not expired, sorted.
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
		if errors.Is(err, fs.ErrNotExist) { // forgotten meanwhile
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

// Watch calls changed with each model about which this CapsStore learns or forgets a fact, until the context ends.
// Changes of other programs are seen at the next read.
func (s *CapsStore) Watch(ctx context.Context, changed func(model string)) error {
	return s.memory.Watch(ctx, changed)
}
