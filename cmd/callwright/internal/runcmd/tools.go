package runcmd

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/agent/toolfile"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/mcptool"
)

// options returns the agent options of the configuration and the command line. The caller must call done, which closes
// the MCP servers.
func (r *command) options(ctx context.Context, conf *config.Config, resolve func(name string) (callwright.Model, error),
	journal agent.Journal) (opts []agent.Option, done func(), err error) {
	var servers []*mcptool.Server
	done = func() {
		for _, s := range servers {
			_ = s.Close()
		}
	}
	defer func() {
		if err != nil {
			done()
			done = nil
		}
	}()
	if opts, err = conf.Agent.Options(); err != nil {
		return nil, done, r.settings.flagError(err)
	}
	further, err := conf.Agent.Models(resolve)
	if err != nil {
		return nil, done, r.settings.flagError(err)
	}
	opts = append(opts, further...)
	var tools []agent.Tool
	for _, file := range slices.Concat(conf.Agent.ToolFiles, r.tools) {
		more, err := r.in.readTools(file)
		if err != nil {
			return nil, done, err
		}
		tools = append(tools, more...)
	}
	opts = append(opts, agent.Tools(tools...))
	r.talk = newTalk(r.in, r.asJSON, r.notes)
	if servers, err = r.servers(ctx, conf); err != nil {
		return nil, done, err
	}
	for _, s := range servers {
		more, err := s.Tools(ctx)
		if err != nil {
			return nil, done, err
		}
		tools = append(tools, more...)
		opts = append(opts, agent.From(s))
	}
	if err := r.settings.checkPatterns(namesOf(tools)); err != nil {
		return nil, done, err
	}
	opts = append(opts, agent.WithJournal(journal))
	switch {
	case r.yes:
		opts = append(opts, agent.WithApproveAll())
	case r.talk.canAsk():
		opts = append(opts, agent.WithApprover(r.talk.ask))
	}
	return opts, done, nil
}

// namesOf returns the names of tools.
func namesOf(tools []agent.Tool) []string {
	names := make([]string, len(tools))
	for i := range tools {
		names[i] = tools[i].Name
	}
	return names
}

// servers opens the MCP servers of the configuration and the command line. After an error it returns the servers that
// are already open.
func (r *command) servers(ctx context.Context, conf *config.Config) (open []*mcptool.Server, err error) {
	configs, err := r.serverConfigs(conf)
	if err != nil {
		return nil, err
	}
	for _, c := range configs {
		c.Elicit = r.talk.within(ctx)
		s, err := r.talk.open(ctx, c)
		if err != nil {
			return open, err
		}
		open = append(open, s)
	}
	return open, nil
}

// open opens an MCP server. It shows a message while the server starts, and prints which of its tools cannot be used.
func (t *talk) open(ctx context.Context, c mcptool.Config) (*mcptool.Server, error) {
	t.err.Update("… starting " + paint.Visible(cmp.Or(c.URL, strings.Join(c.Command, " "))))
	defer t.err.Clear()
	s, err := mcptool.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	for _, p := range s.Problems() {
		t.err.Printf("the MCP server %s: %s\n", s.Name(), paint.Visible(p.Error()))
	}
	return s, nil
}

// serverConfigs returns the MCP servers of the configuration and the command line.
func (r *command) serverConfigs(conf *config.Config) ([]mcptool.Config, error) {
	var out []mcptool.Config
	for i := range conf.Agent.MCP {
		c, err := r.in.Server(&conf.Agent.MCP[i])
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	for _, line := range r.mcp {
		c, err := mcptool.ParseCommand(line)
		if err != nil {
			return nil, r.in.Misuse(fmt.Errorf("--mcp: %w", err))
		}
		out = append(out, c)
	}
	return out, nil
}

// readTools reads tools from a file, or from file itself if it is JSON.
func (in Input) readTools(file string) ([]agent.Tool, error) {
	read := func() ([]agent.Tool, error) { return toolfile.Read(file) }
	if isJSON(file) {
		read = func() ([]agent.Tool, error) { return toolfile.Parse([]byte(file), toolfile.Options{}) }
	}
	tools, err := read()
	if err != nil {
		return nil, in.Misuse(err)
	}
	return tools, nil
}
