package toolsearch

import (
	"cmp"
	"errors"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// maxFound is how many tools a search finds at most.
const maxFound = 5

// An index holds the searchable texts of the deferred tools of a search, in their order.
type index struct {
	names []string
	texts []string // the name, the description, and the arguments with their descriptions, a line each
	terms []map[string]int
	sizes []int
	mean  float64
	bytes int            // of all texts
	with  map[string]int // in how many tools a term occurs
}

func newIndex(s *Search) *index {
	x := &index{with: map[string]int{}}
	total := 0
	for i := range s.tools {
		t := &s.tools[i]
		if !s.isDeferred(i) {
			continue
		}
		text := textOf(t)
		terms, size := map[string]int{}, 0
		for word := range words(text) {
			terms[word]++
			size++
		}
		for word := range words(t.Name) {
			terms[word] += nameWeight - 1
		}
		for word := range terms {
			x.with[word]++
		}
		x.names, x.texts = append(x.names, t.Name), append(x.texts, text)
		x.terms, x.sizes = append(x.terms, terms), append(x.sizes, size)
		total += size
		x.bytes += len(text)
	}
	x.mean = float64(total) / float64(max(len(x.names), 1))
	return x
}

// maxArgumentDepth bounds how deep the arguments of a tool are read for the index.
const maxArgumentDepth = 4

// textOf is the searchable text of a tool.
func textOf(t *callwright.Tool) string {
	var b strings.Builder
	b.WriteString(t.Name + "\n" + t.Description + "\n")
	writeArguments(&b, t.Schema, 0)
	return b.String()
}

func writeArguments(b *strings.Builder, schema []byte, depth int) {
	if depth == maxArgumentDepth {
		return
	}
	properties, _ := jsonx.Find(schema, "properties")
	for name, property := range jsonx.Members(properties) {
		property = jsonx.Trim(property)
		b.WriteString(name.String())
		if text, ok := jsonx.Find(property, "description"); ok && jsonx.IsText(text) {
			b.WriteString(": " + jsonx.TextOf(text))
		}
		b.WriteByte('\n')
		writeArguments(b, property, depth+1)
	}
}

// words yields the words of a text in lower case, without a final s: runs of letters and digits, which end before a
// capital letter that follows a small one.
func words(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		from, small := -1, false
		for i, r := range text + " " {
			inside := unicode.IsLetter(r) || unicode.IsDigit(r)
			if from >= 0 && (!inside || small && unicode.IsUpper(r)) {
				word := strings.ToLower(text[from:i])
				if len(word) > 3 {
					word = strings.TrimSuffix(word, "s")
				}
				if !yield(word) {
					return
				}
				from = -1
			}
			if inside && from < 0 {
				from = i
			}
			small = unicode.IsLower(r)
		}
	}
}

// The constants of BM25 as they are usually set (https://en.wikipedia.org/wiki/Okapi_BM25), and how often a word of a
// name counts.
const (
	saturation = 1.2
	lengthBias = 0.75
	nameWeight = 3
)

// byWords finds the tools that fit a query best, ranked by BM25, those of equal rank in their order.
func (x *index) byWords(query string) []string {
	scores := make([]float64, len(x.names))
	seen := map[string]bool{}
	for word := range words(query) {
		if seen[word] {
			continue
		}
		seen[word] = true
		n := float64(x.with[word])
		rarity := math.Log(1 + (float64(len(x.names))-n+0.5)/(n+0.5))
		for i, terms := range x.terms {
			if f := float64(terms[word]); f > 0 {
				scores[i] += rarity * f * (saturation + 1) / (f + saturation*(1-lengthBias+lengthBias*float64(x.sizes[i])/x.mean))
			}
		}
	}
	var order []int
	for i, score := range scores {
		if score > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return x.first(order)
}

// The bounds of the cost of a regular expression, which is at most its instructions for each byte of text: the
// instructions, which counted repetitions multiply, and those for all bytes of the texts. Beyond the latter it is
// matched with the names alone.
const (
	maxProgram = 1000
	maxSteps   = 1 << 27
)

// errCostly is of a pattern with too many instructions.
var errCostly = errors.New("The pattern repeats too much.")

// byPattern finds the tools that a regular expression matches, whatever the case: first those whose names it matches. ^
// and $ match at the names, and at the description and each argument.
func (x *index) byPattern(pattern string) ([]string, error) {
	pattern = "(?im)" + pattern
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, err
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, err
	}
	size := len(program.Inst)
	if size > maxProgram {
		return nil, errCostly
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	var named, others []int
	for i, text := range x.texts {
		switch {
		case re.MatchString(x.names[i]):
			named = append(named, i)
		case size*x.bytes <= maxSteps && re.MatchString(text):
			others = append(others, i)
		}
	}
	return x.first(append(named, others...)), nil
}

// first are the names of the first tools of an order.
func (x *index) first(order []int) []string {
	var out []string
	for _, i := range order[:min(len(order), maxFound)] {
		out = append(out, x.names[i])
	}
	return out
}
