package filejournal

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/fileerror"
	"github.com/callwright/callwright/internal/filelock"
	"github.com/callwright/callwright/internal/record"
)

// A Journal is an [agent.Journal] that stores runs in a folder. Create it with Open. It is safe for concurrent use,
// also by several processes.
type Journal struct {
	dir  string
	root *os.Root

	mu    sync.Mutex
	known map[agent.RunID]tail
}

var (
	_ agent.Journal   = (*Journal)(nil)
	_ agent.RunLister = (*Journal)(nil)
)

// Open opens the Journal in the folder dir. If the folder does not exist, Open creates it with permissions for the
// current user only. The caller must call Close.
func Open(dir string) (*Journal, error) {
	if !filelock.Supported {
		return nil, callwright.Errorf("filejournal.open", callwright.KindUnsupported, "",
			"this operating system has no file locks, which a journal needs")
	}
	j := &Journal{dir: dir, known: map[agent.RunID]tail{}}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, j.wrapError("open", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, j.wrapError("open", err)
	}
	j.root = root
	return j, nil
}

// Close closes the folder. Later calls return an error that wraps [fs.ErrClosed].
func (j *Journal) Close() error { return j.root.Close() }

// Load returns the entries of the run and their number. An unknown run has no entries and no error. The caller may
// change the entries. Load takes the file's lock only if a record seems to be damaged.
func (j *Journal) Load(ctx context.Context, run agent.RunID) (entries []agent.Entry, last uint64, err error) {
	const op = "load"
	if err := j.ready(ctx, op, run); err != nil {
		return nil, 0, err
	}
	f, err := j.root.Open(fileName(run))
	if err != nil {
		return nil, 0, j.orUnknown(op, run, err)
	}
	entries, err = load(ctx, f)
	err = errors.Join(err, f.Close())
	if _, ok := errors.AsType[*record.Damage](err); !ok {
		return entries, uint64(len(entries)), j.failedRun(op, run, err)
	}
	// The bytes read may mix two writes of another process: read them once more under the lock.
	f, err = filelock.Open(ctx, j.root, fileName(run), 0)
	if err != nil {
		return nil, 0, j.orUnknown(op, run, err)
	}
	entries, err = load(ctx, f)
	return entries, uint64(len(entries)), j.failedRun(op, run, errors.Join(err, filelock.Release(f)))
}

// load reads all entries of a file. On error it returns no entries.
func load(ctx context.Context, f *os.File) (entries []agent.Entry, err error) {
	if _, err := scan(ctx, f, record.Place{}, func(e agent.Entry) { entries = append(entries, e) }); err != nil {
		return nil, err
	}
	return entries, nil
}

// Remove deletes the run. An unknown run is no error. A later Append starts the run again with prev 0.
func (j *Journal) Remove(ctx context.Context, run agent.RunID) error {
	const op = "remove"
	if err := j.ready(ctx, op, run); err != nil {
		return err
	}
	f, err := filelock.Open(ctx, j.root, fileName(run), 0)
	if err != nil {
		return j.orUnknown(op, run, err)
	}
	j.forget(run)
	err = j.root.Remove(fileName(run))
	if err == nil {
		err = filelock.SyncDir(j.root)
	}
	return j.failedRun(op, run, errors.Join(err, filelock.Release(f)))
}

// Runs lists the ids of the runs in descending order. The list may contain a run without entries, if a crash
// interrupted its first Append.
func (j *Journal) Runs(ctx context.Context) ([]agent.RunID, error) {
	const op = "runs"
	if err := ctx.Err(); err != nil {
		return nil, j.wrapError(op, err)
	}
	entries, err := fs.ReadDir(j.root.FS(), ".")
	if err != nil {
		return nil, j.wrapError(op, err)
	}
	var runs []agent.RunID
	for _, e := range entries {
		run, ok := runOf(e.Name())
		if !ok || !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 { // removed meanwhile, or not written yet
			continue
		}
		if err != nil {
			return nil, j.wrapError(op, err)
		}
		runs = append(runs, run)
	}
	slices.Sort(runs)
	slices.Reverse(runs)
	return runs, nil
}

// ready returns an error if ctx is done or the id of the run is invalid.
func (j *Journal) ready(ctx context.Context, op string, run agent.RunID) error {
	if err := ctx.Err(); err != nil {
		return j.wrapError(op, err)
	}
	return run.Validate()
}

// orUnknown returns nil if err means that the run has no file, else err with op and the file's path.
func (j *Journal) orUnknown(op string, run agent.RunID, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return j.failedRun(op, run, err)
}

func (j *Journal) failedRun(op string, run agent.RunID, err error) error {
	return fileerror.Wrap("filejournal."+op, filepath.Join(j.dir, fileName(run)), err)
}

func (j *Journal) wrapError(op string, err error) error {
	return fileerror.Wrap("filejournal."+op, j.dir, err)
}
