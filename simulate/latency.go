package simulate

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Latency is the simulated duration of a response: First until the first token, and Token for each further one. One
// event of a stream counts as a token, and so do four bytes of a response that is not streamed.
type Latency struct {
	First, Token time.Duration
	// Jitter is the maximum relative deviation of each duration, such as 0.2 for 20 %. It is drawn with the seed of
	// [WithMix].
	Jitter float64
}

// maxLatency is the maximum of each duration in the text for ParseLatency.
const maxLatency = time.Hour

// ParseLatency parses "first=200ms,token=10ms,jitter=0.2". A missing value is 0.
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

// Slow makes a server delay its responses by a Latency.
func Slow(l Latency) Option { return func(s *Server) { s.latency = l } }

// firstPlace is the first index that latencies pass to chance.at; lower ones draw faults.
const firstPlace = 1 << 16

// sleep waits for d with jitter. It returns false if ctx is done first. place is the index of the random number.
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
