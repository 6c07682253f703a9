// Package companion contains internal data that packages of this module attach to a callwright.Request.
//
// Shallow copies of a request share one Companion, and several goroutines may read them. Therefore an attached
// Companion must not be changed: [Change] and [With] attach a changed copy.
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

// A Companion is the data attached to a request. The zero Companion belongs to a request that was built by a program.
type Companion struct {
	// Body is the request body received over an API; nil for a request that was built by a program. Fields set in the
	// Request take precedence over the Body. An encoder for the same API writes the bytes of the Body and replaces only
	// the members that differ.
	Body Body
	// Edits are applied last to the encoded body. They add members that the configuration requires and remove members that
	// the provider rejected.
	Edits []callwright.Edit
	// Known replaces the capabilities reported by the model when the request is encoded. Nil means no replacement.
	Known *caps.Caps
	// ReportID is the ID of the report of the request. If it is empty, a new ID is generated.
	ReportID string
	// Owner identifies the user or key that sent the request. Saved state of one owner is never returned to another. It is
	// only compared, never displayed. It is empty if there is only one owner.
	Owner string
	// Key is the name of the API key of the request, and Group the name of the key's group; "" for none. Header is the
	// header of the HTTP request; nil for a request that was not received over HTTP. They are used by call rules and in
	// records. Header contains credentials: a record may contain only header fields that the operator configured.
	Key    string
	Group  string
	Header http.Header
	// Earlier is the ID of the previous response that the client refers to (previous_response_id), if Body already
	// contains the items of that conversation instead. Encoders write it into the response.
	Earlier string
	// OnSend is called with each encoded body before it is sent to a provider. It must not retain or change body. It may
	// be nil.
	OnSend func(body []byte)
	// HasFallback is set if another model is requested after a failure. Such a request does not wait long before it fails.
	HasFallback bool
	// Progress is updated while the request is processed; nil disables this. Use [ProgressOf] to read it.
	Progress *progress.Progress
	// Asked receives the names of the key and the host that are used, if the provider has several. It may be nil.
	Asked *Target
	// Constraint is a constraint on the answer, sent to the provider in the syntax of its inference engine; nil for none.
	Constraint *constraint.Constraint
	// Withheld contains names of tools that are not sent to the model. If the model calls such a tool, the call is decoded
	// under this name, whatever the tool choice, and the caller rejects it.
	Withheld []string
	// Notes are the first notes of the report.
	Notes []callwright.Note
	// Tokens estimates the number of tokens of the request for a model. It is called concurrently. It may be nil.
	Tokens func(m callwright.ModelID) int
	// CanAskPerson is set by an agent, which asks a person for approval of calls. Calls for which a call rule requires
	// approval are then sent to the agent instead of being rejected.
	CanAskPerson bool
}

// A Target contains the names of an API key and a host of a provider. A name is empty if the provider has only one.
type Target struct{ Key, Host string }

// String returns "key A at HOST", or one part if only one is set. A name that begins with "key " is not prefixed by
// another "key ".
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

// A Body is the encoded body of a request, decoded on demand. Messages and Tools decode on the first call and return
// the same slices later; callers must not change them. A Body may be shared by copies of a request, but not used
// concurrently. Further methods, such as one that decodes a single message, are found by type assertion.
type Body interface {
	Wire() callwright.WireName
	Bytes() []byte
	// Summaries describes the messages of the history without their contents.
	Summaries() []callwright.Summary
	Messages() ([]callwright.Message, error)
	Tools() ([]callwright.Tool, error)
}

var _ callwright.Attachment = (*Companion)(nil)

// Wire returns the API of the Body, or "" if there is none.
func (c Companion) Wire() callwright.WireName {
	if c.Body == nil {
		return ""
	}
	return c.Body.Wire()
}

// Bytes returns the bytes of the Body, or nil if there is none.
func (c Companion) Bytes() []byte {
	if c.Body == nil {
		return nil
	}
	return c.Body.Bytes()
}

// Summaries returns the summaries of the Body, or nil if there is none.
func (c Companion) Summaries() []callwright.Summary {
	if c.Body == nil {
		return nil
	}
	return c.Body.Summaries()
}

// Messages returns the messages of the Body, or nil if there is none.
func (c Companion) Messages() ([]callwright.Message, error) {
	if c.Body == nil {
		return nil, nil
	}
	return c.Body.Messages()
}

// Tools returns the tools of the Body, or nil if there is none.
func (c Companion) Tools() ([]callwright.Tool, error) {
	if c.Body == nil {
		return nil, nil
	}
	return c.Body.Tools()
}

// Of returns a copy of the companion of a request, or the zero Companion if there is none. The caller may set fields of
// the copy and append to its slices. It must not change existing slice elements, which are shared.
func Of(req *callwright.Request) (c Companion) {
	if attached, ok := req.Attached.(*Companion); ok {
		c = *attached
		c.Edits, c.Withheld = slices.Clip(c.Edits), slices.Clip(c.Withheld)
	}
	return c
}

// ProgressOf returns the Progress of a request, or nil if there is none.
func ProgressOf(req *callwright.Request) *progress.Progress {
	if attached, ok := req.Attached.(*Companion); ok {
		return attached.Progress
	}
	return nil
}

// Change calls change with a copy of the companion of req and attaches the copy to req. Other requests that share the
// previous companion are not changed.
func Change(req *callwright.Request, change func(*Companion)) {
	c := Of(req)
	change(&c)
	req.Attached = &c
}

// Edit calls change with the companion of req itself. No other request may share this companion.
func Edit(req *callwright.Request, change func(*Companion)) {
	if c, ok := req.Attached.(*Companion); ok {
		change(c)
		return
	}
	Change(req, change)
}

// With returns a shallow copy of req with a changed copy of its companion. It allocates once.
func With(req *callwright.Request, change func(*Companion)) *callwright.Request {
	return new(Variant).Make(req, change)
}

// NewRequest returns a request with a body and no other field set.
func NewRequest(body Body) *callwright.Request {
	return With(&callwright.Request{}, func(c *Companion) { c.Body = body })
}

// A Variant is memory for a request and its companion. A larger structure can embed it to save an allocation.
type Variant struct {
	request   callwright.Request
	companion Companion
}

// Make is like With but returns a request in the memory of v, which must be zero.
func (v *Variant) Make(req *callwright.Request, change func(*Companion)) *callwright.Request {
	v.request, v.companion = *req, Of(req)
	change(&v.companion)
	v.request.Attached = &v.companion
	return &v.request
}
