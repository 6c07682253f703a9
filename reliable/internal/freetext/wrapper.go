package freetext

import "strings"

// unwrapText returns the interpretations of a text in a code block or in a here-document for the tool, the more likely
// first. They differ in the final newline. It returns nil for other texts.
func unwrapText(text, tool string) []string {
	if inner, ok := cutFence(text); ok {
		return []string{strings.TrimSuffix(inner, "\n"), inner}
	}
	if inner, ok := hereDocument(text, tool); ok {
		return []string{inner, strings.TrimSuffix(inner, "\n")}
	}
	return nil
}

// cutFence returns the contents of a text that is exactly one code block.
func cutFence(text string) (inner string, ok bool) {
	text = strings.TrimSpace(text)
	opener, rest, ok := strings.Cut(text, "\n")
	if !ok || len(opener) < 3 || opener[0] != '`' && opener[0] != '~' {
		return "", false
	}
	mark := opener[:1]
	fence := opener[:len(opener)-len(strings.TrimLeft(opener, mark))]
	if len(fence) < 3 || strings.Contains(opener[len(fence):], mark) {
		return "", false
	}
	at := strings.LastIndexByte(rest, '\n') + 1
	if closer := rest[at:]; len(closer) < len(fence) || strings.Trim(closer, mark) != "" {
		return "", false
	}
	return rest[:at], true
}

// hereDocument returns the contents of a text that is exactly one here-document for the tool, as in apply_patch
// <<'EOF', without shell expansions.
func hereDocument(text, tool string) (inner string, ok bool) {
	opener, rest, ok := strings.Cut(strings.TrimSpace(text), "\n")
	if !ok {
		return "", false
	}
	command, word, ok := strings.Cut(opener, "<<")
	if !ok || strings.TrimSpace(command) != tool {
		return "", false
	}
	word = strings.TrimSpace(word)
	bare := strings.Trim(word, `'"`)
	if bare == "" || strings.ContainsAny(bare, " \t'\"\\$&|;<>-") || word != bare && word != "'"+bare+"'" && word != `"`+bare+`"` {
		return "", false
	}
	at := strings.LastIndexByte(rest, '\n') + 1
	inner = rest[:at]
	if rest[at:] != bare || word == bare && strings.ContainsAny(inner, "$`\\") || strings.Contains("\n"+inner, "\n"+bare+"\n") {
		return "", false
	}
	return inner, true
}
