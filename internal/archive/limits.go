package archive

import (
	"cmp"
	"time"

	"github.com/callwright/callwright"
)

// Limits are the limits of the data of all owners together. A zero field means its default, a negative one no limit.
type Limits struct {
	Age   time.Duration // maximum age
	Bytes int64         // approximate maximum total size
	Count int           // maximum number of entries
}

// The default limits of answers and reports.
var (
	DefaultAnswers = Limits{Age: time.Hour, Bytes: 16 << 20, Count: 4096}
	DefaultReports = Limits{Age: 7 * 24 * time.Hour, Bytes: 8 << 20, Count: 1000}
)

// Or returns the limits with the values of other in place of zeros.
func (l Limits) Or(other Limits) Limits {
	return Limits{cmp.Or(l.Age, other.Age), cmp.Or(l.Bytes, other.Bytes), cmp.Or(l.Count, other.Count)}
}

// IsExceeded reports whether a number of entries and bytes is above the limits.
func (l Limits) IsExceeded(count int, bytes int64) bool {
	return l.Bytes >= 0 && bytes > l.Bytes || l.Count >= 0 && count > l.Count
}

// IsExpired reports whether data stored at the time kept has expired at now.
func (l Limits) IsExpired(kept, now time.Time) bool { return l.Age >= 0 && now.Sub(kept) >= l.Age }

// NotFound returns the error for an unknown key. subject is the kind of data, such as "report".
func NotFound(op, subject string, k Key) *callwright.Error {
	return callwright.Errorf(op, callwright.KindNotFound, "", "%s %q is not kept", subject, callwright.Excerpt(k.ID))
}

// TooLarge returns the error for data of size bytes above the limit.
func TooLarge(op string, size, limit int64) *callwright.Error {
	return callwright.Errorf(op, callwright.KindTooLarge, "", "expected at most %d bytes, got %d", limit, size)
}

// contextError wraps the error of a done context. It returns nil for nil.
func contextError(op string, err error) error {
	if err == nil {
		return nil
	}
	return &callwright.Error{Op: op, Kind: callwright.KindCanceled, Err: err}
}
