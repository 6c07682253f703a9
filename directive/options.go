package directive

import (
	"slices"
	"time"

	"github.com/callwright/callwright/caps"
)

// An Option changes how a [Client] works.
type Option func(*options)

type options struct {
	modes   []Mode
	correct bool
	limits  Limits
	shelf   caps.Store
	now     func() time.Time
}

// WithModes fixes the modes and their order. Without any they follow from the capabilities of the model.
func WithModes(modes ...Mode) Option {
	return func(o *options) { o.modes = slices.Clone(modes) }
}

// WithCorrection has the model asked again, once a turn, where directives of its answer were left out: it is told what is wrong with them
// and writes those again. The text of the answer and its other directives stay.
func WithCorrection() Option { return func(o *options) { o.correct = true } }

// WithLimits bounds what is taken of an answer.
func WithLimits(l Limits) Option { return func(o *options) { o.limits = l } }

// WithCapsStore keeps the facts that refusals teach in a store that others may share. The default is a store of the
// client's own.
func WithCapsStore(s caps.Store) Option { return func(o *options) { o.shelf = s } }

// WithClock sets the source of time, which is asked by many goroutines; the default is time.Now.
func WithClock(now func() time.Time) Option { return func(o *options) { o.now = now } }
