package render_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/dialect/internal/render"
)

// Each shape writes names, values and marks where its format has them, and two calls apart.
func TestShapes(t *testing.T) {
	calls := []render.Call{{Name: "note", Arguments: []byte(`{"text": "a", "tags": ["b"]}`)}, {Name: "ping"}}
	for want, shape := range map[string]render.Renderer{
		"<c>{\"name\": \"note\", \"arguments\": {\"text\": \"a\", \"tags\": [\"b\"]}}</c>\n<c>{\"name\": \"ping\", \"arguments\": {}}</c>":                         render.TaggedJSON("<c>", "</c>"),
		`[{"name": "note", "arguments": {"text": "a", "tags": ["b"]}}, {"name": "ping", "arguments": {}}]`:                                                         render.ListedJSON("[", "]"),
		`(note:{"text": "a", "tags": ["b"]};ping:{};)`:                                                                                                             render.Head{Open: "(", Shut: ")", Sep: ":", CallEnd: ";"},
		`[note(text="a", tags=["b"]), ping()]`:                                                                                                                     render.Python{Open: "[", Shut: "]", Join: ", "},
		"<f>\n<function=note>\n<parameter=text>\na\n</parameter>\n<parameter=tags>\n[\"b\"]\n</parameter>\n</function></f>\n<f>\n<function=ping>\n</function></f>": render.Functions("<f>\n", "</f>"),
		`<note><k>text</k><v>a</v><k>tags</k><v>["b"]</v></note><ping></note>`:                                                                                     render.Pairs{Call: "<%s>", CallEnd: "</note>", Pair: "<k>%s</k><v>%s</v>"},
		`call:note{text:'a',tags:['b']}.call:ping{}.`:                                                                                                              render.Delimited{Shut: ".", Quote: "'"},
		"<tool_call>\n<invoke name=\"note\"><text>a</text><tags><item>b</item></tags></invoke>\n<invoke name=\"ping\"></invoke>\n</tool_call>":                     render.Elements{},
	} {
		var b strings.Builder
		shape.Calls(&b, calls)
		if b.String() != want {
			t.Errorf("%T writes\n%s\nwant\n%s", shape, b.String(), want)
		}
	}
}
