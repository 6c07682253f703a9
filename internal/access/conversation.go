package access

// A Conversation is how much one conversation of a client may use. 0 is as much as it likes.
type Conversation struct {
	Calls  int64   // of tools
	Tokens int64   // of input and output, cached ones too
	USD    float64 // by the prices of the gate
	// TellAt is the part of a bound at which the model is told, above 0 and below 1; 0 is [DefaultTellAt].
	TellAt float64
}

// DefaultTellAt is the part of a bound at which a model is told where nothing is said.
const DefaultTellAt = 0.8

// HasBounds reports whether there is any bound.
func (c *Conversation) HasBounds() bool { return c.Calls > 0 || c.Tokens > 0 || c.USD > 0 }

// Conversation returns the bounds of one conversation of the caller.
func (c *Caller) Conversation() Conversation { return c.key.Conversation }
