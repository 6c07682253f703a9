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

// secretIn returns the file that has a secret, which must be there. setting is where it is named.
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

// filePrefix is the prefix of a secret that is in a file.
const filePrefix = "file:"

// File returns the name of the file that has the secret, where it is one of the form file:NAME. For any other secret
// the name is empty: it would be the secret.
func (s Secret) File() (path string, ok bool) {
	if path, ok = strings.CutPrefix(s.Reveal(), filePrefix); !ok {
		return "", false
	}
	return path, true
}

// A liveHeader is a header of which some values are in files that may change.
type liveHeader struct {
	parts []livePart
	fixed http.Header
	built atomic.Pointer[builtHeader]
}

// A livePart is a header in a file. send returns the header that carries the text of the file, nil for the text itself.
type livePart struct {
	name string
	file *secretfile.File
	send func(text string) (name, value string)
}

// A builtHeader is a header with the texts that the files had.
type builtHeader struct {
	texts  []string
	header http.Header
}

// addLive adds a header whose value is in a file. setting is where the file is named.
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

// remove takes a header away.
func (l *liveHeader) remove(name string) {
	name = http.CanonicalHeaderKey(name)
	l.parts = slices.DeleteFunc(l.parts, func(p livePart) bool { return p.name == name })
}

// headerToCheck returns the header with those that are in files, to be checked.
func (l *liveHeader) headerToCheck(fixed http.Header) http.Header {
	out := maps.Clone(fixed)
	for _, p := range l.parts {
		out[p.name] = []string{""}
	}
	return out
}

// over returns a function for the present header, over its constant fields.
func (l *liveHeader) over(fixed http.Header) func() http.Header {
	if len(l.parts) == 0 {
		return func() http.Header { return fixed }
	}
	l.fixed = fixed
	return l.get
}

// get returns the header as it is now. It is made anew when a file has changed.
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
