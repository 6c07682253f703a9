package tracecmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/casefile"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/cmd/callwright/internal/replay"
	"github.com/callwright/callwright/cmd/callwright/internal/state"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/trace"
	"github.com/spf13/cobra"
)

// NewReplay returns the command callwright replay.
func NewReplay(in Input) *cobra.Command {
	r := replaying{in: in}
	c := &cobra.Command{
		Use:   "replay [--config FILE] [--id ID] [--reread] [--json] [FILE|DIR]",
		Short: "Replay a trace offline, and compare the results with the recorded ones",
		Long: "Replay repeats each request of a trace offline, with this version and the current configuration. Instead of a " +
			"provider, the recorded bytes of the provider's answer are used. Replay compares the provider request and the result " +
			"with the recorded ones. It ignores times and ids that were made for the request.\n\n" +
			"FILE is a trace of callwright serve --trace or callwright run --trace, or a case of callwright trace bundle. DIR is a " +
			"folder of such traces, and - is standard input. Without either, the trace of the configuration is read, from its " +
			"folder or from NATS. Models and providers that the configuration lacks are taken from the trace. A case is replayed " +
			"with its own settings, or with those of --config, and only its finding is compared. If the bytes of an answer were not " +
			"recorded, the decoded answer in the trace is used. With --reread such a request counts as different.\n\n" +
			"Exit statuses: 0 all results are the same, 1 some differ, 2 the command line is invalid.",
		Example: "  callwright replay trace.jsonl\n  callwright replay --id rep_0199c0de5a7f7000a3f1c2d4e5b60718 trace.jsonl\n  callwright replay --json trace.jsonl\n  callwright replay case.txtar",
		RunE:    func(c *cobra.Command, args []string) error { return r.run(c.Context(), strings.Join(args, "")) },
	}
	in.ConfigFlag(c, &r.config)
	c.Flags().StringVar(&r.id, "id", "",
		"replay only the request with this `ID`; the log and the header Callwright-Report of the answer have it")
	c.Flags().BoolVar(&r.reread, "reread", false, "count requests as different whose answer was not recorded as bytes")
	c.Flags().BoolVar(&r.asJSON, "json", false, "print one JSON object per line, for each request")
	return c
}

type replaying struct {
	in             Input
	config, id     string
	reread, asJSON bool
	counts         map[replay.Outcome]int
	read           int     // number of entries
	broken         []error // errors of lines that cannot be read
}

func (r *replaying) run(ctx context.Context, file string) error {
	conf, err := r.configuration(ctx)
	if err != nil {
		return err
	}
	entries, of, done, err := r.source(ctx, conf, &file)
	if err != nil {
		return err
	}
	defer done()
	if of != nil {
		if r.config == "" {
			conf = nil // the case has settings
		}
		return r.runCase(ctx, of, conf, file)
	}
	r.counts = map[replay.Outcome]int{}
	again := replay.Replay{Config: conf, RawOnly: r.reread}
	for res, err := range again.Results(ctx, r.countEntries(entries)) {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, replay.ErrRedacted):
			return r.in.Misuse(fmt.Errorf("%s: %w", file, err))
		case errors.Is(err, trace.ErrTorn) && r.read > 0:
			fmt.Fprintf(r.in.Err, "%s: %v: the program that wrote it probably ended while writing; the entries before it were read\n", file, err)
		case callwright.KindOf(err) == callwright.KindUnavailable:
			return err
		case err != nil && r.read == 0:
			return r.in.Misuse(state.SettingError(file+" is not a trace", err))
		case err != nil:
			r.broken = append(r.broken, fmt.Errorf("%s: %w", file, err))
		case r.id == "" || res.ID == r.id:
			if err := r.print(res); err != nil {
				return err
			}
		}
		if len(r.broken) == mostBroken {
			break
		}
	}
	return r.sum(file)
}

// mostBroken is the maximum number of unreadable trace lines that are reported.
const mostBroken = 10

// source opens the trace named *file. If *file is "", it opens the trace of the configuration and sets *file to its
// name. If the file is a case file, the result of is its case, otherwise nil. The caller must call done.
func (r *replaying) source(ctx context.Context, conf *config.Config, file *string) (entries iter.Seq2[trace.Entry, error],
	of *casefile.Case, done func(), err error) {
	if *file == "" && conf.Trace.NATS == config.On {
		*file = conf.State.NATS.Hosts()
		log, done, err := r.in.openSharedTrace(ctx, conf)
		if err != nil {
			return nil, nil, nil, err
		}
		return log.All(ctx), nil, done, nil
	}
	if *file = cmp.Or(*file, string(conf.Trace.File)); *file == "" {
		return nil, nil, nil, r.in.Misuse(errors.New("no trace is named, and the configuration has none: name a file or a folder"))
	}
	in, err := r.open(ctx, *file)
	if err != nil {
		return nil, nil, nil, r.in.Misuse(err)
	}
	of, rest, err := caseIn(in)
	if err != nil {
		_ = in.Close()
		return nil, nil, nil, r.in.Misuse(fmt.Errorf("%s: %w", *file, err))
	}
	return trace.Read(rest), of, func() { _ = in.Close() }, nil
}

// countEntries returns the entries and counts them in r.read.
func (r *replaying) countEntries(entries iter.Seq2[trace.Entry, error]) iter.Seq2[trace.Entry, error] {
	return func(yield func(trace.Entry, error) bool) {
		for e, err := range entries {
			if err == nil {
				r.read++
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// configuration returns the configuration of --config or of this folder. If neither exists, it returns the defaults.
func (r *replaying) configuration(ctx context.Context) (*config.Config, error) {
	if r.config == "" {
		if _, err := os.Stat(r.in.OwnConfig); err != nil {
			return &config.Config{}, nil
		}
	}
	conf, _, err := r.in.Config(ctx, r.config)
	return conf, err
}

// open opens a trace: a file, a folder, or "-" for standard input. A read of standard input or of a special file, such
// as a pipe, fails when ctx is done.
func (r *replaying) open(ctx context.Context, file string) (io.ReadCloser, error) {
	if file == "-" {
		return io.NopCloser(r.in.Interruptible(ctx, r.in.In)), nil
	}
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return os.Open(file) // for its error
	case info.IsDir():
		return trace.ReadFolder(file)
	case !info.Mode().IsRegular():
		return io.NopCloser(r.in.Interruptible(ctx, &opening{name: file})), nil
	}
	return os.Open(file)
}

// opening is a reader that opens its file at the first read.
type opening struct {
	name string
	f    *os.File
}

func (o *opening) Read(p []byte) (n int, err error) {
	if o.f == nil {
		if o.f, err = os.Open(o.name); err != nil {
			return 0, err
		}
	}
	return o.f.Read(p)
}

func (r *replaying) print(res replay.Result) error {
	r.counts[res.Outcome]++
	if r.asJSON {
		return jsonx.WriteLine(r.in.Out, res)
	}
	out := paint.New(r.in.Out, r.in.Env)
	how := string(res.Outcome)
	if res.From == replay.FromAnswer {
		how += ", from the decoded answer"
	}
	out.Printf("%s  %s  %s\n", res.ID, paint.Visible(string(res.Model)), how)
	if res.Why != "" {
		out.Println("  " + paint.Visible(res.Why))
	}
	for _, d := range res.Differences {
		out.Println("  " + paint.Visible(d.String()))
	}
	if len(res.Differences) == replay.MostDifferences {
		out.Println("  there may be more differences")
	}
	return nil
}

// sum prints how many replayed requests had equal, different and missing results.
func (r *replaying) sum(file string) error {
	same, different, unanswered := r.counts[replay.Same], r.counts[replay.Different], r.counts[replay.Unanswered]
	all := same + different + unanswered
	if all == 0 && r.id != "" {
		return errors.Join(append(r.broken, r.in.Misuse(fmt.Errorf("%s has no request with the id %s", file, r.id)))...)
	}
	if !r.asJSON {
		fmt.Fprintf(r.in.Out, "%d %s: %d the same, %d different", all, requests(all), same, different)
		if unanswered > 0 {
			fmt.Fprintf(r.in.Out, ", %d without an answer in the trace", unanswered)
		}
		fmt.Fprintln(r.in.Out)
	}
	if different > 0 {
		r.broken = append(r.broken, differError(different, all))
	}
	return errors.Join(r.broken...)
}

func differError(different, all int) error {
	switch {
	case all == 1:
		return errors.New("the result of the request differs from the trace")
	case different == 1:
		return fmt.Errorf("the result of 1 of %d requests differs from the trace", all)
	}
	return fmt.Errorf("the results of %d of %d requests differ from the trace", different, all)
}

func requests(n int) string {
	if n == 1 {
		return "request"
	}
	return "requests"
}
