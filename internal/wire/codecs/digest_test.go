package codecs_test

import (
	"fmt"
	"hash/fnv"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/fingerprint"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// Instructions are a part of what decides an answer, on every wire; the conversation is not.
func TestInstructionsAreDigested(t *testing.T) {
	for w, body := range map[callwright.WireName]string{
		callwright.WireOpenAI:    `{"model":"m","messages":[{"role":"system","content":%q},{"role":"user","content":%q}]}`,
		callwright.WireResponses: `{"model":"m","instructions":%q,"input":[{"role":"user","content":%q}]}`,
		callwright.WireAnthropic: `{"model":"m","max_tokens":9,"system":%q,"messages":[{"role":"user","content":%q}]}`,
		callwright.WireGemini:    `{"system_instruction":{"parts":[{"text":%q}]},"contents":[{"role":"user","parts":[{"text":%q}]}]}`,
		callwright.WireOllama:    `{"model":"m","messages":[{"role":"system","content":%q},{"role":"user","content":%q}]}`,
	} {
		digest := func(system, user string) uint64 {
			c, _ := codecs.Of(w)
			req, err := c.DecodeRequest([]byte(fmt.Sprintf(body, system, user)))
			if err != nil {
				t.Fatal(err)
			}
			h := fnv.New128a()
			_, _ = h.Write(fingerprint.AppendSettings(nil, req))
			for text := range fingerprint.Instructions(req) {
				_, _ = h.Write(text)
			}
			var sum uint64
			for _, b := range h.Sum(nil) {
				sum = sum*31 + uint64(b)
			}
			return sum
		}
		if digest("be brief", "hi") == digest("be long", "hi") {
			t.Errorf("%s: instructions do not change the digest", w)
		}
		if digest("be brief", "hi") != digest("be brief", "hello") {
			t.Errorf("%s: the conversation changes the digest", w)
		}
	}
}
