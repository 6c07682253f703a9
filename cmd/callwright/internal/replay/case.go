package replay

import (
	"context"
	"errors"
	"fmt"

	"github.com/callwright/callwright/cmd/callwright/internal/casefile"
	"github.com/callwright/callwright/cmd/callwright/internal/finding"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/trace"
)

// Case replays a case. It returns the finding and the trace entries of the replay. If r.Config is nil, it uses the
// settings of the case.
func (r *Replay) Case(ctx context.Context, c *casefile.Case) (finding.Finding, []trace.Entry, error) {
	again := *r
	if again.Config == nil {
		conf, err := config.Parse(c.Settings, func(string) (string, bool) { return "", false })
		if err != nil {
			return finding.Finding{}, nil, fmt.Errorf("the settings of the case: %w", err)
		}
		again.Config = conf
	}
	entries, err := c.Entries()
	if err != nil {
		return finding.Finding{}, nil, err
	}
	res, err := again.One(ctx, entries)
	switch {
	case err != nil:
		return finding.Finding{}, nil, err
	case len(res.Entries) == 0:
		return finding.Finding{}, nil, errors.New(res.Why)
	}
	return finding.Of(res.Entries), res.Entries, nil
}
