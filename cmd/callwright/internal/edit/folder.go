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

// limits are the edit limits of a person. In practice only the document size limits the edits.
var limits = workspace.Limits{Patch: 4 * maxFile, Operations: 1 << 20}

// A folder contains the stored data of an editing session: versions, runs and locks.
type folder struct {
	id       workspace.ID
	store    *filestore.Store
	journal  *filejournal.Journal
	root     *os.Root // the folder "edits"
	chatLock *os.File // held lock of the conversation; nil if another process has it
}

// A chat identifies the conversation to continue. It is stored as ID.chat.json.
type chat struct {
	Run    agent.RunID `json:"run,omitempty"`    // the run with the conversation
	Before agent.RunID `json:"before,omitempty"` // the previous run, for a Run that has not started
	Closed bool        `json:"closed,omitempty"` // Run was interrupted or failed, and the person was informed
	Told   uint64      `json:"told,omitempty"`   // latest draft version that the model knows
	Model  string      `json:"model,omitempty"`  // the model of the command line
}

// lastSync describes the person's file when it last equaled a draft. It is stored as ID.file.json.
type lastSync struct {
	File    string `json:"file"`
	Version uint64 `json:"version"` // version of the draft, 0 for none yet
	Draft   string `json:"draft"`   // checksum of the draft
	Sum     string `json:"sum"`     // checksum of the document in the file; "" if there was no file
}

// patience is the maximum wait for the lock of another session, which may be about to end.
const patience = 200 * time.Millisecond

// openFolder opens the data of a workspace in the state folder dir. The caller must close f, also after an error.
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

// load reads a stored record into v. If there is none, v does not change. kind is "chat" or "file".
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

// saveChat stores the conversation to continue. It does nothing if another process holds the lock of the conversation.
func (f *folder) saveChat(c chat) error {
	if f.chatLock == nil {
		return nil
	}
	return f.save("chat", c)
}

// version loads a version of the workspace, the latest if n is 0. It returns nil for a version that was removed.
func (f *folder) version(ctx context.Context, n uint64) (*workspace.State, error) {
	st, err := f.store.Load(ctx, f.id, n)
	if n != 0 && callwright.KindOf(err) == callwright.KindNotFound {
		return nil, nil
	}
	return st, err
}
