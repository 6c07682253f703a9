package simulate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// ollamaRequest contains the fields of an /api/chat request that the server uses. Ollama ignores unknown fields, so
// there is no tool choice and no option against parallel calls.
type ollamaRequest struct {
	Model    string `json:"model"`
	Messages []struct {
		Role      string `json:"role"`
		Content   string `json:"content"`
		ToolCalls []struct {
			ID       string `json:"id"`
			Function struct {
				Name      string          `json:"name"`
				Arguments json.RawMessage `json:"arguments"`
			} `json:"function"`
		} `json:"tool_calls"`
		ToolName   string `json:"tool_name"`
		ToolCallID string `json:"tool_call_id"`
	} `json:"messages"`
	Stream *bool `json:"stream"`
	Tools  []struct {
		Function struct {
			Name       string          `json:"name"`
			Parameters json.RawMessage `json:"parameters"`
		} `json:"function"`
	} `json:"tools"`
	Format  json.RawMessage `json:"format"`
	Think   any             `json:"think"`
	Options struct {
		NumPredict int `json:"num_predict"`
	} `json:"options"`
}

func readOllama(s *Seen) error {
	var req ollamaRequest
	if err := json.Unmarshal(s.Body, &req); err != nil {
		wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
		if !ok {
			return err
		}
		return fmt.Errorf("json: cannot unmarshal %s into Go struct field ChatRequest.%s of type %s", wrong.Value, wrong.Field, wrong.Type)
	}
	if req.Model == "" {
		return errors.New("model is required")
	}
	s.Model, s.Format, s.MaxTokens = req.Model, req.Format, req.Options.NumPredict
	s.Stream = req.Stream == nil || *req.Stream
	s.Thinks = s.Thinks || req.Think != nil && req.Think != false
	for i, t := range req.Tools {
		if t.Function.Name == "" {
			return fmt.Errorf("tools[%d].function.name is required", i)
		}
		if schema := bytes.TrimSpace(t.Function.Parameters); len(schema) > 0 && schema[0] != '{' && string(schema) != "null" {
			return fmt.Errorf("json: cannot unmarshal %s into Go struct field ChatRequest.tools.function.parameters of type api.ToolFunctionParameters", kindOf(string(schema)))
		}
		s.declare(t.Function.Name, ollamaSchema(t.Function.Parameters))
	}
	for _, m := range req.Messages {
		out := Message{Role: m.Role, Text: m.Content}
		for _, c := range m.ToolCalls {
			args := c.Function.Arguments
			if len(args) > 0 && args[0] != '{' {
				return fmt.Errorf("json: cannot unmarshal %s into Go struct field ChatRequest.messages.tool_calls.function.arguments of "+
					"type api.ToolCallFunctionArguments", kindOf(string(args)))
			}
			out.Calls = append(out.Calls, Call{Name: c.Function.Name, Arguments: string(args), ID: c.ID})
		}
		switch m.Role {
		case "system":
			if s.System != "" {
				s.System += "\n"
			}
			s.System += m.Content
			continue
		case "user", "assistant":
		case "tool":
			out.Text, out.Results = "", []Result{{ID: m.ToolCallID, Text: m.Content}}
		default:
			return fmt.Errorf("invalid role: %s, must be one of [system, user, assistant, tool]", m.Role)
		}
		s.History = append(s.History, out)
	}
	return nil
}

// Schema keywords that Ollama passes to the model, at the root and in a property. It drops all others.
var (
	ollamaRoot     = []string{"type", "$defs", "items", "required", "properties"}
	ollamaProperty = []string{"type", "anyOf", "items", "description", "enum", "properties", "required"}
)

// ollamaSchema returns the part of an arguments schema that Ollama passes to the model.
func ollamaSchema(schema json.RawMessage) json.RawMessage {
	root, err := parseNode(schema)
	if err != nil {
		return nil
	}
	return json.RawMessage(ollamaKept(root, ollamaRoot))
}

// ollamaKept returns the schema with only the members in keep.
func ollamaKept(schema *node, keep []string) string {
	if !schema.is("object") {
		return schema.raw
	}
	var out []member
	for key, value := range schema.members() {
		switch {
		case !slices.Contains(keep, key):
			continue
		case key == "properties":
			var inner []member
			for name, p := range value.members() {
				inner = append(inner, member{name, ollamaKept(p, ollamaProperty)})
			}
			out = append(out, member{key, object(inner...)})
		case key == "anyOf":
			var inner []string
			for _, p := range value.list() {
				inner = append(inner, ollamaKept(p, ollamaProperty))
			}
			out = append(out, member{key, list(inner)})
		default:
			out = append(out, member{key, value.raw})
		}
	}
	return object(out...)
}
