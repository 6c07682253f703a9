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

// responsesRequest contains the fields of a Responses request that the server uses.
type responsesRequest struct {
	Model        string
	Input        json.RawMessage
	Instructions string
	Stream       bool
	Tools        []responsesTool
	ToolChoice   json.RawMessage `json:"tool_choice"`
	Parallel     *bool           `json:"parallel_tool_calls"`
	Text         struct{ Format json.RawMessage }
	Reasoning    *struct{ Effort string }
	MaxTokens    int    `json:"max_output_tokens"`
	Previous     string `json:"previous_response_id"`
}

// A responsesTool is a tool, or a namespace with a group of tools.
type responsesTool struct {
	Type, Name string
	Parameters json.RawMessage
	Tools      []responsesTool
}

// A responsesInput is an input item of any type.
type responsesInput struct {
	Type, Role, ID, Name, Input string
	CallID                      string `json:"call_id"`
	Content, Output, Arguments  json.RawMessage
	Tools                       []responsesTool
}

func readResponses(s *Seen) error {
	var req responsesRequest
	if err := json.Unmarshal(s.Body, &req); err != nil {
		return fmt.Errorf("could not parse the JSON body of the request: %w", err)
	}
	s.Model, s.Stream, s.Format, s.MaxTokens, s.System = req.Model, req.Stream, req.Text.Format, req.MaxTokens, req.Instructions
	s.Serial = req.Parallel != nil && !*req.Parallel
	s.Thinks = s.Thinks || req.Reasoning != nil && req.Reasoning.Effort != "none"
	switch {
	case req.Model == "":
		return &failure{message: "Missing required parameter: 'model'.", param: "model", code: "missing_required_parameter"}
	case req.Previous != "":
		return &failure{message: "Previous response with id '" + req.Previous + "' not found.", param: "previous_response_id",
			code: "previous_response_not_found"} // this server stores no responses
	}
	if err := readResponsesTools(s, "tools", "", req.Tools); err != nil {
		return err
	}
	var text string
	var items []responsesInput
	if json.Unmarshal(req.Input, &text) == nil && text != "" {
		items = []responsesInput{{Role: "user", Content: req.Input}}
	} else if err := json.Unmarshal(req.Input, &items); err != nil || len(items) == 0 {
		return &failure{message: "Missing required parameter: 'input'.", param: "input", code: "missing_required_parameter"}
	}
	if err := readResponsesItems(s, items); err != nil {
		return err
	}
	return readResponsesChoice(s, req.ToolChoice)
}

func readResponsesTools(s *Seen, at, namespace string, tools []responsesTool) error {
	for i, t := range tools {
		at := at + "[" + strconv.Itoa(i) + "]"
		if t.Type == "namespace" {
			if err := readResponsesTools(s, at+".tools", t.Name, t.Tools); err != nil {
				return err
			}
			continue
		}
		if t.Type != "function" && t.Type != "custom" {
			if t.Type == "" {
				return fmt.Errorf("missing required parameter: '%s.type'", at)
			}
			continue // a built-in tool of the server
		}
		if err := s.checkTool(at+".name", t.Name, 128); err != nil {
			return err
		}
		if len(t.Parameters) > 0 && string(t.Parameters) != "null" {
			if err := checkSchema(at+".parameters", t.Parameters); err != nil {
				return err
			}
		}
		s.declare(t.Name, t.Parameters)
		if t.Type == "custom" || namespace != "" {
			if s.kinds == nil {
				s.kinds = map[string]toolKind{}
			}
			s.kinds[t.Name] = toolKind{custom: t.Type == "custom", namespace: namespace}
		}
	}
	return nil
}

func readResponsesChoice(s *Seen, choice json.RawMessage) error {
	var word string
	var named struct {
		Type, Name, Mode string
		Tools            []struct{ Name string }
	}
	switch {
	case len(choice) == 0 || string(choice) == "null":
	case json.Unmarshal(choice, &word) == nil:
		s.Choice = word
	case json.Unmarshal(choice, &named) == nil && named.Name != "":
		s.Choice = named.Name
		if _, ok := s.schemas[named.Name]; !ok {
			return fmt.Errorf("tool choice %q not found in 'tools' parameter", named.Name)
		}
	case named.Mode != "":
		var names []string
		for _, t := range named.Tools {
			names = append(names, t.Name)
		}
		s.allow(names)
		s.Choice = named.Mode
	}
	if len(s.Tools) == 0 && s.Choice != "auto" && s.Choice != "none" {
		return errors.New("tool choice '" + s.Choice + "' must be specified with 'tools' parameter")
	}
	return nil
}

// readResponsesItems parses the input into History. Consecutive text and call items of the model become one message.
func readResponsesItems(s *Seen, items []responsesInput) error {
	open := map[string]bool{} // ids of calls without an output
	for i, item := range items {
		at := "input[" + strconv.Itoa(i) + "]"
		switch item.Type {
		case "", "message":
			if err := readResponsesMessage(s, at, item); err != nil {
				return err
			}
		case "function_call", "custom_tool_call":
			args := item.Input
			if item.Type == "function_call" && json.Unmarshal(item.Arguments, &args) != nil {
				return fmt.Errorf("invalid type for '%s.arguments': expected a string", at)
			}
			if item.CallID == "" || item.Name == "" {
				return fmt.Errorf("%s: call_id and name are required", at)
			}
			open[item.CallID] = true
			said := s.ensureModelMessage()
			said.Calls = append(said.Calls, Call{Name: item.Name, Arguments: args, ID: item.CallID})
		case "function_call_output", "custom_tool_call_output":
			blocks, _, err := readContent(item.Output)
			if err != nil {
				return fmt.Errorf("%s.output: %w", at, err)
			}
			if !open[item.CallID] {
				return fmt.Errorf("no tool call found for function call output with call_id %s", item.CallID)
			}
			delete(open, item.CallID)
			s.History = append(s.History, Message{Role: "tool", Results: []Result{{ID: item.CallID, Text: textOf(blocks)}}})
		case "additional_tools":
			if err := readResponsesTools(s, at+".tools", "", item.Tools); err != nil {
				return err
			}
		case "item_reference":
			return &failure{status: 404, message: "Item with id '" + item.ID + "' not found.", param: "input"} // stores no items
		}
	}
	for _, id := range slices.Sorted(maps.Keys(open)) {
		return &failure{message: "No tool output found for function call " + id + ".", param: "input"}
	}
	return nil
}

func readResponsesMessage(s *Seen, at string, item responsesInput) error {
	blocks, _, err := readContent(item.Content)
	if err != nil || blocks == nil {
		return fmt.Errorf("%s.content: expected a string or a list of content parts", at)
	}
	text := textOf(blocks)
	switch item.Role {
	case "system", "developer":
		s.System = strings.TrimPrefix(s.System+"\n"+text, "\n")
	case "user":
		s.History = append(s.History, Message{Role: "user", Text: text})
	case "assistant":
		said := s.ensureModelMessage()
		said.Text = strings.TrimPrefix(said.Text+"\n"+text, "\n")
	default:
		return fmt.Errorf("%s.role: %q is not one of system, developer, user, assistant", at, item.Role)
	}
	return nil
}

// ensureModelMessage returns the last message of the history if it is the model's. Otherwise it appends a new one.
func (s *Seen) ensureModelMessage() *Message {
	if n := len(s.History); n == 0 || s.History[n-1].Role != "assistant" {
		s.History = append(s.History, Message{Role: "assistant"})
	}
	return &s.History[len(s.History)-1]
}
