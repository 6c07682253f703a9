package promptcache

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// Member is the name of a cache mark: a member of a tool or of a content block, up to which the prompt is to be cached.
const Member = kit.CacheControl

// MaxMarks is the greatest number of cache marks in a request. The provider rejects a request with more.
const MaxMarks = 4

// bytesPerToken is the number of bytes of JSON per token for an estimate of the prompt's length. It is low on purpose:
// a cache mark in a prompt that is too short has no effect, but a missing mark costs the full price.
const bytesPerToken = 3

// A Form tells which parts of a message may have a cache mark in an API.
type Form uint8

const (
	// Blocks allows a mark on every type of block, including tool results, but not on parts inside a tool result.
	Blocks Form = iota
	// Texts allows a mark on texts, images and files, also on those inside a tool result.
	Texts
)

// Marks converts, adds and counts the cache marks of one request during its encoding. ConvertHistory and the methods
// for tools treat a nil *Marks as a request without cache marks. Not safe for concurrent use.
type Marks struct {
	req   *callwright.Request
	own   kit.API
	form  Form
	notes *kit.Notes
	least int // size in bytes of the shortest prompt that is cached, 0 if no marks are to be added

	takes         bool           // the provider accepts marks
	dropToolMarks bool           // marks of tools are dropped, as there would be too many marks
	may           kit.Once[bool] // the result of any
	last          []byte         // the client's mark for the end of the prompt, a top-level request member; nil for none
}

// New returns the Marks of req for a provider with the capabilities c. own is the provider's API, form its Form.
func New(req *callwright.Request, c *caps.Caps, own kit.API, form Form, notes *kit.Notes) *Marks {
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

// isAuto reports whether cache settings may be added to the request: req.Cache is auto or not set.
func isAuto(req *callwright.Request) bool {
	return req.Cache == "" || req.Cache == callwright.CacheAuto
}

// isSameAPI reports whether the client's request came over the provider's API.
func (m *Marks) isSameAPI() bool {
	return companion.Of(m.req).Wire() == callwright.WireName(m.own)
}

// canClientMark reports whether the request has a cache mark, or the client's API has them.
func (m *Marks) canClientMark() bool {
	_, whole := jsonx.Find(m.req.Extra.JSON, Member)
	return whole || companion.Of(m.req).Wire() == callwright.WireAnthropic || m.any()
}

// any reports whether the request may have a cache mark of any API.
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

// isMarked reports whether a part has a cache mark, or a part inside a tool result has one.
func isMarked(part callwright.Part) bool {
	r, _ := part.(callwright.Result)
	return has(extraOf(part).JSON, []string{Member}) || slices.ContainsFunc(r.Parts, isMarked)
}

// extraOf returns the Extra of a part that may have a cache mark, the zero Extra for other parts.
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

// Adds reports whether Marks.Add may add cache marks.
func (m *Marks) Adds() bool { return m.least > 0 || m.last != nil }

// ConvertedMembers returns the names of the request members that Marks converts, for the parameter carried of
// [kit.NoteLostMembers].
func (m *Marks) ConvertedMembers() []string {
	if m.last != nil {
		return []string{Member}
	}
	return nil
}

// CarriesTools reports whether cache marks of tools are converted, so that [Marks.OfTool] may return one.
func (m *Marks) CarriesTools() bool { return m != nil && m.takes && !m.dropToolMarks }

// OfTool returns the JSON value of the cache mark that t has from another API, nil if t has none or the mark is
// dropped.
func (m *Marks) OfTool(t *callwright.Tool) []byte {
	if !m.CarriesTools() {
		return nil
	}
	return m.foreign(t.Extra)
}

// ToolMembers returns the names of the tool members that Marks converts, for the parameter carried of
// [kit.Notes.OfTool].
func (m *Marks) ToolMembers() []string {
	if !m.CarriesTools() {
		return nil
	}
	return []string{Member}
}

// foreign returns the JSON value of the cache mark in x, nil if there is none or x is of the provider's API.
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
