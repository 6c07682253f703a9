package directive

import (
	"slices"
	"time"

	"github.com/callwright/callwright/caps"
)

// An Option changes how a [Client] works.
type Option func(*options)

type options struct {
	modes     []Mode
	correct   bool
	limits    Limits
	capsStore caps.Store
	now       func() time.Time
}

// WithModes fixes the modes and their order. Without any they follow from the capabilities of the model.
func WithModes(modes ...Mode) Option {
	return func(o *options) { o.modes = slices.Clone(modes) }
}

// WithCorrection enables self-correction, once a turn, where directives of an answer were left out: the model gets
// their violations and writes those directives again. The text of the answer and its other directives stay.
func WithCorrection() Option { return func(o *options) { o.correct = true } }

// WithLimits bounds the parts of an answer that are read.
func WithLimits(l Limits) Option { return func(o *options) { o.limits = l } }

// WithCapsStore keeps the facts that refusals teach in a store that others may share. The default is a store of the
// client's own.
func WithCapsStore(s caps.Store) Option { return func(o *options) { o.capsStore = s } }

// WithClock sets the source of time, which is asked by many goroutines; the default is time.Now.
func WithClock(now func() time.Time) Option { return func(o *options) { o.now = now } }
