package simulate

import (
	"regexp"
	"slices"
	"strings"
)

// AnyTools returns a script that can call any tools of a request. It selects the tools that the last prompt names. If
// the prompt names none, it selects the tool whose name and description share the most words with the prompt. If the
// request requires a call, it always selects a tool. Arguments satisfy the tool's schema and use values of the prompt:
// "the unit is celsius", quoted strings, numbers, capitalized names. After tool results, the script returns a text that
// repeats them. After a result with an error it repeats the call, at most twice.
//
// Otherwise AnyTools works like [Weather]: it writes calls as text if the tools are only described in the prompt, the
// model's name selects a fault, and a line of the prompt may contain the call to make.
func AnyTools() Script { return anyTools }

func anyTools(req Seen) Turn {
	t := readTask(req)
	return playTurn(req, t.turn(req), "The user wants: "+shortenText(t.text, 80), req.IsCorrection())
}

// maxAgain is the maximum number of times a call is repeated after an error result.
const maxAgain = 2

// A task is the last user prompt in a request's history, with the calls and results since that prompt.
type task struct {
	text     string
	tools    []offer
	prompted bool
	called   []string // names of the tools called since the prompt, in order
	past     []Call   // the native calls among them
	results  []string // texts of the successful results, and of the last failed one
	failures int      // number of consecutive error results
}

// readTask extracts the current task from the history of a request.
func readTask(req Seen) task {
	t := task{}
	t.tools, t.prompted = offers(req)
	for i, m := range req.History {
		switch {
		case m.Role == "assistant":
			for _, c := range m.Calls {
				t.called = append(t.called, c.Name)
			}
			t.past = append(t.past, m.Calls...)
			if t.prompted && len(m.Calls) == 0 {
				t.called = append(t.called, t.findCalledTools(m.Text)...)
			}
		case len(m.Results) > 0:
			t.take(m.Results)
			if m.Text != "" && !correcting.MatchString(m.Text) && i == len(req.History)-1 {
				t.ask(m.Text)
			}
		case m.Role == "user" && t.prompted && t.answers(req.History, i):
			t.take([]Result{{Text: removeTags(m.Text)}})
		case m.Role == "user" && t.text != "" && i > 0 && correcting.MatchString(m.Text): // a correction, not a new prompt
		case m.Role == "user" && m.Text != "":
			t.ask(m.Text)
		}
	}
	return t
}

// ask starts a new task with the given user prompt, and forgets earlier calls and results.
func (t *task) ask(text string) {
	t.text, t.called, t.past, t.results, t.failures = text, nil, nil, nil, 0
}

// take adds tool results of the request to the task.
func (t *task) take(results []Result) {
	for _, r := range results {
		if !tellErrors([]Result{r}) {
			t.results = append(t.results, r.Text)
		}
	}
	if !tellErrors(results) {
		t.failures = 0
		return
	}
	t.failures++
	if t.failures > maxAgain {
		for _, r := range results {
			t.results = append(t.results, r.Text)
		}
	}
}

// findCalledTools returns the names of the tools that a text seems to call: the text contains the name and a bracket.
func (t *task) findCalledTools(text string) []string {
	var out []string
	for _, o := range t.tools {
		if mentions(text, o.name) >= 0 && strings.ContainsAny(text, "{<[(") {
			out = append(out, o.name)
		}
	}
	return out
}

// answers reports whether history[i], a user message, contains the results of calls that the previous assistant message
// wrote as text.
func (t *task) answers(history []Message, i int) bool {
	return i > 0 && history[i-1].Role == "assistant" && len(t.findCalledTools(history[i-1].Text)) > 0 &&
		!correcting.MatchString(history[i].Text)
}

// turn returns the response without faults: calls of the tools that the task still needs, or the final text.
func (t *task) turn(req Seen) Turn {
	if req.Choice == "none" || len(t.tools) == 0 {
		return Turn{Text: t.final()}
	}
	open := t.open(req)
	if len(open) == 0 {
		return Turn{Text: t.final()}
	}
	said := t.argumentWords(open)
	var out Turn
	for _, o := range open {
		out.Calls = append(out.Calls, t.calls(o, said)...)
	}
	if req.Serial {
		out.Calls = out.Calls[:1]
	}
	return out
}

// open returns the tools to call in this response; none if the task is done.
func (t *task) open(req Seen) []offer {
	wanted := t.selectTools(req)
	if t.failures > 0 {
		if t.failures > maxAgain || len(t.called) == 0 {
			return nil
		}
		last := t.called[len(t.called)-1]
		if i := slices.IndexFunc(t.tools, func(o offer) bool { return o.name == last }); i >= 0 {
			return t.tools[i : i+1]
		}
		return wanted
	}
	if len(t.results) == 0 {
		return t.first(req, wanted)
	}
	var left []offer
	for _, o := range wanted {
		if !slices.Contains(t.called, o.name) {
			left = append(left, o)
		}
	}
	return t.first(req, left)
}

// sequence matches words that order actions one after another, such as "then".
var sequence = regexp.MustCompile(`(?i)\b(?:then|after that|afterwards|first|next|finally)\b`)

// first returns the tools to call in parallel: only the first one if the prompt orders the actions or the request
// forbids parallel calls.
func (t *task) first(req Seen, tools []offer) []offer {
	if len(tools) > 1 && (req.Serial || sequence.MatchString(t.text)) {
		return tools[:1]
	}
	return tools
}

// selectTools returns the tools that the prompt needs, in the order in which it names them.
func (t *task) selectTools(req Seen) []offer {
	if req.isForced() && req.Choice != "required" && req.Choice != "auto" {
		for _, o := range t.tools {
			if o.name == req.Choice {
				return []offer{o}
			}
		}
	}
	type named struct {
		offer
		at int
	}
	var all []named
	for _, o := range t.tools {
		if at := mentions(t.text, o.name); at >= 0 && strings.ContainsAny(o.name, "_-.0123456789") || at >= 0 && quotedAt(t.text, o.name) {
			all = append(all, named{o, at})
		}
	}
	if all != nil {
		slices.SortStableFunc(all, func(a, b named) int { return a.at - b.at })
		var out []offer
		for _, n := range all {
			out = append(out, n.offer)
		}
		return out
	}
	if best := t.likeliest(req.isForced()); best >= 0 {
		return t.tools[best : best+1]
	}
	return nil
}

// mentions returns the byte offset of the tool name in text as a whole word, -1 if it does not occur.
func mentions(text, name string) int {
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return -1
		}
		i += at
		if !wordByte(text, i-1) && !wordByte(text, i+len(name)) {
			return i
		}
		at = i + len(name)
	}
}

func wordByte(text string, i int) bool {
	return i >= 0 && i < len(text) && (text[i] == '_' || isWord(text[i:i+1], "", 1))
}

// quotedAt reports whether text contains the name in quotes or backticks, or next to the word "tool". A tool with an
// ordinary word as its name counts as named only then.
func quotedAt(text, name string) bool {
	return strings.Contains(text, "`"+name+"`") || strings.Contains(text, `"`+name+`"`) ||
		strings.Contains(text, "tool "+name) || strings.Contains(text, name+" tool")
}

// common are words that do not indicate the purpose of a tool.
var common = strings.Fields(`a an and any are as at be by call can do for from function get give given has how i if in is it its me my of on or
	please returns return set show tell than that the this to tool use used using want was we what when where which who will with you your`)

// likeliest returns the index of the tool whose name and description share the most words with the prompt. It returns
// -1 if no tool shares enough words; if demanded is true, it returns at least 0.
func (t *task) likeliest(demanded bool) int {
	asked := map[string]bool{}
	for _, w := range wordsOf(t.text) {
		if !slices.Contains(common, w) {
			asked[stem(w)] = true
		}
	}
	best, most := -1, 1
	if demanded {
		best, most = 0, 0
	}
	for i, o := range t.tools {
		score := 0
		seen := map[string]bool{}
		count := func(text string, worth int) {
			for _, w := range wordsOf(text) {
				if w = stem(w); asked[w] && !seen[w] {
					seen[w] = true
					score += worth
				}
			}
		}
		count(o.name, 3)
		count(o.description, 1)
		if score > most {
			best, most = i, score
		}
	}
	return best
}

// stem removes an inflectional ending from a word, such as "cities" to "citi" and "searching" to "search".
func stem(w string) string {
	for _, end := range []string{"ing", "ed", "es", "s"} {
		if s := strings.TrimSuffix(w, end); len(s) >= 3 && s != w {
			return strings.TrimSuffix(s, "e")
		}
	}
	return strings.TrimSuffix(w, "e")
}

// maxCalls is the maximum number of calls of one tool in a response.
const maxCalls = 16

// calls returns the calls of a tool with the values of the prompt as arguments. If the prompt lists several values for
// an argument that takes one, the result has one call per value.
func (t *task) calls(o offer, said *promptWords) []Call {
	root, err := parseNode(o.schema)
	if err != nil || !root.is("object") {
		return []Call{{Name: o.name, Arguments: "{}"}}
	}
	var out []Call
	for range maxCalls {
		m := maker{shaper: shaper{root: root}, said: said}
		out = append(out, Call{Name: o.name, Arguments: m.object(m.shapeOf([]*node{root}), 0)})
		if !said.listsMore() {
			break
		}
	}
	return out
}

// argumentWords returns the words of the prompt that may be argument values. It excludes tool names and values that
// earlier calls of other tools used.
func (t *task) argumentWords(open []offer) *promptWords {
	text := t.text
	for _, o := range t.tools {
		if strings.Contains(o.name, "_") && mentions(text, o.name) >= 0 {
			text = strings.ReplaceAll(text, o.name, " ")
		}
	}
	said := splitPrompt(text)
	for _, c := range t.past {
		if slices.ContainsFunc(open, func(o offer) bool { return o.name == c.Name }) {
			continue
		}
		for i, w := range said.words {
			said.used[i] = said.used[i] || mentions(c.Arguments, w.text) >= 0
		}
	}
	return said
}

// final returns the text response that ends a task: it repeats the tool results.
func (t *task) final() string {
	switch {
	case t.failures > maxAgain:
		return "I could not do that: " + strings.Join(t.results[max(0, len(t.results)-1):], "; ")
	case len(t.results) > 0:
		var parts []string
		for _, r := range t.results {
			parts = append(parts, strings.TrimRight(shortenText(r, 2000), "."))
		}
		return "Here is what I found: " + strings.Join(parts, "; ") + "."
	case len(t.tools) > 0:
		return "I need no tool for that. You said: " + shortenText(t.text, 500)
	}
	return "You said: " + shortenText(t.text, 500)
}

// shortenText returns text without surrounding white space. It cuts a text longer than the limit most, in bytes, and
// appends "...".
func shortenText(text string, most int) string {
	text = strings.TrimSpace(text)
	if cut := pieces(text, most); len(cut) > 1 {
		return cut[0] + "..."
	}
	return text
}
