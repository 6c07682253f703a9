package simulate

import "strconv"

// failedOllama returns the JSON body of an Ollama error response: {"error":"..."}.
func failedOllama(f *failure) string { return object(member{"error", quote(f.message)}) }

// ollamaLine returns a response or a line of a stream. more are members after "message" and "done".
func (a *response) ollamaLine(message string, done bool, more ...member) string {
	return object(append([]member{{"model", quote(a.seen.Model)}, {"created_at", quote(createdText)}, {"message", message},
		{"done", strconv.FormatBool(done)}}, more...)...)
}

func ollamaMessage(content, thinking string, calls []string) string {
	if thinking != "" {
		thinking = quote(thinking)
	}
	all := ""
	if len(calls) > 0 {
		all = list(calls)
	}
	return object(member{"role", `"assistant"`}, member{"content", quote(content)}, member{"thinking", thinking}, member{"tool_calls", all})
}

// ollamaEnd returns the last members of a response. done_reason is stop also after calls; durations are nanoseconds.
func (a *response) ollamaEnd() []member {
	in, out := a.tokens()
	reason := a.finish
	if reason == "tool_calls" {
		reason = "stop"
	}
	return []member{{"done_reason", quote(reason)}, {"total_duration", "900000000"}, {"load_duration", "10000000"},
		{"prompt_eval_count", strconv.Itoa(in)}, {"prompt_eval_duration", "50000000"}, {"eval_count", strconv.Itoa(out)},
		{"eval_duration", "800000000"}}
}

func (a *response) ollamaCalls() []string {
	var out []string
	for _, c := range a.calls {
		id := quote(c.id)
		if c.noID {
			id = ""
		}
		function := object(member{"index", strconv.Itoa(c.index)}, member{"name", quote(c.name)}, member{"arguments", c.value()})
		out = append(out, object(member{"id", id}, member{"function", function}))
	}
	return out
}

func wholeOllama(a *response) []byte {
	if a.inband != nil {
		return []byte(a.inband.text(failedOllama))
	}
	message := ollamaMessage(a.text+a.after, a.reasoning, a.ollamaCalls())
	return []byte(a.ollamaLine(message, true, a.ollamaEnd()...))
}

// streamOllama streams text in pieces and each call in one line.
func streamOllama(a *response) []frame {
	var out []frame
	send := func(message string) { out = append(out, frame{data: a.ollamaLine(message, false)}) }
	for _, p := range pieces(a.reasoning, a.piece) {
		send(ollamaMessage("", p, nil))
	}
	for _, p := range a.textPieces(a.text) {
		send(ollamaMessage(p, "", nil))
	}
	for _, c := range a.ollamaCalls() {
		send(ollamaMessage("", "", []string{c}))
	}
	for _, p := range a.textPieces(a.after) {
		send(ollamaMessage(p, "", nil))
	}
	return append(out, frame{data: a.ollamaLine(ollamaMessage("", "", nil), true, a.ollamaEnd()...)})
}
