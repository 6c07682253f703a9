package health

// minutes is the length of the window of recent events, in minutes.
const minutes = 15

// A ring counts events by minute, over the last 15 minutes and in all. Minutes are Unix time divided by 60. An event
// with a minute before the latest counts in the latest minute.
type ring struct {
	last   int64 // the latest minute
	recent [minutes]uint32
	all    int64
}

func (r *ring) add(minute int64) {
	r.advance(minute)
	r.recent[r.last%minutes]++
	r.all++
}

// in returns the number of events in the 15 minutes up to and including the given minute.
func (r *ring) in(minute int64) (n int64) {
	r.advance(minute)
	for _, c := range r.recent {
		n += int64(c)
	}
	return n
}

// advance makes minute the latest minute and sets the counts before the window to 0. It does nothing for an earlier
// minute.
func (r *ring) advance(minute int64) {
	if minute-r.last >= minutes {
		r.recent, r.last = [minutes]uint32{}, minute
		return
	}
	for r.last < minute {
		r.last++
		r.recent[r.last%minutes] = 0
	}
}
