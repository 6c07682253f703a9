package edit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/agent/filejournal"
	"github.com/callwright/callwright/internal/filelock"
	"github.com/callwright/callwright/workspace"
	"github.com/callwright/callwright/workspace/filestore"
)

// limits are those of a person, who is bound by the size of documents alone.
var limits = workspace.Limits{Patch: 4 * maxFile, Operations: 1 << 20}

// A desk is what sessions keep on disk.
type desk struct {
	id      workspace.ID
	store   *filestore.Store
	journal *filejournal.Journal
	root    *os.Root // of edits
	talks   *os.File // the lock of the conversation; nil where another process has it
}

// A talk is which conversation is gone on with.
type talk struct {
	Run    agent.RunID `json:"run,omitempty"`    // whose conversation it is
	Before agent.RunID `json:"before,omitempty"` // the one before, where Run has not begun
	Closed bool        `json:"closed,omitempty"` // Run was broken off by the person, or has failed and they know
	Told   uint64      `json:"told,omitempty"`   // the version that the model knows
	Model  string      `json:"model,omitempty"`  // that the command line has named
}

// A copied is what the person's file had when it was last the same as a draft.
type copied struct {
	File    string `json:"file"`
	Version uint64 `json:"version"` // of the draft, 0 for none yet
	Draft   string `json:"draft"`   // the sum of the draft
	Sum     string `json:"sum"`     // of the document, which may be written otherwise; "" where there was no file
}

// How long another session is waited for, which may just be ending.
const patience = 200 * time.Millisecond

// openDesk opens the folder of the state. The caller closes it, also beside an error.
func openDesk(ctx context.Context, dir string, id workspace.ID) (d *desk, err error) {
	d = &desk{id: id}
	if d.store, err = filestore.Open(filepath.Join(dir, "workspaces")); err != nil {
		return d, err
	}
	edits := filepath.Join(dir, "edits")
	if d.journal, err = filejournal.Open(filepath.Join(edits, "runs")); err != nil {
		return d, err
	}
	if d.root, err = os.OpenRoot(edits); err != nil {
		return d, err
	}
	soon, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	d.talks, err = filelock.Open(soon, d.root, string(id)+".talk.lock", os.O_CREATE)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		d.talks, err = nil, nil
	}
	return d, err
}

func (d *desk) close() {
	if d.talks != nil {
		_ = filelock.Release(d.talks)
	}
	if d.root != nil {
		_ = d.root.Close()
	}
	if d.journal != nil {
		_ = d.journal.Close()
	}
	if d.store != nil {
		_ = d.store.Close()
	}
}

// load reads a record; v stays as it is where there is none.
func (d *desk) load(kind string, v any) error {
	name := string(d.id) + "." + kind + ".json"
	text, err := d.root.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(text, v)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(d.root.Name(), name), err)
	}
	return nil
}

func (d *desk) save(kind string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	name := string(d.id) + "." + kind + ".json"
	return replace(d.root, name, name+".tmp", append(text, '\n'), 0o600, false)
}

// saveTalk keeps which conversation is gone on with, where it is this session's.
func (d *desk) saveTalk(t talk) error {
	if d.talks == nil {
		return nil
	}
	return d.save("talk", t)
}

// version loads a version, the newest for 0; nil where it is not kept any more.
func (d *desk) version(ctx context.Context, n uint64) (*workspace.State, error) {
	st, err := d.store.Load(ctx, d.id, n)
	if n != 0 && callwright.KindOf(err) == callwright.KindNotFound {
		return nil, nil
	}
	return st, err
}
