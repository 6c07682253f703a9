package simulate

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// readGemini parses a generateContent request. Fields may be in camel case or snake case. The path contains the model
// and the method, so s.Model and s.Stream are already set.
func readGemini(s *Seen) error {
	doc, err := parseNode(s.Body)
	if err != nil {
		return fmt.Errorf("Invalid JSON payload received. %w", err)
	}
	s.System = geminiText(doc.at("systemInstruction"))
	config := doc.at("generationConfig")
	s.MaxTokens, _ = strconv.Atoi(config.at("maxOutputTokens").number())
	if config.at("responseMimeType").str() == "application/json" {
		s.Format = json.RawMessage(`{}`)
		for _, name := range []string{"responseSchema", "responseJsonSchema"} {
			if config.has(name) {
				s.Format = json.RawMessage(config.at(name).raw)
			}
		}
	}
	s.Thinks = s.Thinks || config.at("thinkingConfig", "includeThoughts").isTrue()
	if err := readGeminiTools(s, doc); err != nil {
		return err
	}
	contents := doc.at("contents").list()
	if len(contents) == 0 {
		return errors.New("* GenerateContentRequest.contents: contents is not specified")
	}
	return readGeminiContents(s, contents)
}

func readGeminiTools(s *Seen, doc *node) error {
	if doc.has("tools") && !doc.at("tools").is("array") {
		return errors.New(`Invalid value at 'tools' (type.googleapis.com/google.ai.generativelanguage.v1beta.Tool), ` + doc.at("tools").raw)
	}
	for i, t := range doc.at("tools").list() {
		for j, f := range t.at("functionDeclarations").list() {
			at := fmt.Sprintf("tools[%d].function_declarations[%d]", i, j)
			name := f.at("name").str()
			if !isGeminiName(name) {
				return fmt.Errorf("* GenerateContentRequest.%s.name: %s", at, geminiNameRule)
			}
			schema := f.at("parametersJsonSchema")
			if schema == nil {
				schema = f.at("parameters")
			}
			if schema != nil && !strings.EqualFold(schema.at("type").str(), "object") {
				return fmt.Errorf("* GenerateContentRequest.%s.parameters: expected an object", at)
			}
			if schema == nil {
				s.declare(name, nil)
				continue
			}
			s.declare(name, json.RawMessage(schema.raw))
		}
	}
	calling := doc.at("toolConfig", "functionCallingConfig")
	allowed := calling.at("allowedFunctionNames").list()
	switch mode := calling.at("mode").str(); {
	case mode == "NONE":
		s.Choice = "none"
	case mode == "ANY" && len(allowed) == 1:
		s.Choice = allowed[0].str()
		if _, ok := s.schemas[s.Choice]; !ok {
			return fmt.Errorf("allowed function %q is not declared", s.Choice)
		}
	case mode == "ANY":
		s.Choice = "required"
		if len(allowed) > 0 {
			var names []string
			for _, name := range allowed {
				names = append(names, name.str())
			}
			s.allow(names)
		}
	}
	if s.Choice != "auto" && s.Choice != "none" && len(s.Tools) == 0 {
		return errors.New("Function calling config is set without function_declarations.")
	}
	return nil
}

// geminiRoles maps the roles of Gemini to those of Message.
var geminiRoles = map[string]string{"": "user", "user": "user", "function": "user", "model": "assistant"}

// geminiCounts is Google's error message if the numbers of calls and results differ.
const geminiCounts = "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn."

func readGeminiContents(s *Seen, contents []*node) error {
	open := 0
	for i, c := range contents {
		at := "contents[" + strconv.Itoa(i) + "]"
		role, ok := geminiRoles[c.at("role").str()]
		if !ok {
			return errors.New("Please use a valid role: user, model.")
		}
		if len(c.at("parts").list()) == 0 {
			return fmt.Errorf("* GenerateContentRequest.%s.parts: contents.parts must not be empty.", at)
		}
		out := Message{Role: role, Text: geminiText(c)}
		for j, p := range c.at("parts").list() {
			if err := readGeminiPart(fmt.Sprintf("%s.parts[%d]", at, j), p, &out); err != nil {
				return err
			}
		}
		if open > 0 && isBlankTurn(c) {
			continue
		}
		open -= len(out.Results)
		if open < 0 || open > 0 && len(out.Results) == 0 {
			return &failure{message: geminiCounts}
		}
		open += len(out.Calls)
		s.History = append(s.History, out)
	}
	if open > 0 {
		return &failure{message: geminiCounts}
	}
	return nil
}

// isBlankTurn reports whether a content belongs to the model and has no content except empty texts. Google's Python SDK
// returns each chunk of a stream as a content, and the last chunk has an empty text.
func isBlankTurn(content *node) bool {
	return content.at("role").str() == "model" && !slices.ContainsFunc(content.at("parts").list(), func(p *node) bool {
		return !p.has("text") || p.at("text").str() != ""
	})
}

func readGeminiPart(at string, p *node, out *Message) error {
	if call := p.at("functionCall"); call != nil {
		args := call.at("args")
		if args != nil && !args.is("object") {
			return fmt.Errorf("Invalid value at '%s.function_call.args' (type.googleapis.com/google.protobuf.Struct), %s", at, args.raw)
		}
		c := Call{Name: call.at("name").str(), ID: call.at("id").str(), Arguments: "{}"}
		if args != nil {
			c.Arguments = args.raw
		}
		out.Calls = append(out.Calls, c)
	}
	if result := p.at("functionResponse"); result != nil {
		response := result.at("response")
		if !response.is("object") {
			return fmt.Errorf("Invalid value at '%s.function_response.response' (type.googleapis.com/google.protobuf.Struct)", at)
		}
		if result.at("name").str() == "" {
			return fmt.Errorf("* GenerateContentRequest.%s.function_response.name: Name cannot be empty.", at)
		}
		out.Results = append(out.Results, Result{ID: result.at("id").str(), Text: geminiResult(response), Error: response.has("error")})
	}
	return nil
}

// geminiText joins the texts of a content with line breaks, without thoughts.
func geminiText(content *node) string {
	var out []string
	for _, p := range content.at("parts").list() {
		if p.has("text") && !p.at("thought").isTrue() && p.at("text").str() != "" {
			out = append(out, p.at("text").str())
		}
	}
	return strings.Join(out, "\n")
}

// geminiResult returns the text of a function response: the value of its only member, if its name is one that clients
// use as a wrapper, such as "output"; otherwise the whole JSON.
func geminiResult(response *node) string {
	if len(response.keys) == 1 {
		for _, key := range []string{"output", "result", "error", "content"} {
			if inner := response.at(key); inner.is("string") {
				return inner.text
			} else if inner != nil {
				return inner.raw
			}
		}
	}
	return response.raw
}

const geminiNameRule = "Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), " +
	"underscores (_), dots (.), colons (:) or dashes (-), with a maximum length of 128."

// isGeminiName reports whether a function name is permitted, see geminiNameRule.
func isGeminiName(name string) bool {
	for i, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_'
		if !letter && (i == 0 || (r < '0' || r > '9') && !strings.ContainsRune(".:-", r)) {
			return false
		}
	}
	return name != "" && len(name) <= 128
}
