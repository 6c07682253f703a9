package classes_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
)

// A got is an answer or an error as a client's SDK reads it.
type got struct {
	status        int
	text, thought string
	calls         []call
	finish        string
	ended         bool   // by the API's own mark
	code, message string // of an error, whole or in a stream
	id            string // of the report
	raw           string
	broken        string // which rule of its API the answer breaks
}

func (g *got) failed() bool { return g.status != http.StatusOK || g.message != "" }

// read reads an answer in an API's form.
func read(as api, stream bool, resp *http.Response) *got {
	raw, err := io.ReadAll(resp.Body)
	g := &got{status: resp.StatusCode, raw: string(raw)}
	for _, field := range strings.Split(resp.Header.Get("Callwright-Report"), ";") {
		if id, ok := strings.CutPrefix(strings.TrimSpace(field), "id="); ok {
			g.id = id
		}
	}
	switch {
	case g.status != http.StatusOK:
		g.fail(as, object(g.raw))
	case !stream:
		g.whole(as, object(g.raw))
	default:
		g.stream(as)
		if err != nil && g.message == "" {
			g.message = "connection: " + err.Error()
		}
	}
	return g
}

// member walks members of objects and elements of lists; nil where one is missing.
func member(v any, path ...any) any {
	for _, p := range path {
		switch p := p.(type) {
		case string:
			o, _ := v.(m)
			v = o[p]
		case int:
			l, _ := v.([]any)
			if p >= len(l) {
				return nil
			}
			v = l[p]
		}
	}
	return v
}

func str(v any, path ...any) string {
	s, _ := member(v, path...).(string)
	return s
}

func list(v any, path ...any) []any {
	l, _ := member(v, path...).([]any)
	return l
}

// fail reads an error's document in the form of an API.
func (g *got) fail(as api, doc m) {
	e := doc["error"]
	g.message, g.code = str(e, "message"), str(e, "code")
	switch as {
	case anthropic:
		g.code = str(e, "details", "error_code")
		if doc["type"] != "error" || str(e, "type") == "" {
			g.broken = "an error without its type"
		}
	case gemini:
		g.code = ""
		if g.status != http.StatusOK && fmt.Sprint(member(e, "code")) != fmt.Sprint(g.status) || str(e, "status") == "" {
			g.broken = "an error without its code and status"
		}
	case ollama:
		g.message, _ = e.(string)
	case chat, responses:
		if str(e, "type") == "" && str(e, "code") == "" {
			g.broken = "an error without type and code"
		}
	}
	if g.message == "" {
		g.message, g.broken = "no message", "an error without a message: "+text(doc)
	}
}

func (g *got) add(id, name string, args any) {
	s, isText := args.(string)
	if !isText {
		s = text(args)
	}
	g.calls = append(g.calls, call{id, name, s})
}

func (g *got) whole(as api, doc m) {
	if doc == nil {
		g.broken = "no object"
		return
	}
	g.ended = true
	switch as {
	case chat:
		msg := member(doc, "choices", 0, "message")
		g.text, g.thought, g.finish = str(msg, "content"), str(msg, "reasoning_content"), str(doc, "choices", 0, "finish_reason")
		for _, c := range list(msg, "tool_calls") {
			g.add(str(c, "id"), str(c, "function", "name"), str(c, "function", "arguments"))
		}
	case responses:
		g.items(doc)
	case anthropic:
		g.finish = str(doc, "stop_reason")
		for _, b := range list(doc, "content") {
			g.block(b, nil)
		}
	case gemini:
		g.gemini(doc)
	case ollama:
		g.ollama(doc)
		g.finish, _ = doc["done_reason"].(string)
	}
}

// items reads the output of a response.
func (g *got) items(doc any) {
	g.finish = str(doc, "status")
	for _, it := range list(doc, "output") {
		switch str(it, "type") {
		case "message":
			for _, p := range list(it, "content") {
				g.text += str(p, "text")
			}
		case "reasoning":
			g.thought += str(it, "summary", 0, "text") + str(it, "content", 0, "text")
		case "function_call":
			g.add(str(it, "call_id"), str(it, "name"), str(it, "arguments"))
		case "custom_tool_call":
			g.add(str(it, "call_id"), str(it, "name"), text(str(it, "input")))
		}
	}
}

// block reads a content block. args is the text of a streamed input.
func (g *got) block(b any, args *strings.Builder) {
	switch str(b, "type") {
	case "text":
		g.text += str(b, "text")
	case "thinking":
		g.thought += str(b, "thinking")
	case "tool_use":
		var input = member(b, "input")
		if args != nil && args.Len() > 0 {
			input = args.String()
		}
		g.add(str(b, "id"), str(b, "name"), input)
	}
}

func (g *got) gemini(doc any) {
	for _, p := range list(doc, "candidates", 0, "content", "parts") {
		switch {
		case member(p, "functionCall") != nil:
			g.add(str(p, "functionCall", "id"), str(p, "functionCall", "name"), member(p, "functionCall", "args"))
		case member(p, "thought") == true:
			g.thought += str(p, "text")
		default:
			g.text += str(p, "text")
		}
	}
	if f := str(doc, "candidates", 0, "finishReason"); f != "" {
		g.finish, g.ended = f, true
	}
}

func (g *got) ollama(doc any) {
	g.text += str(doc, "message", "content")
	g.thought += str(doc, "message", "thinking")
	for _, c := range list(doc, "message", "tool_calls") {
		g.add(str(c, "id"), str(c, "function", "name"), member(c, "function", "arguments"))
	}
}

// stream reads events until the end or an error.
func (g *got) stream(as api) {
	if as == ollama {
		for _, line := range strings.Split(g.raw, "\n") {
			if doc := object(line); doc != nil {
				if doc["error"] != nil {
					g.fail(as, doc)
					return
				}
				g.ollama(doc)
				if doc["done"] == true {
					g.finish, g.ended = str(doc, "done_reason"), true
				}
			}
		}
		return
	}
	s := &streamed{got: g, args: map[string]*strings.Builder{}}
	for _, event := range strings.Split(strings.ReplaceAll(g.raw, "\r\n", "\n"), "\n\n") {
		var data []string
		for _, line := range strings.Split(event, "\n") {
			if d, ok := strings.CutPrefix(line, "data:"); ok {
				data = append(data, strings.TrimPrefix(d, " "))
			}
		}
		if len(data) > 0 && !s.event(as, strings.Join(data, "\n")) {
			return
		}
	}
	s.end(as)
}

// A streamed answer is being put together.
type streamed struct {
	*got
	blocks []any
	args   map[string]*strings.Builder // by index
	order  []call                      // of chat, args as index
}

// event reads one event; false ends the reading.
func (s *streamed) event(as api, data string) bool {
	if data == "[DONE]" {
		s.ended = true
		return true
	}
	doc := object(data)
	if doc == nil {
		s.broken = "an event that is no JSON: " + data
		return false
	}
	if kind := str(doc, "type"); as == responses && (kind == "error" || kind == "response.failed") {
		if kind == "error" {
			s.code, s.message = str(doc, "code"), str(doc, "message")
			if doc["error"] != nil {
				s.fail(as, doc)
			}
		} else {
			s.code, s.message = str(doc, "response", "error", "code"), str(doc, "response", "error", "message")
		}
		return false
	}
	if doc["error"] != nil {
		s.fail(as, doc)
		return false
	}
	switch as {
	case chat:
		s.chat(doc)
	case responses:
		s.response(doc)
	case anthropic:
		s.anthropic(doc)
	case gemini:
		s.gemini(doc)
	}
	return true
}

func (s *streamed) chat(doc m) {
	choice := member(doc, "choices", 0)
	delta := member(choice, "delta")
	s.text += str(delta, "content")
	s.thought += str(delta, "reasoning_content")
	for _, c := range list(delta, "tool_calls") {
		index := fmt.Sprint(member(c, "index"))
		if s.args[index] == nil {
			s.args[index] = &strings.Builder{}
			s.order = append(s.order, call{str(c, "id"), str(c, "function", "name"), index})
		}
		s.args[index].WriteString(str(c, "function", "arguments"))
	}
	if f := str(choice, "finish_reason"); f != "" {
		s.finish = f
	}
}

func (s *streamed) response(doc m) {
	switch str(doc, "type") {
	case "response.completed", "response.incomplete":
		streamedText := s.text
		s.text, s.thought, s.calls = "", "", nil
		s.items(doc["response"])
		s.ended = true
		if flat(streamedText) != flat(s.text) {
			s.broken = fmt.Sprintf("deltas of text %q, and the text %q at the end", streamedText, s.text)
		}
	case "response.output_text.delta":
		s.text += str(doc, "delta")
	}
}

func (s *streamed) anthropic(doc m) {
	index := fmt.Sprint(doc["index"])
	switch str(doc, "type") {
	case "content_block_start":
		b := doc["content_block"].(m)
		b["at"] = index
		s.blocks = append(s.blocks, b)
		s.args[index] = &strings.Builder{}
	case "content_block_delta":
		if len(s.blocks) == 0 || s.args[index] == nil {
			s.broken = "a delta without its block"
			return
		}
		b := s.blocks[len(s.blocks)-1].(m)
		d := doc["delta"]
		switch str(d, "type") {
		case "text_delta":
			b["text"] = str(b, "text") + str(d, "text")
		case "thinking_delta":
			b["thinking"] = str(b, "thinking") + str(d, "thinking")
		case "input_json_delta":
			s.args[index].WriteString(str(d, "partial_json"))
		}
	case "message_delta":
		if f := str(doc, "delta", "stop_reason"); f != "" {
			s.finish = f
		}
	case "message_stop":
		s.ended = true
	}
}

// end makes the calls of a stream.
func (s *streamed) end(as api) {
	for _, c := range s.order {
		s.add(c.id, c.name, s.args[c.args].String())
	}
	for _, b := range s.blocks {
		s.block(b, s.args[str(b, "at")])
	}
}

// flat is a text without regard to white space between words.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }
