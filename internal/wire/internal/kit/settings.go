package kit

import (
	"bytes"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Setting describes how an encoder of type E writes one setting of callwright.Params.
//
// Keys are the request members that may have the setting. Write writes them. MustReplace reports whether the provider
// would reject the member in the client's body, so that it must be replaced although the setting did not change. Its
// argument after is the member as Write encodes it. A nil MustReplace means never.
type Setting[E any] struct {
	Keys        []string
	Write       func(e E, p *callwright.Params)
	MustReplace func(e E, after []byte) bool
}

// NewSetting returns a Setting with these fields; refuses is MustReplace. It allows E to be inferred.
func NewSetting[E any](keys []string, write func(e E, p *callwright.Params), refuses func(e E, after []byte) bool) Setting[E] {
	return Setting[E]{keys, write, refuses}
}

// Settings is the state of an encoder that PatchSettings needs.
type Settings struct {
	Body     *Index            // the client's body, with the Params decoded from it
	Now      callwright.Params // the Params to encode
	HadTools bool              // the client's body has tools
	HasTools *bool             // the encoded request has tools; PatchSettings sets it while it renders
	Notes    *Notes
	Render   func(write func()) []byte // runs write and returns only its output
}

// PatchSettings adds to p the settings in list whose encoding changed since the body was decoded, and those that
// MustReplace reports. An unchanged setting adds no notes. A member is removed if its Write writes nothing.
func PatchSettings[E any](p *Patch, e E, list []Setting[E], in Settings) {
	hasTools, notes := *in.HasTools, *in.Notes
	same := in.HadTools == hasTools && SameParams(&in.Body.Params, &in.Now)
	var params *callwright.Params
	var write func(E, *callwright.Params)
	render := func() { write(e, params) }
	for i := range list {
		s := &list[i]
		if same && (s.MustReplace == nil || !in.Body.hasAny(s.Keys)) {
			continue
		}
		write = s.Write
		var before []byte
		if !same {
			*in.HasTools, params = in.HadTools, &in.Body.Params
			before = in.Render(render)
		}
		*in.HasTools, *in.Notes, params = hasTools, nil, &in.Now
		after := in.Render(render)
		if (same || bytes.Equal(after, before)) && (s.MustReplace == nil || !s.MustReplace(e, after)) {
			continue
		}
		notes = append(notes, *in.Notes...)
		for _, key := range s.Keys {
			p.Set(nil, key)
		}
		for k, v := range jsonx.Members(append(append([]byte{'{'}, after...), '}')) {
			p.Set(v, k.String())
		}
	}
	*in.Notes = notes
}
