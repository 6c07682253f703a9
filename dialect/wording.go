package dialect

import "strings"

// presenting are words of a sentence that shows something rather than doing it.
var presenting = []string{
	"example", "e.g.", "for instance", "illustrat", "syntax", "template", "alternativ", "format is", "format looks", "format:", "formatted like", "is written as",
	"written like", "definition", "these tools", "available tools", "available functions", "wrote", "log line", "logged", "quoted", "you can call", "you could",
	"you might", "schema", "documentation", "instead of", "rather than", "do not run", "do not use", "do not call", "don't run", "don't use", "don't call", "never run",
	"never call", "fixture", "the test", "already ran", "i ran", "it returned", "file contains", "expected output", "the shape is", "-like layout",
	"variant", "writes the same with",
	// The same in other languages.
	"beispiel", "das format", "exemple", "s'écrit", "le format", "ejemplo", "esempio", "exemplo", "voorbeeld", "przykład", "пример", "örnek", "مثال",
	"示例", "例如", "例子", "格式", "サンプル", "の例", "形式", "예시", "예를 들", "형식",
}

// mentioning are words that stand right before markup that is shown in a sentence.
var mentioning = []string{"written as", "written like", "syntax is", "format is", "looks like", "look like", "for example", "e.g.", "form is", "such as"}

// mentions reports whether the sentence on line shows what follows on the same line.
func mentions(line string) bool {
	if strings.TrimSpace(line) == "" {
		return false
	}
	s := strings.ToLower(lastSentence(line))
	for _, w := range mentioning {
		if strings.HasPrefix(s, w) || strings.HasSuffix(s, w) {
			return true
		}
	}
	return false
}

// offering are words of a question that leaves the decision to the reader.
var offering = []string{"would you like me", "shall i ", "should i ", "do you want me", "may i ", "tell me which", "which one do you"}

// offers reports whether a text asks the reader before anything is done.
func offers(text string) bool {
	s := strings.ToLower(text)
	for _, w := range offering {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// presents reports whether the last sentence of lead shows what follows as an example, a format, an alternative or a
// quotation.
func presents(lead string) bool {
	s := strings.ToLower(lastSentence(lead))
	if s == "or" || strings.HasPrefix(s, "or ") || strings.HasPrefix(s, "or,") || strings.HasSuffix(s, " as in") || s == "as in" {
		return true
	}
	if strings.HasPrefix(s, "either") || strings.HasPrefix(s, "as in") || strings.HasPrefix(s, "like this") || strings.HasPrefix(s, "such as") {
		return true
	}
	for _, w := range presenting {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// lastSentence is the last sentence of a text, without the marks that end it.
func lastSentence(lead string) string {
	lead = strings.TrimRight(lead, " \t\r\n:*`")
	if n := strings.LastIndex(lead, "\n\n"); n >= 0 {
		lead = lead[n+2:]
	}
	for _, end := range [...]string{". ", "! ", "? ", ".\n"} {
		if n := strings.LastIndex(lead, end); n >= 0 && !strings.HasSuffix(lead[:n], "e.g") {
			lead = lead[n+len(end):]
		}
	}
	return strings.TrimSpace(lead)
}
