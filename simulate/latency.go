package simulate

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Latency is how long a model takes: until its first token, and for each further one. An event of a stream is a token;
// so are four bytes of a whole answer.
type Latency struct {
	First, Token time.Duration
	// Jitter is the part by which each time is longer or shorter at most, drawn by the seed of [Mixed].
	Jitter float64
}

// maxLatency bounds each time of a latency that is read.
const maxLatency = time.Hour

// ParseLatency reads "first=200ms,token=10ms,jitter=0.2". An absent value is 0.
func ParseLatency(text string) (Latency, error) {
	var l Latency
	for part := range strings.SplitSeq(text, ",") {
		key, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		var err error
		switch key {
		case "first":
			l.First, err = time.ParseDuration(value)
		case "token":
			l.Token, err = time.ParseDuration(value)
		case "jitter":
			l.Jitter, err = strconv.ParseFloat(value, 64)
		default:
			err = fmt.Errorf("expected first, token or jitter, got %q", key)
		}
		switch {
		case err != nil:
		case l.First < 0 || l.First > maxLatency || l.Token < 0 || l.Token > maxLatency:
			err = fmt.Errorf("%s: expected a time from 0 to %s, got %s", key, maxLatency, value)
		case !isShare(l.Jitter):
			err = fmt.Errorf("jitter: expected a number from 0 to 1, got %s", value)
		}
		if err != nil {
			return Latency{}, fmt.Errorf("latency: %w", err)
		}
	}
	return l, nil
}

// Slow makes the server take its time.
func Slow(l Latency) Option { return func(s *Server) { s.latency = l } }

// firstPlace is where the draws of times begin, behind those of faults.
const firstPlace = 1 << 16

// sleep waits for a time with its jitter; it is false when the client went away.
func (l Latency) sleep(ctx context.Context, d time.Duration, c chance, place int) bool {
	d += time.Duration(float64(d) * l.Jitter * (2*c.at(firstPlace+uint64(place)) - 1))
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
