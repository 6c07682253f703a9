package gateway_test

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// A difference is where pairs are not like the others, and why. Empty members mean all of them; client and far may name
// several wires.
type difference struct {
	gist     string // client, sent or again
	scenario string
	client   string
	far      string
	way      string
	unlike   bool   // client and provider have different wires
	was, now string // in the gist; both empty where only a note tells
	note     string // the rule of the note that must say so, for what the provider is sent
	because  string
}

const (
	clientGist = "client"
	sentGist   = "sent"
	againGist  = "again"

	image    = `    image type="image/png" data="iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="` + "\n"
	thoughts = `  reasoning "The desk asks for seats, so I count them."` + "\n"
)

// differences are made in this order: those of a client before those of a provider.
var differences = []difference{
	{gist: sentGist, scenario: "image", client: "openai", was: image, now: "user\n" + image[2:],
		because: "results hold text only: these clients send the picture after them"},
	{gist: sentGist, scenario: "result", client: "openai responses ollama", was: " failed\n", now: "\n",
		because: "the client's API cannot say that a call failed"},
	{gist: sentGist, scenario: "single", client: "ollama", was: ` choice="required"`,
		because: "the client's API has no choice"},
	{gist: sentGist, client: "responses", unlike: true, note: "params.left_out",
		because: "whether an answer is kept is a matter of this API alone"},
	{gist: againGist, client: "responses", unlike: true, note: "params.left_out",
		because: "whether an answer is kept is a matter of this API alone"},

	{gist: sentGist, scenario: "image", client: "anthropic responses ollama gemini", far: "openai", note: "history.result_image",
		was:     `    text "The deck plan:"` + "\n" + image,
		now:     `    text "The deck plan:\n[The image of this result follows in the next message of the user.]"` + "\nuser\n" + `  text "[The image from the result of seats_left:]"` + "\n" + image[2:],
		because: "results hold text only"},
	{gist: sentGist, scenario: "result", client: "anthropic gemini", far: "openai responses ollama", note: "history.result_error",
		was: ` failed` + "\n" + `    text "no`, now: "\n" + `    text "Error:\nno`,
		because: "the provider's API cannot say that a call failed"},
	{gist: sentGist, scenario: "single", client: "openai responses anthropic gemini", far: "ollama", note: "choice.emulated",
		was:     ` choice="required"` + "\nsystem\n" + `  text "You help at a ferry desk."`,
		now:     "\nsystem\n" + `  text "You help at a ferry desk.\n\nYou must call one of the tools seats_left, toll_of."`,
		because: "the provider's API has no choice"},

	{gist: sentGist, scenario: "image", far: "gemini", unlike: true, was: "call_k1", now: "call_1_0",
		because: "the provider pairs results by order: ids are none of its own"},
	{gist: sentGist, scenario: "result", far: "gemini", unlike: true, was: "call_k1", now: "call_1_0",
		because: "the provider pairs results by order: ids are none of its own"},
	{gist: sentGist, scenario: "result", far: "gemini", unlike: true, was: "call_k2", now: "call_1_1",
		because: "the provider pairs results by order: ids are none of its own"},

	{gist: sentGist, scenario: "image", client: "openai responses anthropic ollama", far: "gemini", note: "history.sentinel",
		because: "the model takes no call without a signature"},
	{gist: sentGist, scenario: "result", client: "openai responses anthropic ollama", far: "gemini", note: "history.sentinel",
		because: "the model takes no call without a signature"},
	{gist: sentGist, scenario: "image", client: "gemini", unlike: true, note: "history.foreign_signature",
		because: "the call is signed for its own model"},
	{gist: sentGist, scenario: "result", client: "gemini", unlike: true, note: "history.foreign_signature",
		because: "the call is signed for its own model"},

	{gist: sentGist, scenario: "thinking", client: "anthropic", far: "openai responses ollama", note: "params.thinking",
		because: "a budget of tokens becomes an effort"},
	{gist: againGist, scenario: "thinking", client: "anthropic", far: "openai responses ollama", note: "params.thinking",
		because: "a budget of tokens becomes an effort"},
	{gist: againGist, scenario: "thinking", client: "openai", far: "anthropic responses", note: "history.state_restored",
		because: "the client's API has no place for opaque state"},
	{gist: clientGist, scenario: "thinking", client: "ollama", far: "anthropic responses", way: streamed,
		was: "I count them.\"\n", now: "I count them.\"\nopaque\n",
		because: "what belongs to the words comes in a line of its own"},
	{gist: againGist, scenario: "thinking", client: "openai", far: "gemini", note: "history.state_restored",
		was: thoughts, because: "what counts is the signature of the call, thoughts are for reading"},
	{gist: againGist, scenario: "thinking", client: "ollama", far: "gemini", note: "history.reasoning_left_out",
		was: thoughts, because: "what counts is the signature of the call, thoughts are for reading"},
	{gist: againGist, scenario: "thinking", client: "ollama gemini", far: "openai", note: "history.reasoning_left_out",
		was: thoughts, because: "nothing says that the provider wants it back, or under which name"},

	{gist: sentGist, scenario: truncated, note: "transport.broken", because: "the report says that the answer broke off"},
	{gist: clientGist, scenario: truncated, way: whole, was: "text \"I count them.\"\nerror truncated", now: "error truncated status=502",
		because: "nothing was sent before the answer was complete"},
}

// in reports whether a cell differs in this.
func (d *difference) in(c *cell, gist string) bool {
	return gist == d.gist && (d.scenario == "" || d.scenario == c.name) && among(d.client, c.client.Name()) && among(d.far, c.far.Name()) &&
		(d.way == "" || d.way == c.way) && (!d.unlike || c.client.Name() != c.far.Name())
}

// among reports whether a list of wires has one; the empty list has all.
func among(list string, w callwright.WireName) bool {
	return list == "" || slices.Contains(strings.Fields(list), string(w))
}

// listed reports whether a wire of each side has a codec.
func (d *difference) listed() bool {
	has := func(list string) bool {
		return slices.ContainsFunc(codecs.All(), func(c wire.Codec) bool { return among(list, c.Name()) })
	}
	return has(d.client) && has(d.far)
}
