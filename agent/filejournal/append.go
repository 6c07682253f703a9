package filejournal

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/filelock"
	"github.com/callwright/callwright/internal/record"
)

// A tail is the end of a run's file after the last write of this Journal. file identifies the file.
type tail struct {
	record.Place
	file os.FileInfo
}

// maxKnown is the maximum number of runs whose tails are cached.
const maxKnown = 2048

// Append writes entry number prev+1 of the run to disk and returns prev+1. [callwright.KindConflict] means that the run
// does not have exactly prev entries, [callwright.KindInvalid] that the id or the entry is invalid. After any other
// error the entry may or may not be on disk; Load shows which.
func (j *Journal) Append(ctx context.Context, run agent.RunID, prev uint64, e agent.Entry) (last uint64, err error) {
	const op = "append"
	if err := j.ready(ctx, op, run); err != nil {
		return 0, err
	}
	if err := e.Validate(); err != nil {
		return 0, err
	}
	line, err := encode(prev+1, e)
	if err != nil {
		return 0, j.failedRun(op, run, err)
	}
	flag := 0
	if prev == 0 {
		flag = os.O_CREATE
	}
	f, err := filelock.Open(ctx, j.root, fileName(run), flag)
	if errors.Is(err, fs.ErrNotExist) && prev > 0 {
		return 0, conflict(run, 0, prev)
	}
	if err != nil {
		return 0, j.failedRun(op, run, err)
	}
	err = j.add(ctx, f, run, prev, line)
	if err = errors.Join(err, filelock.Release(f)); err != nil {
		return 0, j.failedRun(op, run, err)
	}
	return prev + 1, nil
}

// add appends a line to the file f of a run. The caller holds the file's lock. prev is the expected number of records.
func (j *Journal) add(ctx context.Context, f *os.File, run agent.RunID, prev uint64, line []byte) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	was := j.recall(f, info, run)
	end := was.Place
	if unread := info.Size() - was.Offset; unread > 0 {
		end, err = scan(ctx, io.NewSectionReader(f, was.Offset, unread), was.Place, func(agent.Entry) {})
	}
	if err != nil {
		return err
	}
	if end.Count != prev {
		return conflict(run, end.Count, prev)
	}
	if err := j.settle(f, info, was, end); err != nil {
		return err
	}
	_, err = f.WriteAt(line, end.Offset)
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		j.forget(run)
		return errors.Join(err, f.Truncate(end.Offset))
	}
	end = end.After(entryName, line)
	end.Head = bytes.Clone(end.Head)
	j.remember(run, tail{Place: end, file: info})
	return nil
}

// settle prepares the file for an append. It truncates an incomplete record after end, the end of the last complete
// one. It syncs records that another process wrote after was, the cached tail, and the name of a new file to disk.
func (j *Journal) settle(f *os.File, info os.FileInfo, was tail, end record.Place) error {
	if end.Offset < info.Size() {
		if err := f.Truncate(end.Offset); err != nil {
			return err
		}
	}
	if end.Count > was.Count {
		if err := f.Sync(); err != nil {
			return err
		}
	}
	if was.file == nil {
		return filelock.SyncDir(j.root)
	}
	return nil
}

// recall returns the cached tail of the run if its last record is still unchanged in the file, else the zero tail. The
// record contains its number, so an unchanged record has the same number of records before it.
func (j *Journal) recall(f *os.File, info os.FileInfo, run agent.RunID) tail {
	j.mu.Lock()
	was, ok := j.known[run]
	j.mu.Unlock()
	if !ok || !os.SameFile(was.file, info) || info.Size() < was.Offset {
		return tail{}
	}
	head := make([]byte, len(was.Head))
	if _, err := f.ReadAt(head, was.Start); err != nil || !bytes.Equal(head, was.Head) {
		return tail{}
	}
	return was
}

func (j *Journal) remember(run agent.RunID, is tail) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, known := j.known[run]; !known && len(j.known) >= maxKnown {
		clear(j.known)
	}
	j.known[run] = is
}

func (j *Journal) forget(run agent.RunID) {
	j.mu.Lock()
	defer j.mu.Unlock()
	delete(j.known, run)
}

func conflict(run agent.RunID, has, prev uint64) error {
	return callwright.Errorf("filejournal.append", callwright.KindConflict, "", "%s has %d entries, not %d", run, has, prev)
}
