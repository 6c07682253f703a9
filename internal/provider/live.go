package provider

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/secretfile"
)

// secretIn returns the file at path, which contains a secret. It returns an error if the file cannot be read. setting
// is the setting that names the file.
func (c *Config) secretIn(setting, path string) (*secretfile.File, *callwright.Error) {
	if c.Files == nil {
		c.Files = secretfile.NewSet(nil)
	}
	f := c.Files.Of(path)
	if _, err := f.Get(); err != nil {
		e := invalid("%sthe file %s cannot be used: %v", c.at(setting), path, err)
		e.Kind = callwright.KindAuth
		return nil, e
	}
	return f, nil
}

// filePrefix is the prefix of a Secret that is in a file.
const filePrefix = "file:"

// File returns the path of the file for a secret of the form file:PATH. For any other secret ok is false and the path
// is empty.
func (s Secret) File() (path string, ok bool) {
	if path, ok = strings.CutPrefix(s.Reveal(), filePrefix); !ok {
		return "", false
	}
	return path, true
}

// A liveHeader is a request header with values that are read from files that may change.
type liveHeader struct {
	parts []livePart
	fixed http.Header
	built atomic.Pointer[builtHeader]
}

// A livePart is a field of a liveHeader. send returns the field for the text of the file. A nil send means that the
// text is the value.
type livePart struct {
	name string
	file *secretfile.File
	send func(text string) (name, value string)
}

// A builtHeader is a header with the texts of the files from which it was built, one for each of liveHeader.parts.
type builtHeader struct {
	texts  []string
	header http.Header
}

// addLive adds a header field whose value is in the file at path, converted by send. setting names the setting of the
// path.
func (c *Config) addLive(s *resolvedConfig, to *liveHeader, setting, name, path string,
	send func(string) (string, string)) *callwright.Error {
	file, err := c.secretIn(setting, path)
	if err != nil {
		return err
	}
	if !slices.Contains(s.files, file) {
		s.files = append(s.files, file)
	}
	to.parts = append(to.parts, livePart{http.CanonicalHeaderKey(name), file, send})
	return nil
}

// remove removes a header field.
func (l *liveHeader) remove(name string) {
	name = http.CanonicalHeaderKey(name)
	l.parts = slices.DeleteFunc(l.parts, func(p livePart) bool { return p.name == name })
}

// headerToCheck returns a copy of fixed with the fields from files added, with empty values, for checks of names.
func (l *liveHeader) headerToCheck(fixed http.Header) http.Header {
	out := maps.Clone(fixed)
	for _, p := range l.parts {
		out[p.name] = []string{""}
	}
	return out
}

// over returns a function that returns the present header: fixed and the fields whose values are in files.
func (l *liveHeader) over(fixed http.Header) func() http.Header {
	if len(l.parts) == 0 {
		return func() http.Header { return fixed }
	}
	l.fixed = fixed
	return l.get
}

// get returns the present header. It builds the header again after a file has changed.
func (l *liveHeader) get() http.Header {
	if b := l.built.Load(); b != nil && l.isCurrent(b) {
		return b.header
	}
	b := &builtHeader{header: maps.Clone(l.fixed)}
	for _, p := range l.parts {
		text := p.file.Text()
		b.texts = append(b.texts, text)
		value := text
		if p.send != nil {
			_, value = p.send(text)
		}
		b.header[p.name] = []string{value}
	}
	l.built.Store(b)
	return b.header
}

func (l *liveHeader) isCurrent(b *builtHeader) bool {
	for i, p := range l.parts {
		if p.file.Text() != b.texts[i] {
			return false
		}
	}
	return true
}
