package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/callwright/callwright/cmd/callwright/internal/completion"
	"github.com/callwright/callwright/cmd/callwright/internal/faultlist"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/recorded"
	"github.com/callwright/callwright/simulate"
	"github.com/spf13/cobra"
)

func newSimulate(a *app) *cobra.Command {
	var s simulateCommand
	c := &cobra.Command{
		Use:   "simulate [--listen ADDR] [--family NAME] [--fault NAME=P,...] [--seed N] [--recorded FILE] [--latency TIMES] [--strict PROFILE] [--list] [--json]",
		Short: "Run a model server that misbehaves on command",
		Long: "Simulate runs a server without a real model. It speaks the APIs of OpenAI (Chat Completions and Responses), Anthropic, " +
			"Gemini and Ollama, whole and streamed. It calls the tools that a prompt mentions, with arguments that satisfy their " +
			"schemas, and then answers with a text about the results. With --recorded it plays recorded answers.\n\n" +
			"--fault or --family make every model misbehave. Faults are drawn by the seed, so the same requests get the same " +
			"answers. A model with the name of a fault always has this fault. --list prints all faults by failure class, the " +
			"families with the sources of their numbers, and the profiles of --strict. With --strict the server refuses the same " +
			"requests as the real provider, in its words.",
		Example: "  callwright simulate --fault text_json-fence=0.1,429=0.05 --seed 7\n  callwright simulate --family llama --latency first=200ms,token=10ms\n" +
			"  callwright simulate --recorded answers.jsonl\n  callwright simulate --list",
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return s.run(c.Context(), a) },
	}
	f := c.Flags()
	f.StringVar(&s.listen, "listen", "127.0.0.1:8788", "listen at this `ADDR`")
	f.StringVar(&s.family, "family", "", "misbehave as models of the family `NAME` do")
	f.StringVar(&s.fault, "fault", "", "misbehave with these faults, each with its probability: `NAME=P,...`")
	f.Uint64Var(&s.seed, "seed", 1, "the seed `N` for faults and times")
	f.StringVar(&s.recorded, "recorded", "", "play the recorded answers in `FILE`, one JSON object per line")
	f.StringVar(&s.latency, "latency", "", "delay answers by these `TIMES`: first=200ms,token=10ms,jitter=0.2")
	f.StringVar(&s.strict, "strict", "", "refuse requests as the provider of this `PROFILE` does")
	f.BoolVar(&s.list, "list", false, "list faults, families and profiles, without a server")
	f.BoolVar(&s.asJSON, "json", false, "with --list, print one JSON object")
	completion.Words(c, "family", faultlist.Families())
	completion.Words(c, "strict", faultlist.Profiles())
	completion.Words(c, "fault", faultlist.Names())
	completeFiles(c, "recorded", "jsonl")
	return c
}

type simulateCommand struct {
	listen, family, fault, recorded, latency, strict string
	seed                                             uint64
	list, asJSON                                     bool
}

func (s *simulateCommand) run(ctx context.Context, a *app) error {
	if s.list {
		return s.printList(a)
	}
	if s.asJSON {
		return misuseError{errors.New("--json needs --list")}
	}
	script, opts, err := s.server()
	if err != nil {
		return err
	}
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", s.listen)
	if err != nil {
		return misuseError{fmt.Errorf("--listen: %w", err)}
	}
	announceSimulator(a.std.err, ln.Addr().String())
	srv := &http.Server{Handler: simulate.New(script, opts...), ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { _ = srv.Close() }) // not Shutdown: a fault may stall a response forever
	defer stop()
	if err := srv.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// server returns the script and the options of the simulated server for the flags.
func (s *simulateCommand) server() (script simulate.Script, opts []simulate.Option, err error) {
	mix, err := s.mix()
	if err != nil {
		return nil, nil, err
	}
	opts = append(opts, simulate.WithMix(mix, s.seed))
	if s.latency != "" {
		l, err := simulate.ParseLatency(s.latency)
		if err != nil {
			return nil, nil, misuseError{fmt.Errorf("--%w", err)}
		}
		opts = append(opts, simulate.Slow(l))
	}
	if s.strict != "" {
		if !slices.Contains(faultlist.Profiles(), s.strict) {
			return nil, nil, misuseError{unknownName("profile", s.strict, faultlist.Profiles(), "callwright simulate --list shows all")}
		}
		opts = append(opts, simulate.Strict(s.strict))
	}
	if s.recorded == "" {
		return simulate.AnyTools(), opts, nil
	}
	file, err := os.Open(s.recorded)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = file.Close() }()
	recordings, err := recorded.Read(file)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", s.recorded, err)
	}
	return recorded.Script(recordings), append(opts, simulate.AnyNames()), nil // recordings may contain any tool names
}

// mix returns the mix of --family with the faults of --fault added.
func (s *simulateCommand) mix() (simulate.Mix, error) {
	var mix simulate.Mix
	if s.family != "" {
		f, ok := simulate.FamilyNamed(s.family)
		if !ok {
			return mix, misuseError{unknownName("family", s.family, faultlist.Families(), "callwright simulate --list shows all")}
		}
		mix = f.Mix
	}
	if s.fault != "" {
		more, err := simulate.ParseMix(s.fault)
		if err != nil {
			return mix, misuseError{fmt.Errorf("--fault: %w: callwright simulate --list shows all", err)}
		}
		mix.Faults = slices.Concat(mix.Faults, more.Faults)
	}
	if err := mix.Check(); err != nil {
		return mix, misuseError{fmt.Errorf("--fault and --family: %w", err)}
	}
	return mix, nil
}

// announceSimulator prints the base URLs of the simulated server for each type of client.
func announceSimulator(w io.Writer, address string) {
	fmt.Fprintf(w, "callwright simulates models on http://%s\n", address)
	for _, c := range clients {
		fmt.Fprintf(w, "  base URL for %-19shttp://%s%s\n", c.name+" clients", address, c.path)
	}
}

func (s *simulateCommand) printList(a *app) error {
	list := faultlist.New()
	if s.asJSON {
		return jsonx.WriteLine(a.std.out, list)
	}
	list.Print(a.std.out, paint.New(a.std.out, a.env).Width)
	return nil
}
