package describe

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/callwright/callwright/dialect"
)

// A Description describes how a model writes tool calls, by an example. Only Example is required.
type Description struct {
	Name        string      `json:"name,omitempty" default:"described_ and six digits" jsonschema:"the name of the format in notes and reports: lower case letters, digits and underscores"`
	Format      Form        `json:"format,omitempty" default:"by the example" jsonschema:"the notation of the arguments: json, xml (tags) or custom (either of them, or Python as in name(key=value))"`
	Example     string      `json:"example" jsonschema:"one call, letter by letter as the model writes it, with one argument at least"`
	Parser      Parser      `json:"parser,omitempty" default:"auto" jsonschema:"the structure of a call: object (a JSON object with name and arguments), named (a name, then a JSON object with the arguments), tags (a tag for each argument), pairs (a key tag and a value tag for each argument), python, or auto (the first of these that can parse the example)"`
	Quirks      []string    `json:"quirks,omitempty" default:"none" jsonschema:"single_call (at most one call an answer), or sentences that the model is told beside the example"`
	SchemaStyle SchemaStyle `json:"schema_style,omitempty" default:"openai" jsonschema:"how the tools are defined in the prompt: openai, anthropic or custom (in words)"`
}

// A Form is the notation of the arguments of a call: JSON, XML elements, or another one.
type Form string

// Values of [Form].
const (
	JSON   Form = "json"
	XML    Form = "xml"
	Custom Form = "custom"
)

// A Parser is the structure of a call.
type Parser string

// The parsers. Auto uses the first parser that can read the example.
const (
	Auto   Parser = "auto"
	Object Parser = "object" // a JSON object with name and arguments
	Named  Parser = "named"  // a name and a JSON object with the arguments
	Tags   Parser = "tags"   // a tag for each argument
	Pairs  Parser = "pairs"  // a key tag and a value tag for each argument
	Python Parser = "python" // name(key="value")
)

// A SchemaStyle is the format of tool definitions in the prompt.
type SchemaStyle string

// The schema styles. InWords describes tools in sentences.
const (
	OpenAI    SchemaStyle = "openai"    // {"type":"function","function":{"name","description","parameters"}}
	Anthropic SchemaStyle = "anthropic" // {"name","description","input_schema"}
	InWords   SchemaStyle = "custom"
)

// Forms returns the valid values of Description.Format.
func Forms() []string { return []string{string(JSON), string(XML), string(Custom)} }

// Parsers returns the valid values of Description.Parser.
func Parsers() []string {
	return []string{string(Auto), string(Object), string(Named), string(Tags), string(Pairs), string(Python)}
}

// Styles returns the valid values of Description.SchemaStyle.
func Styles() []string { return []string{string(OpenAI), string(Anthropic), string(InWords)} }

// SingleCall is a value for Description.Quirks: a response has at most one call.
const SingleCall = "single_call"

// name returns d.Name or, if that is empty, a name with a hash of the example, such as described_0a1b2c.
func (d *Description) name() string {
	if d.Name != "" {
		return d.Name
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(d.Example))
	return fmt.Sprintf("described_%06x", h.Sum32()&0xffffff)
}

// Size limits of a description, in bytes, except maxQuirks, a number of quirks.
const (
	maxExample = 4 << 10
	maxName    = 64
	maxQuirks  = 16
	maxQuirk   = 300
)

// An Error is an error in a description. Key is the key at fault, such as "example".
type Error struct{ Key, Message string }

func (e *Error) Error() string { return e.Key + ": " + e.Message }

func wrong(key, format string, args ...any) *Error {
	return &Error{Key: key, Message: fmt.Sprintf(format, args...)}
}

// check validates the keys of the description without parsing the example.
func (d *Description) check() *Error {
	switch {
	case d.Name != "" && !isFormatName(d.Name):
		return wrong("name", "expected at most %d lower case letters, digits and underscores, got %q", maxName, clip(d.Name))
	case d.Name != "" && isKnown(d.Name):
		return wrong("name", "%s is the name of a format that is known: ask for that one by dialect, or take another name", d.Name)
	case d.Format != "" && !slices.Contains(Forms(), string(d.Format)):
		return wrong("format", "expected %s, got %q", oneOf(Forms()), clip(string(d.Format)))
	case d.Parser != "" && !slices.Contains(Parsers(), string(d.Parser)):
		return wrong("parser", "expected %s, got %q", oneOf(Parsers()), clip(string(d.Parser)))
	case d.SchemaStyle != "" && !slices.Contains(Styles(), string(d.SchemaStyle)):
		return wrong("schema_style", "expected %s, got %q", oneOf(Styles()), clip(string(d.SchemaStyle)))
	case strings.TrimSpace(d.Example) == "":
		return wrong("example", "expected one call, as the model writes it")
	case len(d.Example) > maxExample:
		return wrong("example", "expected at most %d bytes, got %d", maxExample, len(d.Example))
	case !utf8.ValidString(d.Example):
		return wrong("example", "expected text in UTF-8")
	case len(d.Quirks) > maxQuirks:
		return wrong("quirks", "expected at most %d, got %d", maxQuirks, len(d.Quirks))
	}
	for _, q := range d.Quirks {
		switch {
		case len(q) > maxQuirk || strings.ContainsAny(q, "\n\r"):
			return wrong("quirks", "expected one line of at most %d bytes each, got %q", maxQuirk, clip(q))
		case q != SingleCall && !strings.Contains(strings.TrimSpace(q), " "):
			return wrong("quirks", "expected %s or a sentence, got %q", SingleCall, clip(q))
		}
	}
	return nil
}

func isKnown(name string) bool { _, ok := dialect.Lookup(name); return ok }

func isFormatName(name string) bool {
	return name != "" && len(name) <= maxName && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// clip returns text cut to 200 bytes for error messages.
func clip(text string) string {
	const most = 200
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "..."
	}
	return text
}

func oneOf(words []string) string {
	n := len(words) - 1
	return strings.Join(words[:n], ", ") + " or " + words[n]
}
