package simulate

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// openAIRequest contains the fields of a Chat Completions request that the server uses.
type openAIRequest struct {
	Model    string
	Messages []openAIMessage
	Stream   bool
	Tools    *[]struct {
		Type     string
		Function struct {
			Name       string
			Parameters json.RawMessage
		}
		Custom struct{ Name string }
	}
	ToolChoice json.RawMessage `json:"tool_choice"`
	Parallel   *bool           `json:"parallel_tool_calls"`
	Format     json.RawMessage `json:"response_format"`
	Thinking   struct{ Type string }
	MaxTokens  int `json:"max_tokens"`
	MaxOutput  int `json:"max_completion_tokens"`
}

type openAIMessage struct {
	Role      string
	Content   json.RawMessage
	ToolCalls []struct {
		ID       string
		Type     string
		Function struct {
			Name      string
			Arguments json.RawMessage
		}
		Custom struct{ Name, Input string }
	} `json:"tool_calls"`
	ToolCallID string `json:"tool_call_id"`
}

func readOpenAI(s *Seen) error {
	var req openAIRequest
	if err := json.Unmarshal(s.Body, &req); err != nil {
		return fmt.Errorf("could not parse the JSON body of the request: %w", err)
	}
	s.Model, s.Stream, s.Format = req.Model, req.Stream, req.Format
	s.MaxTokens = max(req.MaxTokens, req.MaxOutput)
	s.Thinks = req.Thinking.Type == "enabled" || s.Thinks && req.Thinking.Type != "disabled"
	s.Serial = req.Parallel != nil && !*req.Parallel
	switch {
	case req.Model == "":
		return errors.New("you must provide a model parameter")
	case len(req.Messages) == 0:
		return errors.New("'messages': expected an array with at least 1 element")
	case req.Tools != nil && len(*req.Tools) == 0:
		return errors.New("[] is too short - 'tools'")
	case req.Tools == nil && req.Parallel != nil:
		return errors.New("'parallel_tool_calls' is only allowed when 'tools' are specified")
	case req.Tools == nil && len(req.ToolChoice) > 0 && string(req.ToolChoice) != "null":
		return errors.New("'tool_choice' is only allowed when 'tools' are specified")
	}
	if err := readOpenAITools(s, req); err != nil {
		return err
	}
	return readOpenAIMessages(s, req.Messages)
}

func readOpenAITools(s *Seen, req openAIRequest) error {
	if req.Tools == nil {
		return nil
	}
	for i, t := range *req.Tools {
		at := "tools[" + strconv.Itoa(i) + "]"
		name, schema := t.Function.Name, t.Function.Parameters
		switch t.Type {
		case "function":
			if len(schema) > 0 {
				if err := checkSchema(at+".function.parameters", schema); err != nil {
					return err
				}
			}
		case "custom":
			name = t.Custom.Name
		default:
			return fmt.Errorf("%s.type: expected function or custom, got %q", at, t.Type)
		}
		if err := s.checkTool(at+".function.name", name, 64); err != nil {
			return err
		}
		s.declare(name, schema)
	}
	var word string
	var named struct{ Function, Custom struct{ Name string } }
	var some struct {
		Allowed struct {
			Mode  string
			Tools []struct{ Function, Custom struct{ Name string } }
		} `json:"allowed_tools"`
	}
	switch {
	case len(req.ToolChoice) == 0:
	case json.Unmarshal(req.ToolChoice, &word) == nil:
		s.Choice = word
	case json.Unmarshal(req.ToolChoice, &named) == nil && named.Function.Name+named.Custom.Name != "":
		s.Choice = named.Function.Name + named.Custom.Name
		if _, ok := s.schemas[s.Choice]; !ok {
			return fmt.Errorf("tool choice %q not found in 'tools'", s.Choice)
		}
	case json.Unmarshal(req.ToolChoice, &some) == nil && some.Allowed.Tools != nil:
		var names []string
		for _, t := range some.Allowed.Tools {
			names = append(names, t.Function.Name+t.Custom.Name)
		}
		s.allow(names)
		s.Choice = some.Allowed.Mode
	}
	if s.Choice == "" {
		s.Choice = "auto"
	}
	return nil
}

func readOpenAIMessages(s *Seen, messages []openAIMessage) error {
	open := map[string]bool{} // ids of calls without a result; only results may follow
	for i, m := range messages {
		at := "messages[" + strconv.Itoa(i) + "]"
		blocks, _, err := readContent(m.Content)
		if err != nil {
			return fmt.Errorf("%s.content: %w", at, err)
		}
		if m.Role != "tool" && len(open) > 0 {
			return unansweredError(open)
		}
		if blocks == nil && (m.Role != "assistant" || len(m.ToolCalls) == 0) {
			return fmt.Errorf("%s.content: expected a string or a list of content parts, got null", at)
		}
		out := Message{Role: m.Role, Text: textOf(blocks)}
		switch m.Role {
		case "system", "developer":
			s.System = strings.TrimPrefix(s.System+"\n"+out.Text, "\n")
			continue
		case "user":
		case "assistant":
			if err := readOpenAICalls(at, m, &out, open); err != nil {
				return err
			}
		case "tool":
			if !open[m.ToolCallID] {
				return fmt.Errorf("invalid parameter: messages with role 'tool' must be a response to a preceding message with "+
					"'tool_calls': %s has tool_call_id %q", at, m.ToolCallID)
			}
			delete(open, m.ToolCallID)
			out.Text, out.Results = "", []Result{{ID: m.ToolCallID, Text: out.Text}}
		default:
			return fmt.Errorf("%s.role: %q is not one of system, developer, user, assistant, tool", at, m.Role)
		}
		s.History = append(s.History, out)
	}
	if len(open) > 0 {
		return unansweredError(open)
	}
	return nil
}

func readOpenAICalls(at string, m openAIMessage, out *Message, open map[string]bool) error {
	for j, c := range m.ToolCalls {
		at := at + ".tool_calls[" + strconv.Itoa(j) + "]"
		if c.Type == "custom" {
			open[c.ID] = true
			out.Calls = append(out.Calls, Call{Name: c.Custom.Name, Arguments: c.Custom.Input, ID: c.ID})
			continue
		}
		var args string
		if json.Unmarshal(c.Function.Arguments, &args) != nil {
			return fmt.Errorf("%s.function.arguments: expected a string", at)
		}
		if c.ID == "" || c.Type != "function" || c.Function.Name == "" {
			return fmt.Errorf("%s: id, type and function.name are required", at)
		}
		if len(c.ID) > 40 {
			return fmt.Errorf("%s.id: expected at most 40 characters, got %d", at, len(c.ID))
		}
		if open[c.ID] {
			return fmt.Errorf("%s.id: duplicate id %q", at, c.ID)
		}
		open[c.ID] = true
		out.Calls = append(out.Calls, Call{Name: c.Function.Name, Arguments: args, ID: c.ID})
	}
	return nil
}

func unansweredError(open map[string]bool) error {
	return fmt.Errorf("an assistant message with 'tool_calls' must be followed by tool messages responding to each "+
		"'tool_call_id'. The following tool_call_ids did not have response messages: %s", joinKeys(open))
}
