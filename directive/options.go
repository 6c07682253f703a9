package directive

import (
	"slices"
	"time"

	"github.com/callwright/callwright/caps"
)

// An Option configures a [Client].
type Option func(*options)

type options struct {
	modes     []Mode
	correct   bool
	limits    Limits
	capsStore caps.Store
	now       func() time.Time
}

// WithModes sets the modes and their order. Without modes, the model's capabilities determine them.
func WithModes(modes ...Mode) Option {
	return func(o *options) { o.modes = slices.Clone(modes) }
}

// WithCorrection enables one self-correction for each turn. If directives were dropped, the model gets their
// violations and rewrites them. The text and the valid directives are kept.
func WithCorrection() Option { return func(o *options) { o.correct = true } }

// WithLimits sets the size limits of a response.
func WithLimits(l Limits) Option { return func(o *options) { o.limits = l } }

// WithCapsStore sets the store of facts learned from rejections, which clients may share. The default is a store for
// this client.
func WithCapsStore(s caps.Store) Option { return func(o *options) { o.capsStore = s } }

// WithClock sets the source of the current time. now must be safe for concurrent use. The default is time.Now.
func WithClock(now func() time.Time) Option { return func(o *options) { o.now = now } }
