package trace

import (
	"os"
	"time"
)

// writeLine writes a line, as soon as that is possible, and reports whether it did: not where the folder is closed
// first. index is the pending part of the index for the file at hand, which ends where a part of the line stays in it.
func (f *Folder) writeLine(files *writtenFiles, index *indexText, line []byte) bool {
	for {
		n, err := files.lines.Write(line)
		if err == nil {
			f.fail(nil)
			return true
		}
		torn := n > 0 && !shorten(files.lines, n)
		if !f.pause(err) {
			return false
		}
		if torn {
			f.begin(files, index)
		}
	}
}

// shorten takes the last n bytes of a file away, and reports whether it could.
func shorten(file *os.File, n int) bool {
	info, err := file.Stat()
	return err == nil && file.Truncate(info.Size()-int64(n)) == nil
}

// retryEvery is how long a Folder waits before it tries again to write.
const retryEvery = time.Second

// pause waits after something could not be written, and reports whether it is to be tried again: not where the folder
// is closed.
func (f *Folder) pause(err error) bool {
	f.fail(err)
	timer := time.NewTimer(retryEvery)
	defer timer.Stop()
	select {
	case <-f.ending:
		return false
	case <-timer.C:
		return true
	}
}

// fail notes why nothing can be written for now, the first reason of several, nil where something was, and tells of it
// where that is new.
func (f *Folder) fail(err error) {
	f.mu.Lock()
	var tell []func(error)
	if err != nil && f.err == nil {
		tell = f.failed
	}
	if err == nil || f.err == nil { // behind a file that could not be begun the last one is closed
		f.err = err
	}
	f.settled.Broadcast()
	f.mu.Unlock()
	for _, failed := range tell {
		failed(err)
	}
}

// onFail has failed called each time when nothing can be written any more for now.
func (f *Folder) onFail(failed func(error)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failed = append(f.failed, failed)
}

// Err is the reason why waiting entries cannot be written for now, or could not when the folder was closed; nil where
// there is none.
func (f *Folder) Err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}
