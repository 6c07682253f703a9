package evalcmd

import (
	"context"
	"fmt"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/cmd/callwright/internal/state"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/eval"
)

// Limits for the fact about reliable native calls. It needs at least leastCalls calls. A model is reliable if at most
// one in reliableOne calls is damaged, and unreliable from one in unreliableOne. A share in between proves nothing.
const (
	leastCalls     = 20
	reliableOne    = 100
	unreliableOne  = 20
	reliabilityKey = "tool_call_reliable"
)

// A tally counts the native calls of a model.
type tally struct{ calls, damaged int }

// tallies returns the native calls of each model, including damaged ones. It skips trials with the policy "off" and
// trials whose calls were not native.
func tallies(results []eval.Result) map[callwright.ModelID]tally {
	out := map[callwright.ModelID]tally{}
	for i := range results {
		r := &results[i]
		name, _, _ := strings.Cut(r.Mode, "+")
		modes, err := caps.ParseMode(name)
		native := err == nil && (len(modes) == 0 || modes[0] == caps.Native)
		if !native || r.OtherMode > 0 || r.Fallback > 0 || r.Policy == string(callwright.PolicyOff) || r.Outcome != eval.OK &&
			r.Outcome != eval.Failed {
			continue
		}
		t := out[r.Model]
		damaged := r.InvalidJSON + r.UnknownName + r.SchemaMismatch
		t.damaged += damaged
		t.calls += r.Calls + damaged
		out[r.Model] = t
	}
	return out
}

// fact returns the fact that the counts prove; ok is false if they prove none.
func (t tally) fact() (f caps.Fact, ok bool) {
	f = caps.Fact{Key: reliabilityKey, Source: caps.Probed,
		Evidence: fmt.Sprintf("callwright eval: %d of %d native calls were damaged", t.damaged, t.calls)}
	switch {
	case t.calls < leastCalls:
		return f, false
	case t.damaged*reliableOne <= t.calls:
		f.Value = "yes"
	case t.damaged*unreliableOne >= t.calls:
		f.Value = "no"
	default:
		return f, false
	}
	return f, true
}

// feed stores the measured reliability as facts about the models, if --feed is set and the configuration has a store.
func (m *measurement) feed(ctx context.Context, results []eval.Result) error {
	if !m.s.out.feed {
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	conf, _, err := m.in.Config(ctx, m.s.config)
	if err != nil {
		return err
	}
	if state.KeptIn(conf) == "" {
		fmt.Fprintln(m.in.Err, "the facts are not kept: the configuration has no state.dir and no state.nats")
		return nil
	}
	kept, err := m.in.State(ctx, conf)
	if err != nil {
		return err
	}
	defer func() { _ = kept.Close() }()
	registry, err := config.NewRegistry(conf, append(kept.CapsStore(ctx), config.WithEnv(m.in.Env))...)
	if err != nil {
		return err
	}
	defer registry.Close()
	counted := tallies(results)
	for _, t := range m.targets {
		f, ok := counted[t.id].fact()
		if !ok {
			fmt.Fprintf(m.in.Err, "%s: no fact is kept: %d of %d native calls were damaged, which is not conclusive\n", t.id,
				counted[t.id].damaged, counted[t.id].calls)
			continue
		}
		if err := registry.Learn(ctx, string(t.model), []caps.Fact{f}); err != nil {
			return fmt.Errorf("the facts are not kept: %w", err)
		}
		fmt.Fprintf(m.in.Err, "%s: %s: %s is kept in %s\n", t.id, f.Key, f.Value, state.KeptIn(conf))
	}
	return nil
}
