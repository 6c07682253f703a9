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

// OnNATS is how --state names a run on NATS: by a name behind it. Any other name is that of a folder.
const OnNATS = "nats:"

// queue opens the queue that --state names, nil for none. The caller calls done.
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
			_ = queue.Close() // else others wait a moment
			_ = kept.Close()
		}, nil
	}
	queue, err := filequeue.Open(named)
	if err != nil {
		return nil, nil, in.Misuse(fmt.Errorf("--state: %w", err))
	}
	return queue, func() { _ = queue.Close() }, nil // what is finished is on disk
}

// openSharedState opens the NATS of a configuration, on which a run is. The caller closes it.
func (in Input) openSharedState(ctx context.Context, config, named string) (*state.State, error) {
	conf, _, err := in.Config(ctx, config)
	if err != nil {
		return nil, err
	}
	switch {
	case named == OnNATS:
		return nil, in.Misuse(errors.New(named + ": expected a name behind it, such as " + OnNATS + "nightly"))
	case conf.State.NATS.URL == "":
		return nil, in.Misuse(errors.New(named + ": the configuration has no state.nats"))
	}
	return in.State(ctx, conf)
}

// results are those of a run by the name that --state gave it.
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

// isRun reports whether a name is that of a run as --state gave it, and not that of a file.
func isRun(named string) (bool, error) {
	if strings.HasPrefix(named, OnNATS) {
		return true, nil
	}
	info, err := os.Stat(named)
	return err == nil && info.IsDir(), err
}
