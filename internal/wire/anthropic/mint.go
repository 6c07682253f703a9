package anthropic

import (
	"crypto/rand"
	"strings"
)

// messageID returns id, or a new random message id if it is "".
func messageID(id string) string {
	if id == "" {
		return "msg_" + rand.Text()
	}
	return id
}

// callID returns id, or a new random call id if it is blank: clients could not answer a call without an id.
func callID(id string) string {
	if strings.TrimSpace(id) == "" {
		return "toolu_" + rand.Text()
	}
	return id
}
