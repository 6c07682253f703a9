// Package companion has the state that packages of this module keep with a callwright.Request.
//
// Shallow copies of a request share its Companion, and requests are read by several goroutines. A Companion that is
// attached to a request is therefore never changed: [Change] and [With] attach a changed copy.
package companion

import (
	"net/http"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/constraint"
	"github.com/callwright/callwright/internal/progress"
)

// A Companion is the state that belongs to a request. The zero Companion is that of a request that a program built.
type Companion struct {
	// Body is the request as it came over a wire, nil for one that was built. Fields of the request that are set take
	// precedence over it: an encoder of the same wire writes the bytes of the body and replaces the members that
	// differ.
	Body Body
	// Edits are made on the encoded body, last of all: members the configuration adds, members a provider refused.
	Edits []callwright.Edit
	// Known replaces the capabilities that the model itself reports; nil leaves those. Encoders use it.
	Known *caps.Caps
	// ReportID is the id of the report that comes with the answer. An empty one is replaced by a new id.
	ReportID string
	// Owner names the one on whose behalf the request is made, such as by a key. State that is kept for one owner is
	// found for no other. It is compared and never shown; empty where there is only one.
	Owner string
	// Key is the name of the key with which the request came, "" without one, Group that of the key's group, "" for
	// none, and Header the header of its HTTP request, nil for one that came over no API. They are for call rules and
	// for records of the request. The Header has credentials: a record has no field of it but those that it names.
	Key    string
	Group  string
	Header http.Header
	// Earlier is the id of the answer that the request goes on from, where the body has the items of that conversation
	// in place of the id. Encoders of answers repeat it.
	Earlier string
	// OnSend is called with each body that was encoded for a provider, before it is sent. It is nil where nothing
	// observes the bytes, and must not keep or change them.
	OnSend func(body []byte)
	// HasFallback is set if another model is asked when this one fails: such a request does not wait long.
	HasFallback bool
	// Progress is the state of the request for those who wait for it; nil where nobody looks. Use [ProgressOf].
	Progress *progress.Progress
	// Asked records the key and the host that are asked, of a provider with several; nil records nothing.
	Asked *Target
	// Constraint is a constraint on the answer that the provider is sent in the form that its engine takes; nil for
	// none.
	Constraint *constraint.Constraint
	// Withheld are the names of tools that are offered to no model. A call of one is delivered under this name, whatever
	// the Choice, and the caller rejects it.
	Withheld []string
	// Notes begin the report of the request.
	Notes []callwright.Note
	// Tokens returns about how many tokens the request has for a model. It is nil where nobody counts, and is called
	// concurrently.
	Tokens func(m callwright.ModelID) int
	// AsksPerson is set for an agent, which asks a person about calls that call rules park: such calls are forwarded to
	// it.
	AsksPerson bool
}

// A Target is a key and a host by their names, each empty where the provider has one.
type Target struct{ Key, Host string }

// String returns "key A at HOST", or the part of it that is set. The name "key 2" gets no second "key".
func (t Target) String() string {
	key := t.Key
	if key != "" && !strings.HasPrefix(key, "key ") {
		key = "key " + key
	}
	if key == "" || t.Host == "" {
		return key + t.Host
	}
	return key + " at " + t.Host
}

// A Body is a request as bytes, indexed once and decoded on demand. Messages and Tools decode on first use and keep the
// result; callers do not change it. A Body is used by one request at a time, but may be shared by copies of it. Further
// abilities of a Body (decode one message, give the bytes of its tools) are found by assertion where they are used.
type Body interface {
	Wire() callwright.WireName
	Bytes() []byte
	// Summaries is the shape of the history, without its contents.
	Summaries() []callwright.Summary
	Messages() ([]callwright.Message, error)
	Tools() ([]callwright.Tool, error)
}

var _ callwright.Attachment = (*Companion)(nil)

// Wire is the wire of the Body, "" without one.
func (c Companion) Wire() callwright.WireName {
	if c.Body == nil {
		return ""
	}
	return c.Body.Wire()
}

// Bytes are those of the Body, nil without one.
func (c Companion) Bytes() []byte {
	if c.Body == nil {
		return nil
	}
	return c.Body.Bytes()
}

// Summaries are those of the Body, nil without one.
func (c Companion) Summaries() []callwright.Summary {
	if c.Body == nil {
		return nil
	}
	return c.Body.Summaries()
}

// Messages are those of the Body, nil without one.
func (c Companion) Messages() ([]callwright.Message, error) {
	if c.Body == nil {
		return nil, nil
	}
	return c.Body.Messages()
}

// Tools are those of the Body, nil without one.
func (c Companion) Tools() ([]callwright.Tool, error) {
	if c.Body == nil {
		return nil, nil
	}
	return c.Body.Tools()
}

// Of returns the companion of a request, the zero Companion for a request without one. It is a copy: fields that are
// set in it and elements that are appended to its lists change no request. The elements themselves are shared and not
// written to.
func Of(req *callwright.Request) (c Companion) {
	if attached, ok := req.Attached.(*Companion); ok {
		c = *attached
		c.Edits, c.Withheld = slices.Clip(c.Edits), slices.Clip(c.Withheld)
	}
	return c
}

// ProgressOf returns the Progress of a request, nil where it has none.
func ProgressOf(req *callwright.Request) *progress.Progress {
	if attached, ok := req.Attached.(*Companion); ok {
		return attached.Progress
	}
	return nil
}

// Change attaches a copy of its companion to req, as by [Of], changed by change. Other requests that share the earlier
// companion keep it.
func Change(req *callwright.Request, change func(*Companion)) {
	c := Of(req)
	change(&c)
	req.Attached = &c
}

// Edit changes the companion of a request that nobody else has yet, in place where there is one.
func Edit(req *callwright.Request, change func(*Companion)) {
	if c, ok := req.Attached.(*Companion); ok {
		change(c)
		return
	}
	Change(req, change)
}

// With returns a shallow copy of req whose companion is changed by change, as by Change. It allocates once.
func With(req *callwright.Request, change func(*Companion)) *callwright.Request {
	return new(Variant).Make(req, change)
}

// NewRequest returns a request that came as body, with no field set.
func NewRequest(body Body) *callwright.Request {
	return With(&callwright.Request{}, func(c *Companion) { c.Body = body })
}

// A Variant is memory for a request and its companion, for use inside a larger structure.
type Variant struct {
	request   callwright.Request
	companion Companion
}

// Make is With in the memory of v, which must be zero.
func (v *Variant) Make(req *callwright.Request, change func(*Companion)) *callwright.Request {
	v.request, v.companion = *req, Of(req)
	change(&v.companion)
	v.request.Attached = &v.companion
	return &v.request
}
