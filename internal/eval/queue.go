package eval

import "context"

// A Queue keeps the cells of one run and their results. Implementations are safe for concurrent use. A result for which
// Finish has returned nil is kept, even if the process is killed.
type Queue interface {
	// Open begins or continues with a run: header identifies its plan, and differs from that of a run that is there
	// already only by mistake, which is an error of callwright.KindConflict. It returns the results that are there.
	Open(ctx context.Context, header Header, cells []Cell) ([]Result, error)
	// Take gives a cell that nobody has finished and nobody holds. ok is false where there is none left.
	Take(ctx context.Context) (c Cell, ok bool, err error)
	// Finish keeps the result of a cell that was taken. A cell that is finished already stays as it is.
	Finish(ctx context.Context, r Result) error
}

// A Shared is a Queue whose run other processes work on, too: Take waits while they hold the cells that are left.
// Results returns the results of all cells that are finished, whoever finished them, in any order; it is called after
// Open.
type Shared interface {
	Queue
	Results(ctx context.Context) ([]Result, error)
}

// A Header identifies a run and its plan.
type Header struct {
	Version int    `json:"eval"` // of the form of results
	Build   string `json:"build"`
	Seed    uint64 `json:"seed"`
	Plan    string `json:"plan"` // a hash of the plan: axes, scenarios, trials
	Cells   int    `json:"cells"`
	Live    bool   `json:"live"`
}
