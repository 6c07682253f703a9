package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/launch"
	"github.com/callwright/callwright/cmd/callwright/internal/listen"
	"github.com/callwright/callwright/cmd/callwright/internal/memory"
	"github.com/callwright/callwright/cmd/callwright/internal/preflight"
	"github.com/callwright/callwright/cmd/callwright/internal/reload"
	"github.com/callwright/callwright/cmd/callwright/internal/servicemanager"
	"github.com/callwright/callwright/cmd/callwright/internal/state"
	"github.com/callwright/callwright/internal/bound"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/internal/version"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/mcptool"
	"github.com/spf13/cobra"
)

func newServe(a *app) *cobra.Command {
	var s serveCommand
	c := &cobra.Command{
		Use:   "serve [--config FILE] [--listen ADDR] [--trace FILE|DIR] [--trace-content on|off] [--simulated] [--pid-file FILE] [--stop-with-stdin] [--log-format FORM] [--log-level LEVEL]",
		Short: "Run the gateway",
		Long: "Serve runs the gateway. Clients use it with the API of their own provider, and any model can answer.\n\n" +
			"Without --config it reads callwright.yaml in this folder. Without this file it uses the providers whose keys are in " +
			"the environment, and a local Ollama. Simulated models are available as sim/NAME; --simulated lists them. The first " +
			"Ctrl-C lets running requests finish, the second ends the gateway at once. SIGHUP or a change of the file reloads the " +
			"configuration. SIGUSR2 starts a new process that takes over without breaking a stream.",
		Example: "  GROQ_API_KEY=... callwright serve\n  callwright serve --config callwright.yaml --listen 127.0.0.1:9000\n  callwright serve --trace trace.jsonl --log-format json --log-level warn",
		Args:    noArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return s.run(c.Context(), a) },
	}
	configFlag(c, &s.config)
	c.Flags().StringVar(&s.log.level, "log-level", "info", "log messages of at least this `LEVEL`: debug, info, warn or error")
	c.Flags().StringVar(&s.log.format, "log-format", "", "log in this `FORM`: text, json or short; without it short on a terminal, else text")
	c.Flags().StringVar(&s.listen, "listen", "", "listen at this `ADDR` instead of the configured one")
	c.Flags().StringVar(&s.pidFile, "pid-file", "", "write the process id of the gateway to this `FILE`")
	c.Flags().BoolVar(&s.stopWithStdin, "stop-with-stdin", false,
		"stop when standard input ends, for example because the parent process has ended")
	c.Flags().StringVar(&s.trace, "trace", "",
		"append requests and answers to `FILE`, or write them to files in a folder; replaces the configured trace")
	c.Flags().StringVar(&s.content, "trace-content", "",
		"whether the trace has the contents of messages, `on or off`; replaces trace.content of the configuration")
	c.Flags().BoolVar(&s.simulated, "simulated", false, "also list simulated models, if the configuration does not name the simulator")
	completeFiles(c, "trace", "jsonl")
	return c
}

type serveCommand struct {
	config, listen, pidFile, trace, content string
	simulated, stopWithStdin                bool
	log                                     serveLog

	manager *servicemanager.Manager
	self    *launch.Gateway // address of this gateway, for requests to itself

	listening func(net.Addr) // called when the gateway listens; may be nil
}

func (s *serveCommand) run(ctx context.Context, a *app) error {
	if err := s.log.open(a.std.err, a.env); err != nil {
		return err
	}
	defer s.log.lines.Flush()
	if s.stopWithStdin {
		var stop context.CancelFunc
		ctx, stop = context.WithCancel(ctx)
		defer stop()
		go func() { // a read of standard input cannot be canceled
			_, _ = io.Copy(io.Discard, a.std.in)
			stop()
		}()
	}
	conf, hint, err := a.config(ctx, s.config)
	if err != nil {
		return err
	}
	address, keys, err := conf.Access(s.listen, a.env)
	if err != nil && s.listen != "" {
		return misuseError{err}
	} else if err != nil {
		return err
	}
	if err := setTraceContent(&conf.Trace, s.content); err != nil {
		return err
	}
	kept, err := state.Open(ctx, conf, a.env, s.log.Logger)
	if err != nil {
		return err
	}
	defer s.closeState(kept)
	traced, err := openTraceOf(s.trace, conf, kept, trace.OnError(s.traceFailed))
	if err != nil {
		return err
	}
	defer s.closeTrace(traced)
	options := traced.options()
	if s.simulated {
		options = append(options, config.WithSimulated())
	}
	behind, err := s.openBackend(ctx, a, conf, kept, keys, options)
	if err != nil {
		return err
	}
	defer behind.close(ctx, s.log.Logger)
	return s.open(ctx, a, conf, hint, behind, traced, address)
}

// open creates the gateway for a configuration and serves at address until ctx is done. hint is a message about the
// configuration to print.
func (s *serveCommand) open(ctx context.Context, a *app, conf *config.Config, hint string, behind *backend, traced *traceFile,
	address string) error {
	live := &reload.Gateway{Models: behind.models, Gate: behind.gate, Address: address, Env: a.env,
		MCP: func(m *config.MCPServer) (mcptool.Config, error) { return serverConfig(m, a.env) }}
	if err := live.Open(ctx, conf); err != nil {
		return err
	}
	defer live.Close()
	monitors, err := newMonitor(conf, behind, traced, a.env, s.log.Logger)
	if err != nil {
		return err
	}
	defer monitors.close()
	s.manager = servicemanager.Open(a.env, listen.HandedOver(a.env), s.log.Logger)
	at, err := s.openListener(ctx, a, conf, address)
	if err != nil {
		return err
	}
	memory.Tune(ctx, state.KeptIn(conf) != "" || traced != nil || monitors.sendsSpans(), a.env)
	announce(s.log.plain, at.URL(), conf)
	if hint != "" {
		fmt.Fprintln(s.log.plain, hint)
	}
	c := gateway.Config{
		Logger: s.log.Logger, Reuse: gateway.Reuse{Bodies: true, Histories: conf.Server.Histories()},
		Connections: conf.Server.Connections, HeaderBytes: conf.Server.HeaderBytes, IdleTime: conf.Server.IdleTimeout,
		Patience: conf.Server.ReadTimeout,
	}
	behind.keepIn(&c, &conf.State)
	c.Conversations = bound.New(behind.kept.Counters(), nil)
	bundles := behind.bundler(traced, a.env)
	behind.administer(&c, bundles)
	if traced != nil {
		fmt.Fprintf(s.log.plain, "requests and answers are written to %s\n", traced.place)
		c.Record = func(m callwright.Model) callwright.Model { return traced.around(m) }
	}
	monitors.observe(&c)
	s.showPages(&c, conf, behind, live.Hosts, traced, bundles, at.URL())
	reloads := reload.New(reload.Config{File: cmp.Or(s.config, ownConfig), Now: conf, Use: monitors.reload(live.Use),
		Told: monitors.countReload, Around: s.manager.Reload, Log: s.log.Logger,
		Read: func(ctx context.Context) (*config.Config, error) {
			c, _, err := a.config(ctx, s.config)
			if err != nil {
				return nil, err
			}
			return c, setTraceContent(&c.Trace, s.content)
		}})
	c.Health.Watch(reloads.Problems)
	srv := live.Serves(c)
	monitors.showCaches(srv)
	memory.ReleaseProgram()
	check := preflight.Checker{Config: conf, Registry: behind.models.Registry(), Env: a.env}
	return s.serve(ctx, srv, at, reloads.Run, monitors.alert, func(ctx context.Context) { check.Warn(ctx, s.log.Logger) })
}

// openListener opens the socket of the gateway. An address in use is a misuseError.
func (s *serveCommand) openListener(ctx context.Context, a *app, conf *config.Config, address string) (*listen.Listener, error) {
	at, err := listen.Open(ctx, listen.Config{Address: address, Cert: string(conf.Server.TLS.Cert),
		Key: string(conf.Server.TLS.Key), Env: a.env, Log: s.log.Logger,
		PIDFile: s.pidFile, Version: version.This().Version})
	if _, taken := errors.AsType[*listen.InUseError](err); taken {
		return nil, misuseError{err}
	} else if err != nil {
		return nil, err
	}
	if s.self, err = launch.NewGateway(at.Addr().String(), "", string(conf.Server.TLS.Cert)); err != nil {
		return nil, err
	}
	if s.listening != nil {
		s.listening(at.Addr())
	}
	return at, nil
}

// serve serves until ctx is done or another process takes over the address. Concurrently it calls each function in run
// with a context that is done when serving ends.
func (s *serveCommand) serve(ctx context.Context, srv *gateway.Server, at *listen.Listener, run ...func(context.Context)) error {
	var beside sync.WaitGroup
	defer beside.Wait()
	running, stop := context.WithCancel(ctx)
	defer stop()
	for _, r := range run {
		beside.Go(func() { r(running) })
	}
	beside.Go(func() {
		at.HandOver(running, func(pid int) {
			s.manager.HandedOver(pid)
			srv.Leave()
		})
	})
	beside.Go(func() { s.tellManager(ctx, running) })
	return serveUntil(ctx, s.log.plain, srv, at)
}

// tellManager notifies the service manager (systemd): when the gateway is ready, periodically until running is done,
// and when it stops because ctx is done.
func (s *serveCommand) tellManager(ctx, running context.Context) {
	s.manager.Ready(running, func(ctx context.Context) bool {
		answers, _ := s.self.Runs(ctx)
		return answers
	})
	s.manager.Watch(running)
	<-running.Done()
	if ctx.Err() != nil {
		s.manager.Stopping()
	}
}

func (s *serveCommand) closeTrace(t *traceFile) {
	if err := t.close(); err != nil && t.w.Err() == nil { // a write error was logged before
		s.traceFailed(err)
	}
}

// traceFailed logs that the trace cannot be written. Requests continue without it.
func (s *serveCommand) traceFailed(err error) {
	s.log.Error("the trace cannot be written", "error", err)
}

// clients are the types of clients that the gateway serves, with the path to append to the base URL of each.
var clients = []struct {
	name string
	wire callwright.WireName
	path string
}{
	{"OpenAI", callwright.WireOpenAI, "/v1"},
	{"Anthropic", callwright.WireAnthropic, ""},
	{"Gemini", callwright.WireGemini, ""},
	{"Ollama", callwright.WireOllama, ""},
}

// announce prints the address of the gateway, the base URLs and the models.
func announce(w io.Writer, address string, conf *config.Config) {
	fmt.Fprintf(w, "callwright listens on %s\n", address)
	for _, c := range clients {
		if _, ok := codecs.Of(c.wire); ok {
			fmt.Fprintf(w, "  base URL for %-19s%s%s\n", c.name+" clients", address, c.path)
		}
	}
	for i := range conf.Providers {
		fmt.Fprintf(w, "  provider  %s\n", conf.Providers[i].Name)
	}
	for i := range conf.Models {
		m := &conf.Models[i]
		switch {
		case len(m.Any) > 0:
			fmt.Fprintf(w, "  model     %s -> any of %s\n", m.Name, namesOf(m.Any))
		case m.Model != "":
			fmt.Fprintf(w, "  model     %s -> %s\n", m.Name, m.Model)
		default:
			fmt.Fprintf(w, "  model     %s\n", m.Name)
		}
	}
	for _, e := range conf.Warnings() {
		if !strings.HasPrefix(e.Path, "providers.") { // reported by the provider check
			fmt.Fprintln(w, "warning:", e.Brief())
		}
	}
}

// namesOf joins model names with commas.
func namesOf(names []callwright.ModelID) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = string(n)
	}
	return strings.Join(out, ", ")
}

// errAborted is the error of a gateway that stopped while requests were running.
var errAborted = errors.New("the gateway ended before all requests had finished")

// serveUntil serves until ctx is done, and then waits for running requests. A second signal aborts them; the error is
// then errAborted.
func serveUntil(ctx context.Context, w io.Writer, srv *gateway.Server, ln net.Listener) error {
	done := make(chan struct{})
	aborted := false
	var watch sync.WaitGroup
	watch.Go(func() {
		select {
		case <-ctx.Done():
		case <-done:
			return
		}
		again := make(chan os.Signal, 1)
		signal.Notify(again, os.Interrupt, syscall.SIGTERM)
		defer signal.Stop(again)
		fmt.Fprintln(w, "callwright finishes running requests and accepts no new ones (interrupt again to end at once)")
		select {
		case <-again:
			aborted = true
			srv.Abort()
		case <-done:
		}
	})
	err := srv.Serve(ctx, ln)
	close(done)
	watch.Wait()
	if err == nil && aborted {
		return errAborted
	}
	return err
}
