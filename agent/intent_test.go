package agent_test

import (
	"context"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// An answer that only sounds as if a call followed ends the run: nothing is asked once more because of it.
func TestInnocentAnswers(t *testing.T) {
	tools := func() agent.Option {
		var out []agent.Tool
		for _, name := range []string{"weather", "search", "help", "get", "fs.read", "send_mail"} {
			out = append(out, tool(name, func(context.Context) (string, error) { return "", nil }))
		}
		return agent.Tools(out...)
	}()
	for _, text := range []string{
		"I'll be happy to help!",
		"Let me know if you need anything:",
		"Let me know if you need anything else...",
		"Here is what I found:",
		"It is 3 degrees. Let me know if I should check the weather elsewhere.",
		"Done! I'll be here whenever you need me...",
		"I will get back to you...",
		"I'll wait for your reply...",
		"If you tell me the city, I will check the weather.",
		"Which city? Then I'll look up the weather for you.",
		"Would you like that I am going to search again?",
		"It is clear in Oslo. I'll use search for Bergen, shall I?",
		"Please tell me the file, and I'll read it with fs.read.",
		"Once you confirm, I will call send_mail.",
		"I will always remember your help.",
		"That is all I will say about the weather.",
		"You asked what I will do next: nothing...",
		"I'll leave it at that…",
		"The weather is clear. I will not search any further.",
		"I won't be calling send_mail without your word.",
		"Let me summarize: it is clear.",
		"Calling weather gave 3 degrees.",
		"Let me put it this way: the weather is fine.",
	} {
		m := &script{answers: []any{text, "Twice."}}
		if res, err := agent.New(m, tools).Run(t.Context(), callwright.UserText("Go.")); err != nil || len(m.asked) != 1 || res.Text != text {
			t.Errorf("%q was asked on about, %v", text, err)
		}
	}
	for _, text := range []string{
		"Let me check the weather:",
		"Let me check...",
		"I'll look that up for you now…",
		"Sure. I will call weather now.",
		"I'll use send_mail for that.",
		"I am going to search for it...",
		"Calling send_mail...",
		"Okay, let me first read the file:",
		"Now I need to fetch the page:",
		"I will now use fs.read.",
		"Let me query `weather` for Oslo.",
		"I'll go ahead and run search:",
	} {
		m := &script{answers: []any{text, "Twice."}}
		if res, err := agent.New(m, tools).Run(t.Context(), callwright.UserText("Go.")); err != nil || len(m.asked) != 2 || res.Text != "Twice." {
			t.Errorf("%q was taken as the answer, %v", text, err)
		}
	}
}
