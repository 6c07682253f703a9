package engines

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"
)

// scriptsText has the scripts of the model by name.
//
//go:embed scripts.json
var scriptsText []byte

// chatTemplate is the template that llama-server finds in the model. Ollama does not read it.
//
//go:embed templates/chat.jinja
var chatTemplate string

// WriteModel writes the model as GGUF. A prompt that ends with the control token <|s:NAME|> is answered with the script
// of that name and the end of the turn. After anything else comes noise, always the same: single bytes, quotes and
// brackets more often than others, so that it fills any grammar.
func WriteModel(w io.Writer) error {
	var scripts map[string]string
	if err := json.Unmarshal(scriptsText, &scripts); err != nil {
		return err
	}
	v, err := newVocabulary(scripts)
	if err != nil {
		return err
	}
	return writeGGUF(w, v)
}

// FindScript returns the name of the script with a text, "" without one.
func FindScript(text string) string {
	var scripts map[string]string
	if err := json.Unmarshal(scriptsText, &scripts); err != nil {
		return ""
	}
	for name, script := range scripts {
		if script == text {
			return name
		}
	}
	return ""
}

// The kinds of tokens in GGUF.
const (
	tokenNormal  = 1
	tokenControl = 3
)

// bytesOf is the number of tokens that are single bytes: the first ones.
const bytesOf = 256

// A vocabulary has the tokens, and their successors.
type vocabulary struct {
	texts []string // as GPT-2 spells bytes
	kinds []int32
	ids   map[string]int
	next  map[int]int // of the tokens of scripts, by their ids
	end   int         // the end of a turn
	pad   int
}

func newVocabulary(scripts map[string]string) (*vocabulary, error) {
	v := &vocabulary{ids: map[string]int{}, next: map[int]int{}}
	for b := range bytesOf {
		v.add(string(letter(byte(b))), tokenNormal)
	}
	v.add(spell("th"), tokenNormal) // the one merge, for readers that want any
	v.end = v.add("<|im_end|>", tokenControl)
	v.add("<|im_start|>", tokenControl)
	v.pad = v.add("<|endoftext|>", tokenControl)
	for _, name := range slices.Sorted(maps.Keys(scripts)) {
		at := v.add("<|s:"+name+"|>", tokenControl)
		for text := scripts[name]; text != ""; {
			piece := v.piece(text)
			text = text[min(len(text), len(piece)):]
			id := v.add(spell(piece), tokenNormal)
			v.next[at], at = id, id
		}
		v.next[at] = v.end
	}
	switch {
	case len(v.ids) != len(v.texts):
		return nil, errors.New("a token stands in the vocabulary twice")
	case len(v.texts) >= width:
		return nil, fmt.Errorf("%d tokens are too many", len(v.texts))
	}
	return v, nil
}

func (v *vocabulary) add(text string, kind int32) int {
	id := len(v.texts)
	v.ids[text] = id
	v.texts, v.kinds = append(v.texts, text), append(v.kinds, kind)
	return id
}

// piece is the beginning of a text that is no token yet, of some bytes and whole characters. The rest of a text that is
// a token already is told apart by blanks behind it.
func (v *vocabulary) piece(text string) string {
	for n := 3 + len(v.texts)%4; n < len(text); n++ {
		if _, taken := v.ids[spell(text[:n])]; !taken && utf8.RuneStart(text[n]) {
			return text[:n]
		}
	}
	for {
		if _, taken := v.ids[spell(text)]; !taken {
			return text
		}
		text += " "
	}
}

// spell writes a text with GPT-2's letters for bytes.
func spell(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteRune(letter(text[i]))
	}
	return b.String()
}

func letter(c byte) rune {
	if plain(c) {
		return rune(c)
	}
	n := rune(0)
	for b := range c {
		if !plain(b) {
			n++
		}
	}
	return 256 + n
}

func plain(c byte) bool { return c >= '!' && c <= '~' || c >= 0xa1 && c <= 0xac || c >= 0xae }

// noiseLogit is the logit of a token where no script goes on.
func (v *vocabulary) noiseLogit(id int, r *rand.Rand) float64 {
	noise := r.NormFloat64() * 0.5
	switch {
	case id == v.end:
		return 1
	case id >= bytesOf:
		return -20
	}
	switch c := byte(id); {
	case c == '"':
		return 2.2
	case c == '}' || c == ']':
		return 1.2 + noise
	case c == ' ' || c >= '0' && c <= '9' || c == ',' || c == ':':
		return 0.6 + noise
	case c >= '!' && c <= '~':
		return noise
	case c == '\n':
		return -1
	case c < ' ' || c == 0x7f:
		return -12
	}
	return -5 + noise // halves of characters
}
