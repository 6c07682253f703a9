package filestore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/fileerror"
	"github.com/callwright/callwright/internal/filelock"
	"github.com/callwright/callwright/internal/record"
	"github.com/callwright/callwright/workspace"
)

// A Store is a [workspace.Store] in a directory. Use Open. It is safe for concurrent use, also by several processes.
type Store struct {
	dir  string
	root *os.Root
	keep int
}

var (
	_ workspace.Store  = (*Store)(nil)
	_ workspace.Lister = (*Store)(nil)
)

// An Option configures Open.
type Option func(*Store)

// defaultVersions is the default of WithVersions.
const defaultVersions = 100

// WithVersions keeps at least the newest n versions of each workspace, and at most a quarter more. The default is 100.
// The entries of all versions are kept.
func WithVersions(n int) Option { return func(s *Store) { s.keep = n } }

// Open returns the Store in the directory dir. It creates a missing directory with access for the current user only.
// The caller must call Close.
func Open(dir string, opts ...Option) (*Store, error) {
	if !filelock.Supported {
		return nil, callwright.Errorf("filestore.open", callwright.KindUnsupported, "",
			"this operating system has no locks on files that a store could use")
	}
	s := &Store{dir: dir, keep: defaultVersions}
	for _, o := range opts {
		o(s)
	}
	if s.keep < 1 {
		return nil, callwright.Errorf("filestore.open", callwright.KindInvalid, "", "expected to keep 1 version or more, got %d", s.keep)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, failure("open", dir, err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, failure("open", dir, err)
	}
	s.root = root
	return s, nil
}

// Close closes the directory. Later operations fail with an error that wraps [fs.ErrClosed].
func (s *Store) Close() error { return s.root.Close() }

// List returns the IDs of the workspaces that have a version, in descending order.
func (s *Store) List(ctx context.Context) ([]workspace.ID, error) {
	if err := ctx.Err(); err != nil {
		return nil, failure("list", s.dir, err)
	}
	entries, err := fs.ReadDir(s.root.FS(), ".")
	if err != nil {
		return nil, failure("list", s.dir, err)
	}
	var ids []workspace.ID
	for _, e := range entries {
		id := workspace.ID(e.Name())
		if id.Validate() != nil || !e.IsDir() {
			continue
		}
		f, err := s.folder(id)
		if err == nil {
			var versions []uint64
			if versions, err = f.versions(); len(versions) > 0 {
				ids = append(ids, id)
			}
			err = errors.Join(err, f.Close())
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, failure("list", filepath.Join(s.dir, e.Name()), err)
		}
	}
	slices.Sort(ids)
	slices.Reverse(ids)
	return ids, nil
}

// A folder is the open directory of one workspace.
type folder struct {
	*os.Root
	parent *os.Root
	id     workspace.ID
	path   string
}

// folder opens the directory of a workspace. The caller closes it.
func (s *Store) folder(id workspace.ID) (*folder, error) {
	r, err := s.root.OpenRoot(string(id))
	if err != nil {
		return nil, err
	}
	return &folder{Root: r, parent: s.root, id: id, path: filepath.Join(s.dir, string(id))}, nil
}

// The files in a workspace's directory besides those of versions.
const (
	lockFile    = "lock"
	nextFile    = "next.tmp"
	historyFile = "history.jsonl"
)

// fileName returns the name of a version's file, such as "v12.json".
func fileName(version uint64) string { return fmt.Sprintf("v%d.json", version) }

// versions returns the versions that have a file, in ascending order.
func (f *folder) versions() ([]uint64, error) {
	entries, err := fs.ReadDir(f.FS(), ".")
	if err != nil {
		return nil, err
	}
	var versions []uint64
	for _, e := range entries {
		digits, found := strings.CutPrefix(strings.TrimSuffix(e.Name(), ".json"), "v")
		n, err := strconv.ParseUint(digits, 10, 64)
		if found && err == nil && n > 0 && e.Name() == fileName(n) && e.Type().IsRegular() {
			versions = append(versions, n)
		}
	}
	slices.Sort(versions)
	return versions, nil
}

// newest returns the last of the sorted versions, 0 if there is none.
func newest(versions []uint64) uint64 {
	if len(versions) == 0 {
		return 0
	}
	return versions[len(versions)-1]
}

// fileError wraps the error of an operation on the named file of the directory, or on the directory itself if name is
// "".
func (f *folder) fileError(op, name string, err error) error {
	return failure(op, filepath.Join(f.path, name), err)
}

func failure(op, path string, err error) error { return fileerror.Wrap("filestore."+op, path, err) }

// isDamage reports whether err is about a file with wrong contents.
func isDamage(err error) bool {
	_, ok := errors.AsType[*record.Damage](err)
	return ok
}
