package simulate

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
)

// failedLlama returns the JSON body of an error response of llama.cpp's server.
func failedLlama(f *failure) string {
	kind := "invalid_request_error"
	if f.status >= 500 {
		kind = "server_error"
	}
	return object(member{"error", object(member{"code", strconv.Itoa(f.status)}, member{"message", quote(f.message)},
		member{"type", quote(kind)})})
}

// failedVLLM returns the JSON body of an error response of vLLM, whose "code" is the HTTP status.
func failedVLLM(f *failure) string {
	kind := map[bool]string{true: "InternalServerError", false: "BadRequestError"}[f.status >= 500]
	return object(member{"error", object(member{"message", quote(f.message)}, member{"type", quote(kind)}, member{"param", "null"},
		member{"code", strconv.Itoa(f.status)})})
}

// serverChecks are the checks of self-hosted servers for Chat Completions. Many correspond to errors of chat templates
// or of grammar generation.
var serverChecks = []check{
	familyCheck("llama.cpp", "order", "user and assistant take turns, calls and results aside", func(doc *node) *failure {
		want := "user"
		for i, m := range doc.at("messages").list() {
			role := m.at("role").str()
			if role == "system" && i == 0 || role == "tool" || len(m.at("tool_calls").list()) > 0 {
				continue
			}
			if role != want {
				f := no("", "Jinja Exception: After the optional system message, conversation roles must alternate user and assistant roles "+
					"except for tool calls and results.")
				f.status = http.StatusInternalServerError
				return f
			}
			want = map[string]string{"user": "assistant", "assistant": "user"}[role]
		}
		return nil
	}),
	familyCheck("llama.cpp", "pattern", "patterns are anchored, or no grammar can be made of them", func(doc *node) *failure {
		loose := func(n *node, _ []string) string {
			p := n.at("pattern")
			if p.is("string") && (!strings.HasPrefix(p.text, "^") || !strings.HasSuffix(p.text, "$")) {
				return "Pattern must start with '^' and end with '$'"
			}
			return ""
		}
		schemas := []*node{doc.at("response_format", "json_schema", "schema")}
		for _, t := range doc.at("tools").list() {
			schemas = append(schemas, t.at("function", "parameters"))
		}
		for _, s := range schemas {
			if why := walkSchema(s, nil, loose); why != "" {
				return no("", "JSON schema conversion failed:\n%s", why)
			}
		}
		return nil
	}),
	familyCheck("llama.cpp", "grammar", "no grammar beside tools", func(doc *node) *failure {
		if doc.has("tools") && doc.has("grammar") {
			return no("", "Cannot use custom grammar constraints with tools.")
		}
		return nil
	}),
	familyCheck("vllm", "auto", "no free choice of tools, for want of a parser", func(doc *node) *failure {
		if choice := doc.at("tool_choice"); doc.has("tools") && (!doc.has("tool_choice") || choice.str() == "auto") {
			return no("", `"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set`)
		}
		return nil
	}),
	familyCheck("vllm", "arguments", "arguments in the history are JSON", func(doc *node) *failure {
		if args, bad := brokenArguments(doc); bad {
			at := max(0, strings.LastIndexByte(args, '"'))
			return no("", "Unterminated string starting at: line 1 column %d (char %d)", at+1, at)
		}
		return nil
	}),
	familyCheck("ollama", "arguments", "arguments in the history are JSON", func(doc *node) *failure {
		if _, bad := brokenArguments(doc); bad {
			return no("", "invalid tool call arguments")
		}
		return nil
	}),
}

// brokenArguments returns the first call arguments in the history that are not valid JSON. bad is false if there are
// none.
func brokenArguments(doc *node) (args string, bad bool) {
	for _, m := range doc.at("messages").list() {
		for _, c := range m.at("tool_calls").list() {
			if args = c.at("function", "arguments").str(); !json.Valid([]byte(args)) {
				return args, true
			}
		}
	}
	return "", false
}
