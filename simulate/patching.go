package simulate

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// An editRequest is a change of a document that a sentence of the prompt requests. verb is set, add, remove, propose or
// show.
type editRequest struct {
	verb  string
	path  string // JSON Pointer
	value string // JSON value
}

// wishVerb matches the start of a clause that requests a change.
var wishVerb = regexp.MustCompile(`(?i)(?:^|[.,;:!?\n]\s*|\b(?:and|then|please)\s+)(set|add|remove|propose|show)\s+(?:that\s+)?`)

// parseEditRequests parses the edit requests in a text: `Set /title to "Winter"`, `Add {"name": "Snow"} to /chapters`,
// `Remove the subtitle`, `Propose that /author is "Ibsen"`, `Show /title`. A value is JSON, or else text up to the end
// of the sentence.
func parseEditRequests(text string) (out []editRequest) {
	for at := 0; ; {
		m := wishVerb.FindStringSubmatchIndex(text[at:])
		if m == nil {
			return out
		}
		w, rest := editRequest{verb: strings.ToLower(text[at+m[2] : at+m[3]])}, text[at+m[1]:]
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

// target parses a JSON Pointer or a member name at the start of text. path is the JSON Pointer, rest the remaining
// text. ok is false if text does not start with a word.
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

// operand parses a value at the start of text, and skips the following separator, which is in behind. value is JSON,
// rest the remaining text.
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
	if !json.Valid([]byte(value)) { // such as a number before a full stop
		value = quote(value)
	}
	return value, rest
}

// patching is the current task of a conversation that edits a document.
type patching struct {
	editRequests []editRequest
	results      []string
	corrected    bool // the last message of the client was a correction
}

// readPatching finds the last user message with edit requests and the results of the calls for it. called reports
// whether an assistant message contains calls for the edit requests.
func readPatching(history []Message, called func([]editRequest, Message) bool) (p patching) {
	since := history
	for i, m := range slices.Backward(history) {
		if m.Role != "user" || len(m.Results) > 0 {
			continue
		}
		if p.editRequests = parseEditRequests(m.Text); p.editRequests != nil {
			since = history[i+1:]
			break
		}
	}
	answered, right := false, false
	for _, m := range since {
		switch {
		case m.Role == "assistant":
			answered, right = true, called(p.editRequests, m)
		case right && len(m.Results) > 0:
			for _, r := range m.Results {
				p.results = append(p.results, r.Text)
			}
		case right:
			p.results = append(p.results, removeTags(m.Text))
		case answered && p.results != nil && len(m.Results) == 0: // the model has already answered
			return patching{}
		}
	}
	p.corrected = answered && p.results == nil
	return p
}

// answerEdit returns the turn for a prompt that requests changes of a document. It uses the tools with a "patch"
// argument for a JSON Patch (a tool for proposals is recognized by its name) and a tool with a "path" argument that
// reads. ok is false without a "patch" tool. Without edit requests, turn is a text with an example of one, and ok is
// false if the request has tool results, a forced choice or a weather question.
func answerEdit(req Seen) (turn Turn, corrected, ok bool) {
	edits, proposes, reads := patchTools(req)
	if edits == "" && proposes == "" || req.Choice == "none" {
		return turn, false, false
	}
	p := readPatching(req.History, func(wishes []editRequest, m Message) bool {
		if len(req.Tools) == 0 {
			return edits != "" && strings.Contains(m.Text, edits) || proposes != "" && strings.Contains(m.Text, proposes)
		}
		wanted := callsFor(req, wishes, edits, proposes, reads)
		return slices.ContainsFunc(m.Calls, func(c Call) bool { return slices.ContainsFunc(wanted, c.does) })
	})
	if p.editRequests == nil {
		return Turn{Text: `I am a simulated model. Ask me: Set /title to "Winter".`}, false, len(req.Results) == 0 &&
			!req.isForced() && !question.MatchString(req.User)
	}
	calls := callsFor(req, p.editRequests, edits, proposes, reads)
	done := min(len(p.results), len(calls))
	if calls = calls[done:]; len(calls) == 0 {
		return Turn{Text: describeResults(p.results)}, p.corrected, true
	}
	if req.Serial {
		calls = calls[:1]
	}
	return Turn{Calls: calls}, p.corrected, true
}

// Names of document tools in a prompt, for requests that declare no tools.
var (
	patchWord   = regexp.MustCompile(`\w+_patch\b`)
	proposeWord = regexp.MustCompile(`\w+_propose\b`)
)

// does reports whether c has the name, the patch and the path of other. Further arguments may differ.
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

// callsFor returns the calls for the edit requests: one call for all changes, and one per proposal and per shown value.
// edits, proposes and reads are tool names.
func callsFor(req Seen, wishes []editRequest, edits, proposes, reads string) (calls []Call) {
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

// patchTools returns the names of the document tools in a request, by their schemas and names; "" for none.
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

// operation returns the edit request as an operation of a JSON Patch. "set" becomes "add" for a member, which may be
// new, and "replace" for an array element.
func (w editRequest) operation() string {
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

// patchArguments returns the arguments of a call with a patch and sample values for other required arguments. If the
// schema requires a string, the patch is encoded as a string.
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

// describeResults returns a text about the results of calls: the errors, the shown values, or that all is done.
func describeResults(results []string) string {
	var bad, shown []string
	for _, text := range results {
		r, err := parseNode([]byte(strings.TrimPrefix(text, "Error:"))) // error prefix of some wires
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
