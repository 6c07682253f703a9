package anthropic

import (
	"crypto/rand"
	"strings"
)

// messageID is the id of a message, in this API's own form where it has none.
func messageID(id string) string {
	if id == "" {
		return "msg_" + rand.Text()
	}
	return id
}

// callID guards against a call without id, which clients could not answer.
func callID(id string) string {
	if strings.TrimSpace(id) == "" {
		return "toolu_" + rand.Text()
	}
	return id
}
