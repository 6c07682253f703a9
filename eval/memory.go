package eval

// NewMemory is a Queue in memory, for tests and for runs that need not outlive the program.
func NewMemory() *Memory { return &Memory{} }

// A Memory is a Queue in memory. Use [NewMemory].
type Memory struct{}
