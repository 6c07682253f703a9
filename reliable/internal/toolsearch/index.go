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

// maxFound is the maximum number of tools in the result of a search.
const maxFound = 5

// An index has the searchable texts of the deferred tools, in the order of their declaration.
type index struct {
	names []string
	texts []string // for each tool: name, description, and arguments with their descriptions, a line each
	terms []map[string]int
	sizes []int
	mean  float64
	bytes int            // total size of texts
	with  map[string]int // number of tools that contain a term
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

// maxArgumentDepth is the maximum depth of nested properties in the index.
const maxArgumentDepth = 4

// textOf returns the searchable text of a tool.
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

// words yields the words of a text: runs of letters and digits, also split at camelCase. Words are in lower case, and
// those of more than 3 bytes lose a final s. getUsers yields get and user.
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

// Usual parameters of BM25 (https://en.wikipedia.org/wiki/Okapi_BM25), and the weight of a word in a tool name.
const (
	saturation = 1.2
	lengthBias = 0.75
	nameWeight = 3
)

// byWords returns the names of the tools that match a query best, ranked by BM25. Tools of equal rank stay in their
// order.
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

// Limits of the cost of a regular expression. maxProgram is the maximum number of its compiled instructions, which
// counted repetitions multiply. maxSteps limits the instructions times the bytes of all texts. Above maxSteps only
// tool names are matched.
const (
	maxProgram = 1000
	maxSteps   = 1 << 27
)

// errCostly is the error for a pattern with more than maxProgram instructions. The model sees its text.
var errCostly = errors.New("The pattern repeats too much.")

// byPattern returns the names of the tools that match a case-insensitive regular expression. Tools with a matching
// name come first. ^ and $ match at the start and end of the name, and of each line of the description and arguments.
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

// first returns the names of at most maxFound tools. order has their indexes.
func (x *index) first(order []int) []string {
	var out []string
	for _, i := range order[:min(len(order), maxFound)] {
		out = append(out, x.names[i])
	}
	return out
}
