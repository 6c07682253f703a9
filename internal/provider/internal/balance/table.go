package balance

import (
	"sync"
	"time"

	"github.com/callwright/callwright"
)

// maxParts is the maximum number of parts in a Table. Clients choose the names of models.
const maxParts = 16384

// A Table is the state of the parts that Sets share: Sets of one provider with different settings, and Sets of
// successive configurations. The zero Table is empty. It is safe for concurrent use.
type Table struct {
	mu    sync.Mutex
	parts map[string]*part
	share sync.Once
	begin func(hear func(Cooldown)) (tell func(Cooldown)) // nil if cooldowns are not shared
	tell  func(Cooldown)
	now   func() time.Time // nil means time.Now
}

// A Cooldown is the cooldown of a part in the form in which gateways send it to one another.
type Cooldown struct {
	Part  string          `json:"part"` // a digest that reveals neither the key nor the host
	Kind  callwright.Kind `json:"kind"`
	Until time.Time       `json:"until"`
	// Stated reports whether the provider stated the end, so that a success does not end the cooldown.
	Stated bool `json:"stated,omitempty"`
}

// Share makes gateways share their cooldowns. Cooldowns of hosts without a stated end are not shared, since another
// gateway may reach the host. begin is called once, by Open or for the first provider. hear receives a cooldown from
// another gateway. tell is called with each cooldown that begins here, and must not block. Share must be called before
// the Table is used.
func (t *Table) Share(begin func(hear func(Cooldown)) (tell func(Cooldown))) { t.begin = begin }

// Open begins the sharing of cooldowns, if Share was called.
func (t *Table) Open() {
	t.share.Do(func() {
		if t.begin != nil {
			t.tell = t.begin(t.hear)
		}
	})
}

// hear applies a cooldown from another gateway.
func (t *Table) hear(c Cooldown) {
	if c.Part == "" {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.clock()
	if until := c.Until.UnixNano(); until > now {
		t.part(c.Part).cool(c.Kind, until, c.Stated, now)
	}
}

// Forgive ends the cooldowns without a stated end, since the operator may have corrected their cause.
func (t *Table) Forgive() {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.clock()
	for _, p := range t.parts {
		p.answer(now)
	}
}

// part returns the part with the given id, which it creates if needed. The caller holds the lock.
func (t *Table) part(id string) *part {
	if p := t.parts[id]; p != nil {
		return p
	}
	if len(t.parts) >= maxParts {
		now := t.clock()
		for other, p := range t.parts { // users of the part keep it, but no longer share it
			if p.timeLeft(now) == 0 && p.inFlight == 0 {
				delete(t.parts, other)
				break
			}
		}
	}
	if t.parts == nil {
		t.parts = map[string]*part{}
	}
	p := newPart(id)
	t.parts[id] = p
	return p
}

func (t *Table) clock() int64 {
	if t.now != nil {
		return t.now().UnixNano()
	}
	return time.Now().UnixNano()
}
