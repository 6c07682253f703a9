package wiretest

import (
	"time"
)

// geminiReasons lists the finish reasons that Google's SDKs handle. An unknown one is a warning in some and an error in
// others.
var geminiReasons = []string{"STOP", "MAX_TOKENS", "SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "OTHER",
	"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"}

// geminiStream checks a stream of Gemini's API. Each chunk is a complete response object. The last chunk must have the
// finish reason, which the AI SDK waits for, and the usage, which LangChain reads.
func geminiStream(c *complainer, frames []frame) {
	ended := false
	for i, f := range frames {
		c.want(f.name == "", "an event with the name %q", f.name)
		c.want(!ended, "%s: something after the finish reason", f.path)
		ended = geminiChunk(f.node, i == len(frames)-1)
	}
	c.want(ended, "no finish reason")
}

func geminiWhole(c *complainer, n node) {
	c.want(geminiChunk(n, true), "no finish reason")
}

// geminiChunk checks a response object and reports whether it has a finish reason.
func geminiChunk(n node, last bool) bool {
	if last || n.has("usageMetadata") {
		n.object("usageMetadata")
	}
	candidates := n.at("candidates").list()
	n.c.want(len(candidates) == 1, "%s: %d candidates", n.path, len(candidates))
	ended := false
	for _, candidate := range candidates {
		content := candidate.object("content")
		content.is("role", "model")
		for _, part := range content.at("parts").list() {
			switch {
			case part.has("functionCall"):
				call := part.object("functionCall")
				call.word("name")
				call.object("args")
			case part.has("text"):
				part.text("text")
			}
		}
		if ended = candidate.has("finishReason"); ended {
			candidate.oneOf("finishReason", geminiReasons...)
		}
	}
	return ended
}

func geminiFailed(_ *complainer, n node, status int) {
	e := n.object("error")
	e.counts("code", status)
	e.word("message")
	e.word("status")
}

// ollamaStream checks a stream of Ollama's API: only the last line has "done":true.
func ollamaStream(c *complainer, frames []frame) {
	for i, f := range frames {
		last := i == len(frames)-1
		ollamaLine(f.node, last)
		if done, ok := f.at("done").v.(bool); !ok || done != last {
			c.say("%s: done is %v in line %d of %d", f.path, f.at("done").v, i+1, len(frames))
		}
	}
}

func ollamaWhole(c *complainer, n node) {
	ollamaLine(n, true)
	c.want(n.at("done").v == true, "done is %v", n.at("done").v)
}

func ollamaLine(n node, last bool) {
	n.word("model")
	if at := n.text("created_at"); at != "" {
		_, err := time.Parse(time.RFC3339Nano, at)
		n.c.want(err == nil, "%s.created_at: %v", n.path, err)
	}
	message := n.object("message")
	message.is("role", "assistant")
	message.text("content")
	if message.has("tool_calls") {
		for _, call := range message.at("tool_calls").list() {
			f := call.object("function")
			f.word("name")
			f.object("arguments")
		}
	}
	if last {
		n.oneOf("done_reason", "stop", "length", "load", "unload")
	}
}

func ollamaFailed(_ *complainer, n node, _ int) {
	n.word("error")
}
