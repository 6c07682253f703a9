package reload

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/hosted"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/mcptool"
)

// Configured converts an MCP server of the configuration to the settings to open it.
type Configured func(s *config.MCPServer) (mcptool.Config, error)

// hostedTools contains the tools that the gateway runs instead of provider-hosted tools, and their MCP servers.
type hostedTools struct {
	*hosted.Runner // nil without configured tools
	servers        []*mcptool.Server
}

// Close closes the MCP servers of the tools.
func (t *hostedTools) Close() {
	for _, s := range t.servers {
		_ = s.Close()
	}
}

// openTools opens the configured MCP servers and finds the configured tools. A missing server or tool is an error.
func openTools(ctx context.Context, conf *config.Config, configured Configured) (*hostedTools, error) {
	out := &hostedTools{}
	found, offered := map[string]hosted.Tool{}, map[string][]agent.Tool{}
	for _, h := range conf.HostedTools.List() {
		err := out.open(ctx, conf, h.Server, configured, offered)
		if err == nil {
			found[h.Kind], err = findTool(h, offered[h.Server])
		}
		if err != nil {
			out.Close()
			return nil, fmt.Errorf("hosted_tools.%s: %w", h.Kind, err)
		}
	}
	if len(found) == 0 {
		return out, nil
	}
	var err error
	out.Runner, err = hosted.New(hosted.Config{Tools: found})
	return out, err
}

// open opens an MCP server of the configuration unless it is in offered, and adds its tools to offered.
func (t *hostedTools) open(ctx context.Context, conf *config.Config, name string, configured Configured,
	offered map[string][]agent.Tool) error {
	if _, opened := offered[name]; opened {
		return nil
	}
	at := slices.IndexFunc(conf.Agent.MCP, func(s config.MCPServer) bool { return s.Name == name })
	if at < 0 {
		return fmt.Errorf("expected an MCP server %s below agent.mcp, got none", name)
	}
	c, err := configured(&conf.Agent.MCP[at])
	if err != nil {
		return err
	}
	s, err := mcptool.Open(ctx, c)
	if err != nil {
		return err
	}
	t.servers = append(t.servers, s)
	offered[name], err = s.Tools(ctx)
	return err
}

// findTool returns the configured tool from the tools of its server, or an error if the server does not offer it.
func findTool(h config.HostedTool, offered []agent.Tool) (hosted.Tool, error) {
	var names []string
	for _, t := range offered {
		name := strings.TrimPrefix(t.Name, h.Server+":")
		if name != h.Tool {
			names = append(names, name)
			continue
		}
		return hosted.Tool{Name: h.Server + "/" + h.Tool, Description: t.Description, Schema: t.Schema,
			Run: func(ctx context.Context, arguments json.RawMessage) (string, error) {
				out, err := t.Run(ctx, arguments)
				if err != nil {
					return "", err
				}
				if text, ok := jsonx.String(out.Data); ok {
					return text, nil
				}
				return string(out.Data), nil
			}}, nil
	}
	return hosted.Tool{}, fmt.Errorf("expected a tool of the server %s, got %q: the server has %s", h.Server, h.Tool, strings.Join(names, ", "))
}
