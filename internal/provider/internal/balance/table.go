package balance

import (
	"sync"
	"time"

	"github.com/callwright/callwright"
)

// maxParts bounds a Table: the names of models come from clients.
const maxParts = 16384

// A Table has the state of the parts that Sets share: Sets of one provider with several settings, and Sets of
// successive configurations. The zero Table is empty. It is safe for concurrent use.
type Table struct {
	mu    sync.Mutex
	parts map[string]*part
	share sync.Once
	begin func(hear func(Cooldown)) (tell func(Cooldown)) // nil where nothing is shared
	tell  func(Cooldown)
	now   func() time.Time // nil is time.Now
}

// A Cooldown is the time in which a part is avoided, as gateways tell it to one another.
type Cooldown struct {
	Part  string          `json:"part"` // a digest, which names neither the key nor the host
	Kind  callwright.Kind `json:"kind"`
	Until time.Time       `json:"until"`
	// Stated is set if the provider stated the time: an answer does not end the cooldown.
	Stated bool `json:"stated,omitempty"`
}

// Share makes gateways share their cooldowns, except those of hosts without a stated time: another gateway may reach
// the host. begin is called once, by Open or for the first provider. hear takes a cooldown that another gateway began.
// tell is called with each cooldown that begins here, and must not block. Share is called before the Table is used.
func (t *Table) Share(begin func(hear func(Cooldown)) (tell func(Cooldown))) { t.begin = begin }

// Open begins to share cooldowns, before the first provider is used.
func (t *Table) Open() {
	t.share.Do(func() {
		if t.begin != nil {
			t.tell = t.begin(t.hear)
		}
	})
}

// hear takes a cooldown that another gateway began.
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

// Forgive ends the cooldowns without a stated time: the operator may have corrected their cause.
func (t *Table) Forgive() {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.clock()
	for _, p := range t.parts {
		p.answer(now)
	}
}

// part returns the part of an id, the same one each time. The lock is held.
func (t *Table) part(id string) *part {
	if p := t.parts[id]; p != nil {
		return p
	}
	if len(t.parts) >= maxParts {
		now := t.clock()
		for other, p := range t.parts { // who has it keeps it, and only shares it no more
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
