package access

import "github.com/callwright/callwright"

// Spent is the use of one attempt of a request.
type Spent struct {
	Key, Group string // Key is empty where there are no keys
	Model      callwright.ModelID
	Requests   int64 // 1 for the first answered attempt of a request, else 0
	Input      int64 // tokens, with those cached
	Cached     int64
	Output     int64
	Nanos      int64 // of a US dollar: 1e9 are one
	Unpriced   int64 // tokens whose price is not known
}

// A Ledger keeps the use of requests. Add is called concurrently, once for each answered attempt, and returns at once.
type Ledger interface{ Add(s Spent) }

// addToLedger adds the use of an attempt to the ledger.
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
