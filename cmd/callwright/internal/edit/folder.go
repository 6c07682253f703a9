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
	"github.com/callwright/callwright/internal/atomicfile"
	"github.com/callwright/callwright/internal/filelock"
	"github.com/callwright/callwright/workspace"
	"github.com/callwright/callwright/workspace/filestore"
)

// limits are those of a person, who is bound by the size of documents alone.
var limits = workspace.Limits{Patch: 4 * maxFile, Operations: 1 << 20}

// A folder holds the data of sessions on disk.
type folder struct {
	id       workspace.ID
	store    *filestore.Store
	journal  *filejournal.Journal
	root     *os.Root // of edits
	chatLock *os.File // the lock of the conversation; nil where another process has it
}

// A chat is which conversation is continued.
type chat struct {
	Run    agent.RunID `json:"run,omitempty"`    // whose conversation it is
	Before agent.RunID `json:"before,omitempty"` // the one before, where Run has not begun
	Closed bool        `json:"closed,omitempty"` // Run was broken off by the person, or has failed and they know
	Told   uint64      `json:"told,omitempty"`   // the version that the model knows
	Model  string      `json:"model,omitempty"`  // that the command line has named
}

// A copied is the content of the person's file when it was last the same as a draft.
type copied struct {
	File    string `json:"file"`
	Version uint64 `json:"version"` // of the draft, 0 for none yet
	Draft   string `json:"draft"`   // the sum of the draft
	Sum     string `json:"sum"`     // of the document, which may be written otherwise; "" where there was no file
}

// How long another session is waited for, which may just be ending.
const patience = 200 * time.Millisecond

// openFolder opens the folder of the state. The caller closes it, also beside an error.
func openFolder(ctx context.Context, dir string, id workspace.ID) (f *folder, err error) {
	f = &folder{id: id}
	if f.store, err = filestore.Open(filepath.Join(dir, "workspaces")); err != nil {
		return f, err
	}
	edits := filepath.Join(dir, "edits")
	if f.journal, err = filejournal.Open(filepath.Join(edits, "runs")); err != nil {
		return f, err
	}
	if f.root, err = os.OpenRoot(edits); err != nil {
		return f, err
	}
	soon, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	f.chatLock, err = filelock.Open(soon, f.root, string(id)+".chat.lock", os.O_CREATE)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		f.chatLock, err = nil, nil
	}
	return f, err
}

func (f *folder) close() {
	if f.chatLock != nil {
		_ = filelock.Release(f.chatLock)
	}
	if f.root != nil {
		_ = f.root.Close()
	}
	if f.journal != nil {
		_ = f.journal.Close()
	}
	if f.store != nil {
		_ = f.store.Close()
	}
}

// load reads a record; v stays as it is where there is none.
func (f *folder) load(kind string, v any) error {
	name := string(f.id) + "." + kind + ".json"
	text, err := f.root.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(text, v)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(f.root.Name(), name), err)
	}
	return nil
}

func (f *folder) save(kind string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	name := string(f.id) + "." + kind + ".json"
	return atomicfile.Replace(f.root, name, name+".tmp", append(text, '\n'), 0o600)
}

// saveChat keeps which conversation is continued, where it is this session's.
func (f *folder) saveChat(c chat) error {
	if f.chatLock == nil {
		return nil
	}
	return f.save("chat", c)
}

// version loads a version, the newest for 0; nil where it is not kept any more.
func (f *folder) version(ctx context.Context, n uint64) (*workspace.State, error) {
	st, err := f.store.Load(ctx, f.id, n)
	if n != 0 && callwright.KindOf(err) == callwright.KindNotFound {
		return nil, nil
	}
	return st, err
}
