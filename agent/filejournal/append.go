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

// A tail is where a run ended when it was last written to: the end of its file, and which file that was.
type tail struct {
	record.Place
	file os.FileInfo
}

// maxKnown bounds the runs whose tails are remembered.
const maxKnown = 2048

// Append records an entry after the first prev of the run and returns prev + 1; the entry is on disk then. After an
// error of another kind than [callwright.KindConflict] and [callwright.KindInvalid] only Load knows whether it was
// recorded.
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

// add writes a line to a run whose lock is held.
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

// settle makes the file end with the last record. Records of other processes are synced to disk before any record
// behind them, as is the name of a file that may not be on disk.
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

// recall is the tail that this Journal wrote, if it still stands in the file, and else the zero tail. A record says its
// number, so that one that stands there unchanged has as many before it as it had.
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
