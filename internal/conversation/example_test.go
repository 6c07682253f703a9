package conversation_test

import (
	"encoding/json"
	"fmt"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/conversation"
)

func Example() {
	b, err := conversation.Marshal(&conversation.Conversation{
		Model: "groq/llama-3.3-70b",
		Messages: []callwright.Message{
			callwright.UserText("Weather in Oslo?"),
			{Role: callwright.RoleAssistant, Parts: []callwright.Part{callwright.Call{ID: "c1", Name: "weather", Arguments: json.RawMessage(`{"city": "Oslo"}`)}}},
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(b))

	c, err := conversation.Unmarshal(b)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Messages[0].Role, callwright.TextOf(c.Messages[0].Parts))

	_, err = conversation.Unmarshal([]byte(`{"callwright":1,"messages":[{"role":"user","content":"Hello"}]}`))
	fmt.Println(err)
	// Output:
	// {"callwright":1,"model":"groq/llama-3.3-70b","messages":[{"role":"user","parts":[{"type":"text","text":"Weather in Oslo?"}]},{"role":"assistant","parts":[{"type":"call","id":"c1","name":"weather","arguments":{"city": "Oslo"}}]}]}
	// user Weather in Oslo?
	// conversation.unmarshal: /messages/0/content: the member is not known
}
