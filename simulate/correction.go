package simulate

import "regexp"

var (
	// correcting is a text that speaks of the answer itself and asks for nothing new.
	correcting = regexp.MustCompile(`(?i)not executed|could not be read|no tool (?:was|may be) called|write the call|try again|call (?:it|the tool|a tool)|` +
		`answer (?:was empty|in text)|^(?:go on|continue|proceed)\b|\bas the JSON|tool.{0,60}\b(?:invalid|missing|wrong|unknown)|` +
		`\b(?:invalid|malformed|missing)\b.{0,60}\b(?:call|tool|argument|JSON)`)
	// failed is a result that tells of an error.
	failed = regexp.MustCompile(`(?i)^\W*(?:error\b|(?:the )?(?:tool )?call of \S+ was not executed)|not executed|"(?:error|ok|success)"\s*:\s*(?:"|\{|false)|"isError"\s*:\s*true|invalid argument|validation (?:error|failed)`)
)

// IsCorrection reports whether the client has answered the model's last turn with something to mend: a result that
// tells of an error, or a text that speaks of the answer, such as "Write the call again", rather than asks for
// something new. A fault that is not steady is gone then. It goes by words: a script that knows which calls are right
// need not.
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
			corrected = failed.MatchString(removeTags(m.Text)) // a result that came as text, or a question
		}
	}
	return corrected
}

// tellErrors reports whether one of the results tells of an error.
func tellErrors(results []Result) bool {
	for _, r := range results {
		if r.Error || failed.MatchString(r.Text) {
			return true
		}
	}
	return false
}
