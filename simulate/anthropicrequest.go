package simulate

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// anthropicRequest contains the fields of a Messages request that the server uses.
type anthropicRequest struct {
	Model     string
	MaxTokens *int `json:"max_tokens"`
	Messages  []anthropicMessage
	System    json.RawMessage
	Stream    bool
	Tools     []struct {
		Type, Name  string
		InputSchema json.RawMessage `json:"input_schema"`
	}
	ToolChoice struct {
		Type, Name string
		Serial     bool `json:"disable_parallel_tool_use"`
	} `json:"tool_choice"`
	Thinking     struct{ Type string }
	Temperature  *json.Number
	OutputConfig struct{ Format json.RawMessage } `json:"output_config"`
}

type anthropicMessage struct {
	Role    string
	Content json.RawMessage
}

// anthropicMembers are the permitted top-level fields of a Messages request; the server rejects all others.
var anthropicMembers = strings.Fields(`model max_tokens messages system stream tools tool_choice temperature top_p top_k
	stop_sequences thinking output_config output_format metadata service_tier speed container cache_control inference_geo
	diagnostics context_management mcp_servers`)

func readAnthropic(s *Seen) error {
	var members map[string]json.RawMessage
	var req anthropicRequest
	if err := json.Unmarshal(s.Body, &members); err != nil {
		return fmt.Errorf("the request body is not valid JSON: %w", err)
	}
	if err := json.Unmarshal(s.Body, &req); err != nil {
		return fmt.Errorf("the request body does not fit: %w", err)
	}
	s.Model, s.Stream, s.Format = req.Model, req.Stream, req.OutputConfig.Format
	for _, key := range slices.Sorted(maps.Keys(members)) {
		if !slices.Contains(anthropicMembers, key) {
			return fmt.Errorf("%s: Extra inputs are not permitted", key)
		}
	}
	switch {
	case s.Header.Get("anthropic-version") == "":
		return errors.New("anthropic-version: header is required")
	case req.Model == "":
		return errors.New("model: Field required")
	case req.MaxTokens == nil:
		return errors.New("max_tokens: Field required")
	case len(req.Messages) == 0:
		return errors.New("messages: at least one message is required")
	}
	s.Thinks = req.Thinking.Type != "" && req.Thinking.Type != "disabled"
	s.MaxTokens = *req.MaxTokens
	if req.Temperature != nil {
		if t, err := req.Temperature.Float64(); err != nil || t < 0 || t > 1 {
			return fmt.Errorf("temperature: range: 0..1, got %s", *req.Temperature)
		}
	}
	system, _, err := readContent(req.System)
	if err != nil {
		return fmt.Errorf("system: %w", err)
	}
	s.System = textOf(system)
	if err := readAnthropicTools(s, req); err != nil {
		return err
	}
	return readAnthropicMessages(s, req.Messages)
}

func readAnthropicTools(s *Seen, req anthropicRequest) error {
	for i, t := range req.Tools {
		at := "tools." + strconv.Itoa(i)
		if err := s.checkTool(at+".custom.name", t.Name, 128); err != nil {
			return err
		}
		if _, twice := s.schemas[t.Name]; twice {
			return errors.New("tools: Tool names must be unique.")
		}
		if t.Type == "" || t.Type == "custom" {
			if err := checkSchema(at+".custom.input_schema", t.InputSchema); err != nil {
				return err
			}
		}
		s.declare(t.Name, t.InputSchema)
	}
	s.Serial = req.ToolChoice.Serial
	switch c := req.ToolChoice; c.Type {
	case "", "auto":
	case "none":
		s.Choice = "none"
	case "any":
		s.Choice = "required"
	case "tool":
		if _, ok := s.schemas[c.Name]; !ok {
			return fmt.Errorf("tool_choice: tool %q not found in provided tools", c.Name)
		}
		s.Choice = c.Name
	default:
		return fmt.Errorf("tool_choice.type: expected auto, any, tool or none, got %q", c.Type)
	}
	if s.Choice != "auto" && len(s.Tools) == 0 {
		return errors.New("tool_choice may only be specified while providing tools")
	}
	return nil
}

func readAnthropicMessages(s *Seen, messages []anthropicMessage) error {
	if messages[0].Role != "user" {
		return errors.New("messages: first message must use the \"user\" role")
	}
	open := map[string]bool{} // ids of the previous message's calls
	known := map[string]bool{}
	for i, m := range messages {
		at := "messages." + strconv.Itoa(i)
		blocks, isText, err := readContent(m.Content)
		if err != nil {
			return fmt.Errorf("%s.content: %w", at, err)
		}
		if m.Role == "system" {
			s.System = strings.TrimPrefix(s.System+"\n"+textOf(blocks), "\n")
			continue
		}
		if m.Role != "user" && m.Role != "assistant" {
			return fmt.Errorf("%s.role: Input should be 'user' or 'assistant', got %q", at, m.Role)
		}
		if m.Role == "user" && len(blocks) == 0 || m.Role == "user" && isText && textOf(blocks) == "" {
			return fmt.Errorf("%s: user messages must have non-empty content", at)
		}
		out := Message{Role: m.Role}
		if isText {
			out.Text = textOf(blocks)
		} else if err := readAnthropicBlocks(s, at, m.Role, blocks, open, known, &out); err != nil {
			return err
		}
		if len(open) > 0 && (m.Role == "user" || len(out.Calls) != len(open)) {
			return unansweredUse(i, open)
		}
		s.History = append(s.History, out)
	}
	if len(open) > 0 {
		return unansweredUse(len(messages)-1, open)
	}
	if last := s.History[len(s.History)-1]; last.Role == "assistant" && last.Text != strings.TrimRight(last.Text, " \t\n") {
		return errors.New("messages: final assistant content cannot end with trailing whitespace")
	}
	return nil
}

// readAnthropicBlocks reads the content blocks of one message into out. It adds the ids of tool_use blocks to known and
// open. It removes the ids that tool_result blocks answer from open.
func readAnthropicBlocks(s *Seen, at, role string, blocks []block, open, known map[string]bool, out *Message) error {
	for j, b := range blocks {
		at := at + ".content." + strconv.Itoa(j)
		switch b.Type {
		case "text":
			if b.Text == nil || *b.Text == "" {
				return fmt.Errorf("%s.text: text content blocks must be non-empty", at)
			}
			out.Text = strings.TrimPrefix(out.Text+"\n"+*b.Text, "\n")
		case "tool_use":
			if err := checkToolUse(s, at, role, b, known); err != nil {
				return err
			}
			open[b.ID], known[b.ID] = true, true
			out.Calls = append(out.Calls, Call{Name: b.Name, Arguments: string(b.Input), ID: b.ID})
		case "tool_result":
			if role != "user" || !open[b.ToolUseID] {
				return fmt.Errorf("%s: unexpected `tool_use_id` found in `tool_result` blocks: %s. Each `tool_result` block must "+
					"have a corresponding `tool_use` block in the previous message", at, b.ToolUseID)
			}
			if out.Text != "" {
				return fmt.Errorf("%s: `tool_result` blocks must come before other content", at)
			}
			inner, _, err := readContent(b.Content)
			if err != nil {
				return fmt.Errorf("%s.content: %w", at, err)
			}
			delete(open, b.ToolUseID)
			out.Results = append(out.Results, Result{ID: b.ToolUseID, Text: textOf(inner), Error: b.IsError})
		case "thinking":
			if b.Thinking == nil || b.Signature == nil || *b.Signature == "" {
				return fmt.Errorf("%s.thinking.signature: Field required", at)
			}
		case "":
			return fmt.Errorf("%s.type: Field required", at)
		}
	}
	return nil
}

func checkToolUse(s *Seen, at, role string, b block, known map[string]bool) error {
	switch {
	case role != "assistant":
		return fmt.Errorf("%s: `tool_use` blocks can only be in `assistant` messages", at)
	case len(s.Tools) == 0:
		return errors.New("requests which contain `tool_use` or `tool_result` blocks must define tools")
	case len(b.Input) == 0 || b.Input[0] != '{':
		return fmt.Errorf("%s.tool_use.input: Input should be an object", at)
	case known[b.ID]:
		return fmt.Errorf("%s: `tool_use` ids must be unique: %s", at, b.ID)
	}
	if err := checkName(at+".tool_use.name", b.Name, 200); err != nil {
		return err
	}
	return checkName(at+".tool_use.id", b.ID, 256)
}

func unansweredUse(at int, open map[string]bool) error {
	return fmt.Errorf("messages.%d: `tool_use` ids were found without `tool_result` blocks immediately after: %s. Each "+
		"`tool_use` block must have a corresponding `tool_result` block in the next message", at, joinKeys(open))
}
