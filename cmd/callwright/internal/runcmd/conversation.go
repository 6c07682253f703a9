package runcmd

import (
	"context"
	"os"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/cmd/callwright/internal/saved"
	"github.com/callwright/callwright/internal/atomicfile"
	"github.com/callwright/callwright/internal/conversation"
)

// readConversation reads a saved conversation in callwright's own format or in that of any API.
func (in Input) readConversation(ctx context.Context, name string) ([]callwright.Message, error) {
	text, err := in.ReadFile(ctx, name)
	if err != nil {
		return nil, err
	}
	if conversation.IsConversation(text) {
		c, err := conversation.Unmarshal(text)
		if err != nil {
			return nil, err
		}
		return c.Messages, nil
	}
	c, err := saved.Read(text, "")
	if err != nil {
		return nil, err
	}
	return c.Request.History()
}

// save writes the conversation to its file when the run has an answer or waits for a person. It does not change a file
// in the format of an API.
func (r *command) save(res *agent.Result) error {
	if r.conversation == "" || res == nil || res.Stop != agent.StopAnswered && res.Stop != agent.StopParked {
		return nil
	}
	if text, err := os.ReadFile(r.conversation); err == nil && !conversation.IsConversation(text) {
		r.talk.err.Println(r.conversation + " is not written back: it is not in our own form")
		return nil
	}
	text, err := conversation.Marshal(&conversation.Conversation{Messages: res.Messages})
	if err != nil {
		return err
	}
	return atomicfile.ReplacePath(r.conversation, append(text, '\n'), 0o600)
}
