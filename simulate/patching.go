package simulate

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A wish is a sentence's wish about a document: to set, add or remove a value, to propose one, or to show one.
type wish struct {
	verb  string
	path  string // a JSON pointer
	value string // JSON
}

// wishVerb finds the beginnings of sentences that ask for a change, and of their parts behind "and" or "then".
var wishVerb = regexp.MustCompile(`(?i)(?:^|[.,;:!?\n]\s*|\b(?:and|then|please)\s+)(set|add|remove|propose|show)\s+(?:that\s+)?`)

// wishes reads the wishes of a text: "Set /title to "Winter"", "Add {"name": "Snow"} to /chapters", "Remove the
// subtitle", "Propose that /author is "Ibsen"", "Show /title". A value is JSON, or else text up to the end of the
// sentence.
func wishes(text string) (out []wish) {
	for at := 0; ; {
		m := wishVerb.FindStringSubmatchIndex(text[at:])
		if m == nil {
			return out
		}
		w, rest := wish{verb: strings.ToLower(text[at+m[2] : at+m[3]])}, text[at+m[1]:]
		ok := true
		switch w.verb {
		case "add":
			if w.value, rest = operand(rest, " to "); rest != "" {
				w.path, rest, ok = target(rest)
			}
			ok = ok && w.path != ""
			w.path += "/-"
		case "set", "propose":
			w.path, rest, ok = target(rest)
			word, value, found := strings.Cut(rest, " ")
			if ok = ok && found && (word == "to" || word == "is"); ok {
				w.value, rest = operand(value, "")
			}
		default:
			w.path, rest, ok = target(rest)
		}
		if ok {
			out = append(out, w)
			at = len(text) - len(rest)
		} else {
			at += m[1]
		}
	}
}

// target reads the pointer, or the name of a member, that a text begins with.
func target(text string) (path, rest string, ok bool) {
	text = strings.TrimPrefix(text, "the ")
	word, rest, _ := strings.Cut(text, " ")
	if i := strings.IndexByte(word, '\n'); i >= 0 {
		word, rest = word[:i], text[i:]
	}
	if end := strings.TrimRight(word, ".,;:!?"); end != word {
		word, rest = end, text[len(end):]
	}
	if word != "" && word[0] != '/' {
		word = "/" + word
	}
	return word, rest, word != ""
}

// operand reads the value that a text begins with, and skips the separator behind it.
func operand(text, behind string) (value, rest string) {
	d := json.NewDecoder(strings.NewReader(text))
	var v json.RawMessage
	if d.Decode(&v) == nil {
		rest = text[d.InputOffset():]
		return string(v), strings.TrimPrefix(rest, behind)
	}
	end := len(text)
	if i := strings.IndexAny(text, ".;!?\n"); i >= 0 {
		end = i
	}
	value, rest = text[:end], text[end:]
	if i := strings.Index(value, behind); behind != "" && i >= 0 {
		value, rest = text[:i], text[i+len(behind):]
	}
	if !json.Valid([]byte(value)) { // such as a number before a full stop is
		value = quote(value)
	}
	return value, rest
}

// patching is the script's reading of a request for changes of a document.
type patching struct {
	wishes    []wish
	results   []string
	corrected bool // the last thing the client sent was a correction
}

// readPatching finds the last text of the user that asks for changes, and the results of its calls. called reports
// whether a turn of the model holds a call for it.
func readPatching(history []Message, called func([]wish, Message) bool) (p patching) {
	since := history
	for i, m := range slices.Backward(history) {
		if m.Role != "user" || len(m.Results) > 0 {
			continue
		}
		if p.wishes = wishes(m.Text); p.wishes != nil {
			since = history[i+1:]
			break
		}
	}
	answered, right := false, false
	for _, m := range since {
		switch {
		case m.Role == "assistant":
			answered, right = true, called(p.wishes, m)
		case right && len(m.Results) > 0:
			for _, r := range m.Results {
				p.results = append(p.results, r.Text)
			}
		case right:
			p.results = append(p.results, removeTags(m.Text))
		case answered && p.results != nil && len(m.Results) == 0: // it has said what came of it
			return patching{}
		}
	}
	p.corrected = answered && p.results == nil
	return p
}

// answerEdit returns the answer to a user who asks for changes of a document, where tools for that are declared: those
// with an argument "patch" that is a JSON Patch, of which one that proposes is told by its name, and one with a "path"
// that reads. ok is false where the script has nothing to do with it.
func answerEdit(req Seen) (turn Turn, corrected, ok bool) {
	edits, proposes, reads := patchTools(req)
	if edits == "" && proposes == "" || req.Choice == "none" {
		return turn, false, false
	}
	p := readPatching(req.History, func(wishes []wish, m Message) bool {
		if len(req.Tools) == 0 {
			return edits != "" && strings.Contains(m.Text, edits) || proposes != "" && strings.Contains(m.Text, proposes)
		}
		wanted := callsFor(req, wishes, edits, proposes, reads)
		return slices.ContainsFunc(m.Calls, func(c Call) bool { return slices.ContainsFunc(wanted, c.does) })
	})
	if p.wishes == nil {
		return Turn{Text: `I am a simulated model. Ask me: Set /title to "Winter".`}, false, len(req.Results) == 0 &&
			!req.isForced() && !question.MatchString(req.User)
	}
	calls := callsFor(req, p.wishes, edits, proposes, reads)
	done := min(len(p.results), len(calls))
	if calls = calls[done:]; len(calls) == 0 {
		return Turn{Text: describeResults(p.results)}, p.corrected, true
	}
	if req.Serial {
		calls = calls[:1]
	}
	return Turn{Calls: calls}, p.corrected, true
}

// The names of tools for documents, where a prompt alone describes them.
var (
	patchWord   = regexp.MustCompile(`\w+_patch\b`)
	proposeWord = regexp.MustCompile(`\w+_propose\b`)
)

// does reports whether a call asks for the changes of another one, whatever else it has.
func (c Call) does(other Call) bool {
	got, err := parseNode([]byte(c.Arguments))
	want, _ := parseNode([]byte(other.Arguments))
	same := func(key string) bool {
		return !want.has(key) || got.has(key) && equalJSON(got.at(key).raw, want.at(key).raw)
	}
	return err == nil && c.Name == other.Name && same("patch") && same("path")
}

func equalJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

// callsFor are the calls for the wishes: one for all changes, and one for each proposal and each value to show.
func callsFor(req Seen, wishes []wish, edits, proposes, reads string) (calls []Call) {
	var ops []string
	for _, w := range wishes {
		switch {
		case w.verb == "show" && reads != "":
			calls = append(calls, Call{Name: reads, Arguments: joinMembers([]member{{"path", quote(w.path)}})})
		case w.verb == "propose" && proposes != "":
			calls = append(calls, Call{Name: proposes, Arguments: patchArguments(req, proposes, []string{w.operation()})})
		case w.verb != "show" && w.verb != "propose" && edits != "":
			ops = append(ops, w.operation())
		}
	}
	if ops != nil {
		calls = append([]Call{{Name: edits, Arguments: patchArguments(req, edits, ops)}}, calls...)
	}
	return calls
}

// patchTools finds the tools for documents by their schemas and names; "" for none.
func patchTools(req Seen) (edits, proposes, reads string) {
	if len(req.Tools) == 0 {
		prompt := req.System + string(req.Format)
		return patchWord.FindString(prompt), proposeWord.FindString(prompt), ""
	}
	for _, name := range req.Tools {
		props, _ := properties(req.Schema(name))
		_, patch := props["patch"]
		_, path := props["path"]
		word := strings.ToLower(name)
		switch {
		case patch && strings.Contains(word, "propos"):
			proposes = name
		case patch:
			edits = name
		case path && (strings.Contains(word, "get") || strings.Contains(word, "read")):
			reads = name
		}
	}
	return edits, proposes, reads
}

// operation writes a wish as an operation of a JSON Patch. A set member may be a new one; a set element exists.
func (w wish) operation() string {
	last := w.path[strings.LastIndexByte(w.path, '/')+1:]
	_, err := strconv.Atoi(last)
	op := "add"
	switch {
	case w.verb == "remove":
		return joinMembers([]member{{"op", `"remove"`}, {"path", quote(w.path)}})
	case w.verb == "set" && err == nil:
		op = "replace"
	}
	return joinMembers([]member{{"op", quote(op)}, {"path", quote(w.path)}, {"value", w.value}})
}

// patchArguments writes the arguments of a call with a patch, and whatever else the tool requires. Where the schema
// wants text, the patch is written as text.
func patchArguments(req Seen, tool string, ops []string) string {
	props, required := properties(req.Schema(tool))
	patch := "[" + strings.Join(ops, ", ") + "]"
	if n, err := parseNode(props["patch"]); err == nil && n.at("type").str() == "string" {
		patch = quote(patch)
	}
	members := []member{{"patch", patch}}
	for _, k := range slices.Sorted(slices.Values(required)) {
		if k != "patch" {
			members = append(members, member{k, sample(props[k])})
		}
	}
	return joinMembers(members)
}

// describeResults describes the results of calls: the error, or the shown value, or that it is done.
func describeResults(results []string) string {
	var bad, shown []string
	for _, text := range results {
		r, err := parseNode([]byte(strings.TrimPrefix(text, "Error:"))) // which stands before it where an API has no flag for errors
		for _, e := range r.at("errors").list() {
			bad = append(bad, strings.TrimRight(e.at("message").str(), "."))
		}
		switch value := r.at("data").member("value"); {
		case err != nil || r.has("ok") && !r.at("ok").isTrue() && bad == nil:
			bad = append(bad, strings.TrimRight(text, "."))
		case value != nil:
			shown = append(shown, value.raw)
		}
	}
	switch {
	case bad != nil:
		return "That did not work: " + strings.Join(bad, "; ") + "."
	case shown != nil:
		return "It is " + strings.Join(shown, "; ") + "."
	}
	return "Done."
}
