package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Language has the language rules for the code of a module. CONTRIBUTING.md explains them.
type Language struct {
	// Words maps forbidden words of identifiers, in lower case, to better ones.
	Words map[string]string
	// Phrases maps forbidden phrases of comments, in lower case, to better ones.
	Phrases map[string]string
	// Verbs are names of functions that are verbs although they look like participles.
	Verbs []string
	// CommentWidth is the maximum length of a comment line in characters. A tab counts as one.
	CommentWidth int

	MaxWhat       float64 // maximum percentage of doc comments with a clause with "what"
	MaxParticiple int     // maximum number of functions named only by a participle
	MaxLong       float64 // maximum number per 10,000 of lines longer than LongLine characters
	LongLine      int
}

// LanguageCounts are the counts of a module's code, without tests.
type LanguageCounts struct {
	Docs, What  int // number of doc comments, and of those with "what"
	Lines, Long int
	Participles []string // "package: name"
}

// String returns the counts as one line.
func (c LanguageCounts) String() string {
	return fmt.Sprintf("doc comments with \"what\" %d of %d (%.2f %%), functions named by a participle %d, long lines %d of %d (%.1f of 10,000)",
		c.What, c.Docs, share(c.What, c.Docs, 100), len(c.Participles), c.Long, c.Lines, share(c.Long, c.Lines, 10_000))
}

func share(part, of int, unit float64) float64 { return unit * float64(part) / float64(max(of, 1)) }

// CheckLanguage reads every Go file in the module at the root dir, except tests. It returns one line for each violation
// of the rules, and the counts.
func (m Module) CheckLanguage(dir fs.FS, rules Language) ([]string, LanguageCounts, error) {
	c := languageCheck{rules: rules}
	err := m.walk(dir, func(file string) error {
		if strings.HasSuffix(file, "_test.go") {
			return nil
		}
		text, err := fs.ReadFile(dir, file)
		if err != nil {
			return err
		}
		return c.file(file, string(text))
	})
	c.limit("doc comments with \"what\" in 100", share(c.counts.What, c.counts.Docs, 100), rules.MaxWhat)
	c.limit("functions named by a participle", float64(len(c.counts.Participles)), float64(rules.MaxParticiple))
	c.limit("long lines in 10,000", share(c.counts.Long, c.counts.Lines, 10_000), rules.MaxLong)
	return c.broken, c.counts, err
}

// A languageCheck is the state of CheckLanguage.
type languageCheck struct {
	rules  Language
	counts LanguageCounts
	broken []string
}

func (c *languageCheck) limit(what string, has, limit float64) {
	if has > limit {
		c.broken = append(c.broken, fmt.Sprintf("%s: %.2f, at most %.2f", what, has, limit))
	}
}

func (c *languageCheck) refuse(at token.Position, format string, args ...any) {
	c.broken = append(c.broken, at.String()+": "+fmt.Sprintf(format, args...))
}

func (c *languageCheck) file(name, text string) error {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(parsed) {
		return err
	}
	for line := range strings.Lines(text) {
		c.counts.Lines++
		if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > c.rules.LongLine {
			c.counts.Long++
		}
	}
	for _, g := range parsed.Comments {
		c.comment(set, g)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.File:
			c.doc(n.Doc)
		case *ast.FuncDecl:
			c.doc(n.Doc)
			c.identifier(set, n.Name)
			c.function(set, n.Name)
		case *ast.GenDecl:
			c.doc(n.Doc)
		case *ast.TypeSpec:
			c.doc(n.Doc)
			c.identifier(set, n.Name)
		case *ast.ValueSpec:
			c.doc(n.Doc)
			c.identifier(set, n.Names...)
		case *ast.Field:
			c.identifier(set, n.Names...)
		}
		return true
	})
	return nil
}

// whatClause matches a clause that replaces a noun.
var whatClause = regexp.MustCompile(`(?i)\bwhat\b|\bthat which\b`)

func (c *languageCheck) doc(g *ast.CommentGroup) {
	if g == nil {
		return
	}
	c.counts.Docs++
	if whatClause.MatchString(g.Text()) {
		c.counts.What++
	}
}

// comment checks the line lengths and the phrases of a comment. Directives, URLs and preformatted lines may be longer.
func (c *languageCheck) comment(set *token.FileSet, g *ast.CommentGroup) {
	for _, line := range g.List {
		at := set.Position(line.Pos())
		text := strings.TrimPrefix(line.Text, "//")
		isProse := strings.HasPrefix(text, " ") && !strings.HasPrefix(text, "  ") && strings.Contains(strings.TrimSpace(text), " ")
		if width := at.Column - 1 + utf8.RuneCountInString(line.Text); isProse && isAlone(at) && width > c.rules.CommentWidth {
			c.refuse(at, "a comment of %d characters, at most %d", width, c.rules.CommentWidth)
		}
	}
	text := " " + strings.ToLower(strings.Join(strings.Fields(g.Text()), " ")) + " "
	for phrase, better := range c.rules.Phrases {
		if strings.Contains(text, " "+phrase+" ") {
			c.refuse(set.Position(g.Pos()), "says %q: say %s", phrase, better)
		}
	}
}

// isAlone reports whether a comment is the first text on its line. gofmt indents such a comment only by a few tabs.
func isAlone(at token.Position) bool { return at.Column <= 10 }

// words splits an identifier into its words in lower case.
func words(name string) []string {
	var out []string
	from := 0
	runes := []rune(name)
	for i := 1; i <= len(runes); i++ {
		if i == len(runes) || unicode.IsUpper(runes[i]) && !unicode.IsUpper(runes[i-1]) || runes[i] == '_' {
			out = append(out, strings.ToLower(strings.Trim(string(runes[from:i]), "_")))
			from = i
		}
	}
	return out
}

func (c *languageCheck) identifier(set *token.FileSet, names ...*ast.Ident) {
	for _, name := range names {
		for _, w := range words(name.Name) {
			if better, ok := c.rules.Words[w]; ok {
				c.refuse(set.Position(name.Pos()), "%s has the word %q: use %s", name.Name, w, better)
			}
		}
	}
}

// irregular lists participles that do not end in "ed".
var irregular = strings.Fields("begun bound broken bought brought built caught chosen cut done drawn driven fallen felt found forgotten frozen given" +
	" gone got heard held hidden hurt kept known laid led left lost made meant met paid said seen sent shown sold spent split spoken spread stolen" +
	" stood struck sworn taken thought thrown told torn understood woken won worn wound written")

// function records a function whose name is a participle.
func (c *languageCheck) function(set *token.FileSet, name *ast.Ident) {
	list := words(name.Name)
	if len(list) != 1 || slices.Contains(c.rules.Verbs, list[0]) {
		return
	}
	if strings.HasSuffix(list[0], "ed") || slices.Contains(irregular, list[0]) {
		c.counts.Participles = append(c.counts.Participles, path.Dir(set.Position(name.Pos()).Filename)+": "+name.Name)
	}
}
