package access

import "github.com/callwright/callwright"

// Spent is the use of one attempt of a request.
type Spent struct {
	Key, Group string // Key is "" if the gateway has no keys
	Model      callwright.ModelID
	Requests   int64 // 1 for the first attempt of a request that was answered, else 0
	Input      int64 // tokens, including cached ones
	Cached     int64
	Output     int64
	Nanos      int64 // cost in billionths of a US dollar
	Unpriced   int64 // tokens without a known price
}

// A Ledger records the use of requests. Add is called concurrently, once for each attempt that was answered, and must
// return quickly.
type Ledger interface{ Add(s Spent) }

// addToLedger records the use of an attempt in the ledger, if there is one. first is set for the first answered attempt
// of a request. cost is in billionths of a US dollar.
func (c *Caller) addToLedger(m callwright.ModelID, u callwright.Usage, cost int64, priced, first bool) {
	l := c.gate.ledger
	if l == nil {
		return
	}
	s := Spent{Key: c.Name, Group: c.key.Group, Model: m, Input: int64(u.Input), Cached: int64(u.CacheRead),
		Output: int64(u.Output), Nanos: cost}
	if first {
		s.Requests = 1
	}
	if !priced {
		s.Unpriced = s.Input + s.Output
	}
	l.Add(s)
}
