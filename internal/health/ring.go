package health

// minutes is the length of the window that counts as recent.
const minutes = 15

// A ring counts events by minute. The minute of a call may be any: one before the latest counts as the latest.
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

// in returns how many events there were in the window that ends with a minute.
func (r *ring) in(minute int64) (n int64) {
	r.advance(minute)
	for _, c := range r.recent {
		n += int64(c)
	}
	return n
}

// advance drops the counts that are older than the window.
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
