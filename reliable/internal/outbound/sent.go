package outbound

import (
	"context"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
)

// A SentTool is a tool as it is sent, with the declared tool.
type SentTool struct {
	callwright.Tool
	Declared *callwright.Tool
}

// SentTools returns the tools of a shaped request in order, without hosted tools. declared are the declared tools.
func (sh *Shaped) SentTools(declared []callwright.Tool) ([]SentTool, error) {
	tools, err := sh.Request.DeclaredTools()
	if err != nil {
		return nil, err
	}
	byName := make(map[string]*callwright.Tool, len(declared))
	for i := range declared {
		byName[declared[i].Name] = &declared[i]
	}
	out := make([]SentTool, 0, len(tools))
	for _, t := range tools {
		if own := byName[sh.Sent.Naming.DeclaredName(t.Name)]; own != nil && t.Type != callwright.HostedTool {
			out = append(out, SentTool{Tool: t, Declared: own})
		}
	}
	return out, nil
}

// probeTokens is the output token limit of a probe request, the minimum of OpenAI's Responses API:
// https://platform.openai.com/docs/api-reference/responses/create#responses-create-max_output_tokens.
const probeTokens = "16"

// Probe returns a minimal request with the given tools and without the conversation. Its response is ignored.
func (sh *Shaped) Probe(tools []SentTool, known *caps.Caps) *callwright.Request {
	out := &callwright.Request{Model: sh.Request.Model, Messages: []callwright.Message{callwright.UserText("Hi")},
		Tools: make([]callwright.Tool, 0, len(tools))}
	out.Params.MaxTokens = probeTokens
	for i := range tools {
		out.Tools = append(out.Tools, tools[i].Tool)
	}
	companion.Change(out, func(c *companion.Companion) { c.Known = known })
	return out
}

// DeclaredAt returns the declared name of a tool in the sent body. places are JSON pointers; the first one that leads
// to a tool counts. It returns "" if none does.
func (sh *Shaped) DeclaredAt(ctx context.Context, m callwright.Model, places ...string) string {
	p, ok := m.(callwright.Previewer)
	if !ok {
		return ""
	}
	pre, err := p.Preview(ctx, sh.Request)
	if err != nil {
		return ""
	}
	for _, place := range places {
		if name := declaredName(place, pre.Body, sh.Sent.Naming); name != "" && name != place {
			return name
		}
	}
	return ""
}
