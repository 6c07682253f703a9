package archive

import (
	"cmp"
	"time"

	"github.com/callwright/callwright"
)

// Limits bound the data of all owners together. A zero member stands for its default; a negative one is no bound.
type Limits struct {
	Age   time.Duration // how long something is kept
	Bytes int64         // about how many bytes all of it may take
	Count int
}

// The bounds where Limits say nothing else.
var (
	DefaultAnswers = Limits{Age: time.Hour, Bytes: 16 << 20, Count: 4096}
	DefaultReports = Limits{Age: 7 * 24 * time.Hour, Bytes: 8 << 20, Count: 1000}
)

// Or is the limits with those of another in place of zeros.
func (l Limits) Or(other Limits) Limits {
	return Limits{cmp.Or(l.Age, other.Age), cmp.Or(l.Bytes, other.Bytes), cmp.Or(l.Count, other.Count)}
}

// IsExceeded reports whether so much is more than may be kept.
func (l Limits) IsExceeded(count int, bytes int64) bool {
	return l.Bytes >= 0 && bytes > l.Bytes || l.Count >= 0 && count > l.Count
}

// IsExpired reports whether data kept at a time has expired at now.
func (l Limits) IsExpired(kept, now time.Time) bool { return l.Age >= 0 && now.Sub(kept) >= l.Age }

// NotFound is the error for an unknown key of a kind of data, such as "report".
func NotFound(op, what string, k Key) *callwright.Error {
	return callwright.Errorf(op, callwright.KindNotFound, "", "%s %q is not kept", what, callwright.Excerpt(k.ID))
}

// TooLarge is the error for data larger than the bound of all.
func TooLarge(op string, size, limit int64) *callwright.Error {
	return callwright.Errorf(op, callwright.KindTooLarge, "", "expected at most %d bytes, got %d", limit, size)
}

// contextError is the error of a context that has ended, else nil.
func contextError(op string, err error) error {
	if err == nil {
		return nil
	}
	return &callwright.Error{Op: op, Kind: callwright.KindCanceled, Err: err}
}
