package access

// A Conversation is the limits of one conversation of a client. A limit of 0 is no limit.
type Conversation struct {
	Calls  int64   // tool calls
	Tokens int64   // tokens of input, including cached ones, and of output
	USD    float64 // US dollars by the prices of the gate
	// TellAt is the fraction of a limit at which the model is informed, above 0 and below 1. 0 means [DefaultTellAt].
	TellAt float64
}

// DefaultTellAt is the default fraction of a limit at which the model is informed.
const DefaultTellAt = 0.8

// HasBounds reports whether any limit is set.
func (c *Conversation) HasBounds() bool { return c.Calls > 0 || c.Tokens > 0 || c.USD > 0 }

// Conversation returns the limits of one conversation of the caller.
func (c *Caller) Conversation() Conversation { return c.key.Conversation }
