package background

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/callwright/callwright"
)

// claim reports whether this program is the first that probes the model today, in UTC. It creates a file named after
// the model and the day in Config.Dir: only one program can create the file. claim removes the model's files of other
// days. Without a Dir, first is always true.
func (p *Prober) claim(id callwright.ModelID) (first bool, err error) {
	if p.cfg.Dir == "" {
		return true, nil
	}
	if err := os.MkdirAll(p.cfg.Dir, 0o700); err != nil {
		return false, err
	}
	name := url.QueryEscape(string(id))
	if len(name) > 200 { // file systems limit a name to 255 bytes
		name = fmt.Sprintf("%x", sha256.Sum256([]byte(id)))
	}
	mark := name + "@" + p.today()
	f, err := os.OpenFile(filepath.Join(p.cfg.Dir, mark), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return false, nil
	case err != nil:
		return false, err
	}
	if err := f.Close(); err != nil {
		return false, err
	}
	list, err := os.ReadDir(p.cfg.Dir)
	for _, e := range list {
		if other, ok := strings.CutPrefix(e.Name(), name+"@"); ok && name+"@"+other != mark {
			_ = os.Remove(filepath.Join(p.cfg.Dir, e.Name()))
		}
	}
	return true, err
}
