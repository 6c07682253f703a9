package secretscan_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/cmd/callwright/internal/bundle/internal/secretscan"
)

// BenchmarkLook looks for secrets in a conversation.
func BenchmarkLook(b *testing.B) {
	turn := `{"role":"assistant","content":"I looked at the file and it says that the weather in Oslo is fine.\nfunc main() { fmt.Println(\"hello\") }","tool_calls":[{"id":"call_0123456789","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\",\"days\":3}"}}]}`
	text := []byte(`{"messages":[` + strings.Repeat(turn+",", 800) + turn + `]}`)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		var s secretscan.Scan
		s.Look(text)
	}
}
