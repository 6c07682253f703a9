package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/cmd/callwright/saved"
	"github.com/callwright/callwright/conversation"
)

// readConversation reads a saved conversation: in the vocabulary's own form, or of any API.
func readConversation(ctx context.Context, name string) ([]callwright.Message, error) {
	text, err := readFile(ctx, name)
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

// save writes the conversation back, once it has an answer and where it waits for a person. A file of an API stays as it is.
func (r *runCommand) save(res *agent.Result) error {
	if r.conversation == "" || res == nil || res.Stop != agent.StopAnswered && res.Stop != agent.StopParked {
		return nil
	}
	if text, err := os.ReadFile(r.conversation); err == nil && !conversation.IsConversation(text) {
		r.talk.err.Println(r.conversation + " stays as it is: it is not in our own form")
		return nil
	}
	text, err := conversation.Marshal(&conversation.Conversation{Messages: res.Messages})
	if err != nil {
		return err
	}
	return replaceFile(r.conversation, append(text, '\n'))
}

// replaceFile writes a file whole, or leaves it as it was.
func replaceFile(name string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }() // where it was not renamed
	if _, err = f.Write(text); err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
