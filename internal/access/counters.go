package access

import (
	"context"
	"time"

	"github.com/callwright/callwright"
)

// Counters count use in time windows for several gateways together. A gateway does not call them for each request. It
// takes a share of a window's remaining limit, uses the share on its own, and gives the rest back. The limit is thus
// never exceeded, and at most the unused shares of the gateways, a small part of the limit each, are wasted. Use beyond
// the share, such as the tokens of a long response, is added afterwards.
//
// All methods are safe for concurrent use, and atomic across any number of processes. Errors are [*callwright.Error]:
// KindInvalid for invalid amounts and for a window that [Window.Validate] rejects, KindCanceled if the context has
// ended, and KindUnavailable if the counts are unknown. After an error it may be unknown whether the amount was
// counted. Callers must then use nothing of it, and repeat changes that they must make.
//
// Counters that temporarily lose access to the counts may continue alone if they know the last counts and the number of
// other processes. They divide the rest of the limit among the processes, so that all together stay within the limit.
type Counters interface {
	// Take counts an amount of at most n in the last part of the window, so that its count stays within the limit, and
	// returns it: n, or the rest of the limit. If the rest is below the minimum least, Take counts nothing and returns 0.
	// 1 <= least <= n. See [Tally.Take].
	Take(ctx context.Context, w Window, least, n int64) (taken int64, err error)
	// Add adds changes to the count, regardless of the limit. Use is positive. A returned amount is negative, and is in
	// the part of the window in which it was taken. See [Tally.Add]. Add does not retain changes.
	Add(ctx context.Context, w Window, changes Tally) error
	// Count returns the counts of the window, or an empty Tally if there are none. The caller owns the result.
	Count(ctx context.Context, w Window) (Tally, error)
}

// A Window is a time span in which something is counted. Start and End are by the caller's clock, and an implementation
// uses them only to delete counts. It keeps a count at least until End. Adding to a window whose count was deleted is
// not an error.
//
// A fixed window, such as a day, has the same count as all windows of the same Name and Start. A sliding window, such
// as the last minute, consists of parts of the length Part. Windows of the same Name and Part share one count for each
// part, and the count of a window is the sum of its parts. The limit does not identify a window. It may differ between
// calls, for example after a change of the configuration.
type Window struct {
	// Name identifies the counted quantity and its owner: 1 to MaxWindowName bytes of UTF-8. It is case-sensitive.
	Name       string
	Start, End time.Time
	// Part is the length of the parts of a sliding window, 0 for a fixed window. Start is a multiple of Part, and the
	// window has at most MaxParts parts.
	Part  time.Duration
	Limit int64 // at least 0
}

// Last returns the start of the last part of the window, in which present use is counted.
func (w Window) Last() time.Time {
	if w.Part == 0 {
		return w.Start
	}
	return w.End.Add(-w.Part)
}

// MaxParts is the maximum number of parts of a sliding window.
const MaxParts = 100

// MaxWindowName is the maximum length of a window's name in bytes.
const MaxWindowName = 512

// Validate returns an error of KindInvalid if the name, the times or the limit of the window are invalid.
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

// ValidateTake returns an error of KindInvalid if the arguments of Take are invalid.
func ValidateTake(w Window, least, n int64) error {
	if least < 1 || n < least {
		return callwright.Errorf("access.count", callwright.KindInvalid, "", "expected 1 <= least <= n, got least %d and n %d", least, n)
	}
	return w.Validate()
}
