package provider_test

import (
	"context"
	"fmt"

	"github.com/callwright/callwright/provider"
)

func ExampleOpen() {
	m, err := provider.Open("groq/llama-3.3-70b-versatile", provider.WithKey("gsk-secret"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer m.Close()
	known := m.Caps(context.Background())
	fmt.Println(m.ID(), "tools:", known.Tools, "tools beside JSON:", known.JSONWithTools)
	fmt.Println(m)
	// Output:
	// groq/llama-3.3-70b-versatile tools: yes tools beside JSON: no
	// groq/llama-3.3-70b-versatile
}
