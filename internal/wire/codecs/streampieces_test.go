package codecs_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// SDKs of Gemini's API keep each piece of a streamed answer as a part, or as a content, of its own. What a provider of another API is sent is the
// same as for the whole answer: a text is not cut in two, and calls of one answer stay together.
func TestPiecesOfAStreamAreOneTurn(t *testing.T) {
	all := codecs.All()
	from := all[slices.IndexFunc(all, func(c wire.Codec) bool { return c.Name() == callwright.WireGemini })]
	rapid.Check(t, func(t *rapid.T) {
		thought := rapid.SampledFrom([]string{"", "I look."}).Draw(t, "thought")
		said := rapid.SampledFrom([]string{"", "It is seven.", "a\n\nb", " x "}).Draw(t, "text")
		calls := rapid.IntRange(0, 3).Draw(t, "calls")
		if said == "" && calls == 0 {
			said = "Yes."
		}
		var whole, pieces []string
		add := func(format, words string) {
			if words == "" {
				return
			}
			whole = append(whole, fmt.Sprintf(format, quote(words)))
			for words != "" {
				n := rapid.IntRange(1, len(words)).Draw(t, "piece")
				pieces, words = append(pieces, fmt.Sprintf(format, quote(words[:n]))), words[n:]
			}
		}
		add(`{"text":%s,"thought":true}`, thought)
		add(`{"text":%s}`, said)
		var results []string
		for i := range calls {
			call := fmt.Sprintf(`{"functionCall":{"id":"c%d","name":"look","args":{"n":%d}}}`, i, i)
			whole, pieces = append(whole, call), append(pieces, call)
			results = append(results, fmt.Sprintf(`{"functionResponse":{"id":"c%d","name":"look","response":{"output":"r%d"}}}`, i, i))
		}
		var contents []string
		for i := 0; i < len(pieces); {
			n := rapid.IntRange(1, len(pieces)-i).Draw(t, "content")
			contents, i = append(contents, `{"role":"model","parts":[`+strings.Join(pieces[i:i+n], ",")+`]}`), i+n
		}
		if rapid.Bool().Draw(t, "last") { // which has the finish reason alone
			contents = append(contents, `{"role":"model","parts":[{"text":""}]}`)
		}
		asked := func(model string) string {
			user := `{"role":"user","parts":[{"text":"Go on."}]}`
			list := `{"role":"user","parts":[{"text":"Go."}]},` + model
			if calls > 0 {
				list += `,{"role":"user","parts":[` + strings.Join(results, ",") + `]}`
			}
			return `{"contents":[` + list + `,` + user + `],"tools":[{"functionDeclarations":[{"name":"look","parametersJsonSchema":{"type":"object"}}]}]}`
		}
		for _, far := range codecs.All() {
			if far.Name() == callwright.WireGemini {
				continue
			}
			var sent [2][]byte
			for i, model := range []string{`{"role":"model","parts":[` + strings.Join(whole, ",") + `]}`, strings.Join(contents, ", ")} {
				req, err := from.DecodeRequest([]byte(asked(model)))
				if err != nil {
					t.Fatal(err)
				}
				if sent[i], _, err = far.EncodeRequest(req, "m", caps.Caps{}); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(sent[0], sent[1]) {
				t.Fatalf("%s: the whole answer is sent as\n%s\nand its pieces as\n%s", far.Name(), sent[0], sent[1])
			}
		}
	})
}
