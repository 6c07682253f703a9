package simulate

import (
	"regexp"
	"slices"
	"strings"
)

// AnyTools returns a script that uses whatever tools a request offers. It calls those that the prompt names; where it
// names none, the one whose name and description share most words with it; where a call is demanded, some tool in any
// case. Arguments satisfy the tool's schema and use the values of the prompt: "the unit is celsius", quoted texts,
// numbers, names in capitals. Given results it answers in a text that repeats them; a result with an error is answered
// by the call again, twice at most.
//
// The rest is as in [Weather]: tools that are only described in the prompt are called as text, the model's name selects
// a fault, and a line of the question may say which call to make.
func AnyTools() Script { return anyTools }

func anyTools(req Seen) Turn {
	t := readTask(req)
	return playTurn(req, t.turn(req), "The user wants: "+shortenText(t.text, 80), req.IsCorrection())
}

// maxAgain is how often a call is made again that led to an error.
const maxAgain = 2

// A task is the script's reading of a history: the last request, and its state.
type task struct {
	text     string
	tools    []offer
	prompted bool
	called   []string // names of the tools called since, in order
	past     []Call   // those that were native
	results  []string // of the latest calls that led to any
	failures int      // results on end that told of an error
}

// readTask finds the last request and its state.
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
		case m.Role == "user" && t.text != "" && i > 0 && correcting.MatchString(m.Text): // nothing new
		case m.Role == "user" && m.Text != "":
			t.ask(m.Text)
		}
	}
	return t
}

// ask begins a task anew.
func (t *task) ask(text string) {
	t.text, t.called, t.past, t.results, t.failures = text, nil, nil, nil, 0
}

// take notes the results of calls.
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

// findCalledTools returns the names of the tools that a text calls.
func (t *task) findCalledTools(text string) []string {
	var out []string
	for _, o := range t.tools {
		if mentions(text, o.name) >= 0 && strings.ContainsAny(text, "{<[(") {
			out = append(out, o.name)
		}
	}
	return out
}

// answers reports whether a message of the user holds the results of calls that the message before it wrote as text.
func (t *task) answers(history []Message, i int) bool {
	return i > 0 && history[i-1].Role == "assistant" && len(t.findCalledTools(history[i-1].Text)) > 0 &&
		!correcting.MatchString(history[i].Text)
}

// turn returns the well-behaved answer.
func (t *task) turn(req Seen) Turn {
	if req.Choice == "none" || len(t.tools) == 0 {
		return Turn{Text: t.final()}
	}
	open := t.open(req)
	if len(open) == 0 {
		return Turn{Text: t.final()}
	}
	said := t.hear(open)
	var out Turn
	for _, o := range open {
		out.Calls = append(out.Calls, t.calls(o, said)...)
	}
	if req.Serial {
		out.Calls = out.Calls[:1]
	}
	return out
}

// open returns the tools to call now.
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

// sequence are words that tell that one thing is done after another.
var sequence = regexp.MustCompile(`(?i)\b(?:then|after that|afterwards|first|next|finally)\b`)

// first returns the tools that can be called at once: one, where the prompt speaks of an order.
func (t *task) first(req Seen, tools []offer) []offer {
	if len(tools) > 1 && (req.Serial || sequence.MatchString(t.text)) {
		return tools[:1]
	}
	return tools
}

// selectTools returns the tools that the task needs.
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

// mentions returns where a text names a tool, as a word of its own, -1 for nowhere.
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

// quotedAt reports whether a text names a tool as code does, or calls it a tool: then it is meant though it is an
// ordinary word.
func quotedAt(text, name string) bool {
	return strings.Contains(text, "`"+name+"`") || strings.Contains(text, `"`+name+`"`) ||
		strings.Contains(text, "tool "+name) || strings.Contains(text, name+" tool")
}

// common are words that do not describe the purpose of a tool.
var common = strings.Fields(`a an and any are as at be by call can do for from function get give given has how i if in is it its me my of on or
	please returns return set show tell than that the this to tool use used using want was we what when where which who will with you your`)

// likeliest returns the tool that shares most words with the task, -1 where none shares enough. Where a call is
// demanded the first is enough.
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

// stem returns a word without the endings that change with its use.
func stem(w string) string {
	for _, end := range []string{"ing", "ed", "es", "s"} {
		if s := strings.TrimSuffix(w, end); len(s) >= 3 && s != w {
			return strings.TrimSuffix(s, "e")
		}
	}
	return strings.TrimSuffix(w, "e")
}

// maxCalls bounds the calls of one tool in one answer.
const maxCalls = 16

// calls returns the calls of a tool, with the task's values in their arguments: one for each of several things that the
// prompt lists where the tool takes one.
func (t *task) calls(o offer, said *spoken) []Call {
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

// hear returns the words of the task, without the names of tools and without the values that other calls have used.
func (t *task) hear(open []offer) *spoken {
	text := t.text
	for _, o := range t.tools {
		if strings.Contains(o.name, "_") && mentions(text, o.name) >= 0 {
			text = strings.ReplaceAll(text, o.name, " ")
		}
	}
	said := hear(text)
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

// final returns the text that ends a task.
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

// shortenText returns the beginning of a text.
func shortenText(text string, most int) string {
	text = strings.TrimSpace(text)
	if cut := pieces(text, most); len(cut) > 1 {
		return cut[0] + "..."
	}
	return text
}
