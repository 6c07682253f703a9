package eval

import "context"

// A Queue stores the cells of one run and their results. Implementations are safe for concurrent use. After Finish has
// returned nil, the result is stored even if the process is killed.
type Queue interface {
	// Open starts a run or continues an existing one, and returns the existing results. header identifies the plan. If the
	// existing run has another header, the error is of callwright.KindConflict.
	Open(ctx context.Context, header Header, cells []Cell) ([]Result, error)
	// Take returns a cell that is neither finished nor taken. ok is false if there is none left.
	Take(ctx context.Context) (c Cell, ok bool, err error)
	// Finish stores the result of a taken cell. It does nothing if the cell already has a result.
	Finish(ctx context.Context, r Result) error
}

// A Shared is a Queue that several processes work on. Take waits while other processes hold the remaining cells. After
// Open, Results returns the results of all finished cells from all processes, in any order.
type Shared interface {
	Queue
	Results(ctx context.Context) ([]Result, error)
}

// A Header identifies a run and its plan.
type Header struct {
	Version int    `json:"eval"` // version of the result format
	Build   string `json:"build"`
	Seed    uint64 `json:"seed"`
	Plan    string `json:"plan"` // hash of the plan: axes, scenarios, trials
	Cells   int    `json:"cells"`
	Live    bool   `json:"live"`
}
