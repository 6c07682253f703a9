package evalcmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/callwright/callwright/cmd/callwright/internal/state"
	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/eval/filequeue"
)

// OnNATS is the prefix of a --state value that names a run on NATS. Any other value is a folder.
const OnNATS = "nats:"

// queue opens the queue of a --state value; q is nil if it is empty. The caller must call done.
func (in Input) queue(ctx context.Context, config, named string) (q eval.Queue, done func(), err error) {
	if named == "" {
		return nil, func() {}, nil
	}
	if name, ok := strings.CutPrefix(named, OnNATS); ok {
		kept, err := in.openSharedState(ctx, config, named)
		if err != nil {
			return nil, nil, err
		}
		queue := kept.Queue(name)
		return queue, func() {
			_ = queue.Close() // on error other workers wait for the lease to expire
			_ = kept.Close()
		}, nil
	}
	queue, err := filequeue.Open(named)
	if err != nil {
		return nil, nil, in.Misuse(fmt.Errorf("--state: %w", err))
	}
	return queue, func() { _ = queue.Close() }, nil // finished results are on disk
}

// openSharedState opens the NATS state of a configuration for a run. The caller must close it.
func (in Input) openSharedState(ctx context.Context, config, named string) (*state.State, error) {
	conf, _, err := in.Config(ctx, config)
	if err != nil {
		return nil, err
	}
	switch {
	case named == OnNATS:
		return nil, in.Misuse(errors.New(named + ": expected a name after it, such as " + OnNATS + "nightly"))
	case conf.State.NATS.URL == "":
		return nil, in.Misuse(errors.New(named + ": the configuration has no state.nats"))
	}
	return in.State(ctx, conf)
}

// results reads the results of an evaluation run by its --state value.
func (in Input) results(ctx context.Context, config, named string) (eval.Header, []eval.Result, error) {
	name, ok := strings.CutPrefix(named, OnNATS)
	if !ok {
		return filequeue.Read(named)
	}
	kept, err := in.openSharedState(ctx, config, named)
	if err != nil {
		return eval.Header{}, nil, err
	}
	defer func() { _ = kept.Close() }()
	return kept.MeasurementResults(ctx, name)
}

// isRun reports whether a name is the --state value of a run, in contrast to a file.
func isRun(named string) (bool, error) {
	if strings.HasPrefix(named, OnNATS) {
		return true, nil
	}
	info, err := os.Stat(named)
	return err == nil && info.IsDir(), err
}
