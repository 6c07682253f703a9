package promptcache

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// Member is the member that marks up to where a prompt is to be cached.
const Member = kit.CacheControl

// MaxMarks is how many marks a request may have: a further one is refused.
const MaxMarks = 4

// bytesPerToken is for an estimate of tokens from the bytes of JSON text, on the high side for most texts: a mark in a
// prompt that is too short to be cached changes nothing, a mark that is missing costs the whole price.
const bytesPerToken = 3

// A Form is where an API takes marks.
type Form uint8

const (
	// Blocks: in every kind of block of a message, in results too, but not inside them.
	Blocks Form = iota
	// Texts: in the parts of contents, which are texts, images and files, those of results too.
	Texts
)

// Marks are the marks of one request that is being written, nil for a request without any. They are for one goroutine.
type Marks struct {
	req   *callwright.Request
	own   kit.Own
	form  Form
	notes *kit.Notes
	least int // bytes of the shortest prompt that is cached, 0 where no marks are added

	takes bool           // the receiver takes marks
	wide  bool           // there is no room for the marks of tools
	may   kit.Once[bool] // what any says
	last  []byte         // the client's own mark for whatever comes last, nil without one
}

// New looks for the client's cache settings in a request that is to be written for a receiver with the known caps c.
func New(req *callwright.Request, c *caps.Caps, own kit.Own, form Form, notes *kit.Notes) *Marks {
	m := &Marks{req: req, own: own, form: form, notes: notes}
	m.takes = c.CacheControl == caps.Yes && req.Cache != callwright.CacheOff && !c.History.StringContent
	if !m.takes {
		return m
	}
	m.last = m.foreign(req.Extra)
	if isAuto(req) && c.CacheMin > 0 && !m.canClientMark() {
		m.least = c.CacheMin * bytesPerToken
	}
	return m
}

// isAuto reports whether settings are added that the client's API has no word for.
func isAuto(req *callwright.Request) bool {
	return req.Cache == "" || req.Cache == callwright.CacheAuto
}

// mine reports whether the request came over the API that it is written for.
func (m *Marks) mine() bool {
	return companion.Of(m.req).Wire() == callwright.WireName(m.own)
}

// canClientMark reports whether the client marks the cached parts, or could have: its API has marks.
func (m *Marks) canClientMark() bool {
	_, whole := jsonx.Find(m.req.Extra.JSON, Member)
	return whole || companion.Of(m.req).Wire() == callwright.WireAnthropic || m.any()
}

// any reports whether the request may have marks of the client's, in the form of whatever API.
func (m *Marks) any() bool {
	may, _ := m.may.Get(func() (bool, error) { return mayMark(m.req), nil })
	return may
}

func mayMark(req *callwright.Request) bool {
	if b := companion.Of(req).Body; b != nil {
		body := b.Bytes()
		return jsonx.Mentions(body, Member) && slices.ContainsFunc(markPaths, func(path []string) bool { return has(body, path) })
	}
	for i := range req.Tools {
		if has(req.Tools[i].Extra.JSON, []string{Member}) {
			return true
		}
	}
	for _, msg := range req.Messages {
		if has(msg.Extra.JSON, []string{Member}) || slices.ContainsFunc(msg.Parts, isMarked) {
			return true
		}
	}
	return false
}

// isMarked reports whether a part has a mark.
func isMarked(part callwright.Part) bool {
	r, _ := part.(callwright.Result)
	return has(extraOf(part).JSON, []string{Member}) || slices.ContainsFunc(r.Parts, isMarked)
}

// extraOf are the members of a part that only one API knows, of those that may have a mark.
func extraOf(part callwright.Part) callwright.Extra {
	switch p := part.(type) {
	case callwright.Text:
		return p.Extra
	case callwright.Image:
		return p.Extra
	case callwright.File:
		return p.Extra
	case callwright.Call:
		return p.Extra
	case callwright.Result:
		return p.Extra
	}
	return callwright.Extra{}
}

// Adds reports whether Add may add marks.
func (m *Marks) Adds() bool { return m.least > 0 || m.last != nil }

// Took names the members of the request that are written in another form, for [kit.Lost].
func (m *Marks) Took() []string {
	if m.last != nil {
		return []string{Member}
	}
	return nil
}

// CarriesTools reports whether the marks of tools are written: the condition of [Marks.OfTool], beside the tool.
func (m *Marks) CarriesTools() bool { return m != nil && m.takes && !m.wide }

// OfTool is the mark that a tool of another API has, nil where there is none to be written.
func (m *Marks) OfTool(t *callwright.Tool) []byte {
	if !m.CarriesTools() {
		return nil
	}
	return m.foreign(t.Extra)
}

// ToolMembers are the members of tools that are carried, for [kit.Notes.OfTool].
func (m *Marks) ToolMembers() []string {
	if !m.CarriesTools() {
		return nil
	}
	return []string{Member}
}

// foreign is the mark among the members of another API.
func (m *Marks) foreign(x callwright.Extra) []byte {
	if x.JSON == nil || x.Wire == callwright.WireName(m.own) {
		return nil
	}
	v, ok := jsonx.Find(x.JSON, Member)
	if !ok || jsonx.IsNull(v) {
		return nil
	}
	return v
}
