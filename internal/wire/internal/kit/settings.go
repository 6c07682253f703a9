package kit

import (
	"bytes"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Setting is a part of Params as members of a request: those that may carry it, and how an encoder writes it. Refuses
// reports whether the body's value has to change although nothing was set, nil where it never has to; after is the
// value as it is written now.
type Setting[E any] struct {
	Keys    []string
	Write   func(e E, p *callwright.Params)
	Refuses func(e E, after []byte) bool
}

// NewSetting makes a Setting of its fields.
func NewSetting[E any](keys []string, write func(e E, p *callwright.Params), refuses func(e E, after []byte) bool) Setting[E] {
	return Setting[E]{keys, write, refuses}
}

// Settings is the interface of an encoder for patching the settings of a body.
type Settings struct {
	Body     *Index // what came, with its Params
	Now      callwright.Params
	HadTools bool  // the body had tools when it came
	HasTools *bool // what is written has tools
	Notes    *Notes
	Render   func(write func()) []byte
}

// PatchSettings adds the settings whose written form changed, and those that are refused. A setting with the same form
// leaves no notes. A setting that cannot be written otherwise is not written at all.
func PatchSettings[E any](p *Patch, e E, list []Setting[E], in Settings) {
	hasTools, notes := *in.HasTools, *in.Notes
	same := in.HadTools == hasTools && SameParams(&in.Body.Params, &in.Now)
	var params *callwright.Params
	var write func(E, *callwright.Params)
	render := func() { write(e, params) }
	for i := range list {
		s := &list[i]
		if same && (s.Refuses == nil || !in.Body.hasAny(s.Keys)) {
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
		if (same || bytes.Equal(after, before)) && (s.Refuses == nil || !s.Refuses(e, after)) {
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
