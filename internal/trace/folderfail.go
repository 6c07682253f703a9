package trace

import (
	"os"
	"time"
)

// writeLine writes a line with retries. It returns false if the folder was closed before it succeeded. If a partly
// written line cannot be removed, writeLine begins a new file. index holds the index lines of the current file that are
// not yet written.
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

// shorten removes the last n bytes of a file and reports whether it succeeded.
func shorten(file *os.File, n int) bool {
	info, err := file.Stat()
	return err == nil && file.Truncate(info.Size()-int64(n)) == nil
}

// retryEvery is the interval of retries after a failed write.
const retryEvery = time.Second

// pause records err and waits before a retry. It returns false if the folder is closed.
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

// fail records why writing fails, or nil after a success. If writing has just begun to fail, it calls the registered
// functions.
func (f *Folder) fail(err error) {
	f.mu.Lock()
	var tell []func(error)
	if err != nil && f.err == nil {
		tell = f.failed
	}
	if err == nil || f.err == nil { // the first error is kept, since later ones may be its consequence
		f.err = err
	}
	f.settled.Broadcast()
	f.mu.Unlock()
	for _, failed := range tell {
		failed(err)
	}
}

// onFail registers a function that is called whenever writing begins to fail.
func (f *Folder) onFail(failed func(error)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failed = append(f.failed, failed)
}

// Err returns why queued entries cannot be written at present, or could not be written before Close. It returns nil if
// writing works.
func (f *Folder) Err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}
