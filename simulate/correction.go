package simulate

import "regexp"

var (
	// correcting matches a user message that corrects the last response and contains no new task, such as "try again".
	correcting = regexp.MustCompile(`(?i)not executed|could not be read|no tool (?:was|may be) called|write the call|try again|call (?:it|the tool|a tool)|` +
		`answer (?:was empty|in text)|^(?:go on|continue|proceed)\b|\bas the JSON|tool.{0,60}\b(?:invalid|missing|wrong|unknown)|` +
		`\b(?:invalid|malformed|missing)\b.{0,60}\b(?:call|tool|argument|JSON)`)
	// failed matches a tool result that reports an error.
	failed = regexp.MustCompile(`(?i)^\W*(?:error\b|(?:the )?(?:tool )?call of \S+ was not executed)|not executed|"(?:error|ok|success)"\s*:\s*(?:"|\{|false)|"isError"\s*:\s*true|invalid argument|validation (?:error|failed)`)
)

// IsCorrection reports whether the client reacted to the model's last turn with a correction: a tool result with an
// error, or a user message about the response, such as "Write the call again". Faults that are not steady end after a
// correction. The method matches words. A script that can tell which calls are right does not need it.
func (s Seen) IsCorrection() bool {
	at := len(s.History)
	for at > 0 && s.History[at-1].Role != "assistant" {
		at--
	}
	if at == 0 {
		return false
	}
	corrected := false
	for _, m := range s.History[at:] {
		switch {
		case tellErrors(m.Results), correcting.MatchString(m.Text):
			corrected = true
		case m.Text != "" && len(m.Results) == 0:
			corrected = failed.MatchString(removeTags(m.Text)) // tool results as text, or a new prompt
		}
	}
	return corrected
}

// tellErrors reports whether one of the results reports an error, by its flag or its text.
func tellErrors(results []Result) bool {
	for _, r := range results {
		if r.Error || failed.MatchString(r.Text) {
			return true
		}
	}
	return false
}
