package access

import (
	"context"
	"time"

	"github.com/callwright/callwright"
)

// Counters count use in windows of time, for several gateways at once. A gateway does not ask for each request: it
// takes a part of a window's remaining limit, uses it on its own, and gives the rest back. So no limit is passed, and
// at most the unused parts of the gateways, a small part of the limit each, are wasted. Use beyond the taken part, such
// as the tokens of a long answer, is added afterwards.
//
// All methods are safe for concurrent use and atomic: of calls at the same time, from any number of processes, each
// sees the count that the others leave. Errors are [*callwright.Error]: KindInvalid of a window that [Window.Validate]
// refuses and of invalid amounts, KindCanceled of a context that has ended, KindUnavailable where the counts are not
// known. Where an error is returned nothing was counted, or it is not known whether it was: callers use nothing of it,
// and repeat changes that they have to make.
//
// Counters that lose the counts for a time may continue alone, where they know the last counts and the number of
// callers in other processes among which the rest is divided: all of them together stay within the limit.
type Counters interface {
	// Take counts as much of n as keeps the window's count within its limit, in its last part, and returns the amount: n,
	// or the rest of the limit. The amount is at least least: if less than that is left, Take counts nothing and returns
	// 0. 1 <= least <= n. See [Tally.Take].
	Take(ctx context.Context, w Window, least, n int64) (taken int64, err error)
	// Add adds changes to the count, whatever the limit is. Use is positive. A returned amount is negative, and is in the
	// part in which it was taken. See [Tally.Add]. Add does not keep changes.
	Add(ctx context.Context, w Window, changes Tally) error
	// Count returns the counts of the window, an empty Tally if there are none. The caller owns it.
	Count(ctx context.Context, w Window) (Tally, error)
}

// A Window is a time in which something is counted. Start and End are by the caller's clock: an implementation only
// forgets by them. It keeps a count until End at least and may keep it for some time afterwards; adding to a window
// that it has forgotten is no error.
//
// A window that stands, such as a day, is one with others of the same Name and Start. A window that moves, such as a
// minute up to now, is the last so many parts of a time that is counted in parts: those of the same Name and Part have
// one count for each part, and a window's is the sum from its Start on. The limit is not a part of either: it may
// differ from call to call, as after a change of the configuration.
type Window struct {
	// Name identifies the counted quantity and its owner: at least one byte and at most MaxWindowName bytes of UTF-8.
	// Upper and lower case differ.
	Name       string
	Start, End time.Time
	// Part is how long the parts are of a window that moves, 0 for one that stands. The window begins at a multiple of
	// it, and has at most MaxParts of them.
	Part  time.Duration
	Limit int64 // at least 0
}

// Last returns the begin of the last part of the window, in which present use counts.
func (w Window) Last() time.Time {
	if w.Part == 0 {
		return w.Start
	}
	return w.End.Add(-w.Part)
}

// MaxParts bounds the parts of a window that moves.
const MaxParts = 100

// MaxWindowName bounds the bytes of a window's name.
const MaxWindowName = 512

// Validate returns an error of KindInvalid for a window without a name, a time or a limit.
func (w Window) Validate() error {
	switch {
	case w.Name == "" || len(w.Name) > MaxWindowName:
		return callwright.Errorf("access.count", callwright.KindInvalid, "",
			"expected a window's name of 1 to %d bytes, got %d", MaxWindowName, len(w.Name))
	case w.Start.IsZero() || !w.End.After(w.Start):
		return callwright.Errorf("access.count", callwright.KindInvalid, "",
			"expected a window that ends after its start, got %v to %v", w.Start, w.End)
	case w.Part < 0 || w.Part > 0 && (w.Start.UnixNano()%int64(w.Part) != 0 || w.End.Sub(w.Start)%w.Part != 0 ||
		w.End.Sub(w.Start) > MaxParts*w.Part):
		return callwright.Errorf("access.count", callwright.KindInvalid, "",
			"expected a window of at most %d whole parts of %v, got %v to %v", MaxParts, w.Part, w.Start, w.End)
	case w.Limit < 0:
		return callwright.Errorf("access.count", callwright.KindInvalid, "", "expected a limit from 0, got %d", w.Limit)
	}
	return nil
}

// ValidateTake is [Window.Validate] for the arguments of Take.
func ValidateTake(w Window, least, n int64) error {
	if least < 1 || n < least {
		return callwright.Errorf("access.count", callwright.KindInvalid, "", "expected 1 <= least <= n, got least %d and n %d", least, n)
	}
	return w.Validate()
}
