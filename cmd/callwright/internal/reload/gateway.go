package reload

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/gateway"
)

// A Gateway is a gateway whose configuration can be replaced while it runs.
type Gateway struct {
	Models  *config.Live
	Gate    *access.Gate
	Address string // listening address, which a reload cannot change
	Env     func(string) (string, bool)
	MCP     Configured // settings to open MCP servers

	now    atomic.Pointer[config.Config]
	tools  *hostedTools // of the current configuration
	server *gateway.Server

	ended   chan struct{}  // closed when no request is running
	closing sync.WaitGroup // pending closes of replaced tools
}

// Open opens the hosted tools of a configuration. The caller must call Close.
func (g *Gateway) Open(ctx context.Context, conf *config.Config) error {
	g.ended = make(chan struct{})
	g.now.Store(conf)
	var err error
	g.tools, err = openTools(ctx, conf, g.MCP)
	return err
}

// Serves creates the server of the gateway. c must contain the fields that a configuration cannot change.
func (g *Gateway) Serves(c gateway.Config) *gateway.Server {
	c.Models, c.Access = g.Models, g.Gate
	changing(&c, g.now.Load(), g.tools)
	g.server = gateway.New(c)
	return g.server
}

// Close closes the connections to the servers of the hosted tools. It must be called after the server has stopped.
func (g *Gateway) Close() {
	close(g.ended)
	g.closing.Wait()
	g.tools.Close()
}

// Hosts returns the additional host names of this machine in the configuration.
func (g *Gateway) Hosts() []string { return g.now.Load().Hosts }

// changing sets the fields of c that a reload of the configuration can change.
func changing(c *gateway.Config, conf *config.Config, tools *hostedTools) {
	c.Hosts, c.Origins, c.Limits, c.DrainTime, c.Passthrough, c.Hosted =
		conf.Hosts, conf.Origins, gateway.Limits(conf.Limits), conf.DrainTime, conf.Passthrough, tools.Runner
}

// Use applies a new configuration to later requests. All steps that can fail precede the first change.
func (g *Gateway) Use(ctx context.Context, conf *config.Config) error {
	useKeys, err := g.prepareKeys(conf)
	if err != nil {
		return err
	}
	before, tools := g.tools, g.tools
	if otherTools(g.now.Load(), conf) {
		if tools, err = openTools(ctx, conf, g.MCP); err != nil {
			return err
		}
	}
	if err := g.Models.Replace(conf); err != nil {
		if tools != before {
			tools.Close()
		}
		return err
	}
	useKeys()
	g.now.Store(conf)
	g.tools = tools
	var c gateway.Config
	changing(&c, conf, tools)
	idle := g.server.Replace(c)
	if tools != before {
		g.closing.Go(func() {
			select {
			case <-idle:
			case <-g.ended:
			}
			before.Close()
		})
	}
	return nil
}

func (g *Gateway) prepareKeys(conf *config.Config) (use func(), err error) {
	_, keys, err := conf.Access(g.Address, g.Env)
	if err != nil {
		return nil, err
	}
	c, err := gateConfig(conf, keys, g.Env)
	if err != nil {
		return nil, err
	}
	if use, err = g.Gate.Prepare(c); err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	return use, nil
}

// otherTools reports whether the hosted tools of b, the new configuration, or their MCP servers differ from those of a.
// The tools must then be opened again.
func otherTools(a, b *config.Config) bool {
	return !reflect.DeepEqual(a.HostedTools, b.HostedTools) || len(b.HostedTools.List()) > 0 && !reflect.DeepEqual(a.Agent.MCP, b.Agent.MCP)
}
