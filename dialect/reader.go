package dialect

import (
	"cmp"
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect/internal/callshape"
	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/hash"
	"github.com/callwright/callwright/dialect/internal/label"
	"github.com/callwright/callwright/dialect/internal/literal"
	"github.com/callwright/callwright/dialect/internal/markup"
	"github.com/callwright/callwright/dialect/internal/pairs"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
)

// A reading is the result of parsing one value.
type reading struct {
	calls      []*Call
	name       string // name in a value that resembles a call but is none
	truncated  bool
	unreadable bool
	defines    bool // the value has a tool definition
	strange    bool // the value is neither calls nor a response nor empty
	envelope   bool // the value is a response in Callwright's envelope format
	content    string
	reasoning  string
	more       string // needsMoreWork, as written
	elements   bool   // the calls are complete elements of an incomplete list
	described  bool   // the preceding text describes something other than a call
}

// items returns the other members of an envelope as items.
func (b *reading) items() []Item {
	var out []Item
	if b.reasoning != "" {
		out = append(out, Item{Kind: Reasoning, Text: b.reasoning})
	}
	if b.content != "" {
		out = append(out, Item{Kind: Text, Text: b.content})
	}
	if b.more != "" {
		out = append(out, Item{Kind: Noted, Note: Note{Rule: "envelope.needs_more_work", Now: b.more}})
	}
	return out
}

// A reader parses calls from JSON and Python values that contain the tool names.
type reader struct {
	tools *toolset
	reading
}

// readValue parses the calls in a bracketed value: an object, an array of objects, or a list of Python calls.
func readValue(tools *toolset, text string) reading {
	r := reader{tools: tools}
	trimmed := strings.TrimSpace(text)
	if inner, ok := callshape.WithoutDoubled(trimmed); ok {
		trimmed = inner
	}
	if name, list, ok := pairs.ReadBracketedCall(trimmed); ok && tools.resolves(name) &&
		(len(list) > 0 || !tools.resolveTool(name).mustHave()) {
		r.calls = append(r.calls, &Call{Written: name, Args: pairArgs(list), Format: "bracket_note", bare: len(list) == 0})
		return r.reading
	}
	if trimmed != "" && (trimmed[0] == '[' || trimmed[0] == '(') && r.list(trimmed) {
		return r.reading
	}
	if name, args, ok := hash.Read(trimmed); ok {
		r.calls = append(r.calls, &Call{Written: name, JSON: string(args)})
		return r.reading
	}
	res, err := repair.JSON(trimmed)
	if err != nil {
		r.name, r.truncated, r.unreadable = callshape.WrittenName(trimmed, r.tools.resolves), errors.Is(err, repair.ErrTruncated), true
		if v, ok := callshape.MarkupArgs(trimmed, markup.JSON); ok && r.tools.resolves(r.name) {
			r.calls = append(r.calls, &Call{Written: r.name, JSON: string(v)})
			return r.reading
		}
		if !r.partial(trimmed) && strings.HasPrefix(trimmed, "[") {
			r.python(trimmed[1:])
		}
		return r.reading
	}
	if !r.value(res.JSON, 0) && !r.envelope {
		r.content, r.strange = "", !callshape.IsEmpty(res.JSON)
	}
	for _, c := range r.calls {
		c.Fixes = append(c.Fixes, res.Fixes...)
		switch {
		case r.envelope:
			c.Format = "envelope"
		case r.reasoning != "":
			c.Format = "scratchpad"
		}
	}
	return r.reading
}

// partial parses the complete elements of a truncated or damaged array. It returns false if no call is readable.
func (r *reader) partial(text string) bool {
	if !strings.HasPrefix(text, "[") {
		return false
	}
	for i := 1; i < len(text); {
		for i < len(text) && (chars.IsSpace(text[i]) || text[i] == ',') {
			i++
		}
		var k literal.Tracker
		end, why := k.Run(text, i, "")
		if i >= len(text) || text[i] != '{' {
			break
		}
		if why != literal.Closed {
			r.cutElement(text[i:])
			break
		}
		res, err := repair.JSON(text[i:end])
		if err != nil || !r.value(res.JSON, 0) {
			r.addUnreadableCall(text[i:end])
		}
		i = end
	}
	r.elements = true
	return r.readable()
}

// addUnreadableCall records an array element that is an unreadable call.
func (r *reader) addUnreadableCall(text string) {
	r.calls = append(r.calls, &Call{Written: callshape.WrittenName(text, r.tools.resolves), JSON: text, unreadable: true})
}

// readable reports whether at least one readable call was parsed. If not, it discards the unreadable ones.
func (r *reader) readable() bool {
	if !slices.ContainsFunc(r.calls, func(c *Call) bool { return !c.unreadable }) {
		r.calls = nil
	}
	return len(r.calls) > 0
}

// cutElement records the truncated last element of an array.
func (r *reader) cutElement(text string) {
	if name := callshape.WrittenName(text, r.tools.resolves); r.tools.resolves(name) {
		r.calls = append(r.calls, &Call{Written: name, JSON: text, Truncated: true})
	}
}

const maxNesting = 8

// value parses a call, an array of calls or an envelope. depth is the nesting depth. It returns false without a call.
func (r *reader) value(v []byte, depth int) bool {
	switch {
	case depth > maxNesting:
		return false
	case jsonx.KindOf(v) == jsonx.Array:
		if callshape.IsChat(v) {
			return false
		}
		return r.array(v, depth)
	case jsonx.KindOf(v) == jsonx.Object:
		return r.object(v, depth)
	case jsonx.KindOf(v) == jsonx.Text && depth > 0:
		if t, ok := jsonx.String(v); ok {
			return r.python(t)
		}
	}
	return false
}

// array parses the elements of an array.
func (r *reader) array(v []byte, depth int) bool { return r.beside(jsonx.Elements(v), depth) }

// beside parses adjacent values. It returns true if one has a call; incomplete calls then become unreadable ones.
func (r *reader) beside(values iter.Seq[[]byte], depth int) bool {
	any := false
	var strange []*Call
	for e := range values {
		before := len(r.calls)
		switch {
		case r.value(e, depth+1):
			any = true
		case depth <= 1 && len(r.calls) == before && r.isTorn(e):
			c := r.tornCall(e)
			r.calls = append(r.calls, c)
			strange = append(strange, c)
		}
	}
	if !any && len(strange) > 0 {
		r.calls = slices.DeleteFunc(r.calls, func(c *Call) bool { return slices.Contains(strange, c) })
	}
	return any
}

// isScalar reports whether v is neither an array nor an object.
func isScalar(v []byte) bool { return jsonx.KindOf(v) < jsonx.Array }

// isTorn reports whether an object that is not a call has arguments or a declared tool name.
func (r *reader) isTorn(v []byte) bool {
	if jsonx.KindOf(v) != jsonx.Object {
		return false
	}
	o := callshape.Of(v, r.tools.keys, r.tools.resolves)
	return o.Name == "" && o.HasArgs || r.tools.resolves(o.Name)
}

// tornCall returns an unreadable call for an object for which isTorn is true.
func (r *reader) tornCall(v []byte) *Call {
	return &Call{Written: callshape.Of(v, r.tools.keys, r.tools.resolves).Name, JSON: string(v), unreadable: true}
}

func (r *reader) object(v []byte, depth int) bool {
	o := callshape.Of(v, r.tools.keys, r.tools.resolves)
	if len(o.Calls) > 0 {
		r.envelopeOf(v, "content")
		return r.beside(slices.Values(slices.DeleteFunc(o.Calls, isScalar)), depth)
	}
	if o.Function != nil {
		inner := callshape.Of(o.Function, r.tools.keys, r.tools.resolves)
		if inner.Name != "" && inner.Args == nil && o.HasArgs { // the arguments are beside the function object
			inner.Args, inner.HasArgs, inner.ID = o.Args, true, cmp.Or(inner.ID, o.ID)
			r.defines = r.defines || callshape.IsDefinition(o.Args)
			return !callshape.IsDefinition(o.Args) && r.add(&inner, v)
		}
		before := len(r.calls)
		found := r.object(o.Function, depth+1)
		for _, c := range r.calls[before:] {
			c.ID = cmp.Or(c.ID, o.ID)
		}
		return found
	}
	if o.Name == "" && len(o.Answers) > 0 && r.readAnswers(o.Answers, depth) {
		return true
	}
	if o.Name == "" {
		if said, ok := callshape.SpokenOf(v); ok {
			r.content, r.reasoning, r.more, r.envelope = said.Content, said.Reasoning, said.More, true
		}
		return r.readKeyedCalls(v) || r.answer(v) || r.part(&o, depth)
	}
	if o.Args == nil {
		if t := r.tools.resolveTool(o.Name); t != nil {
			o.Inline(t.declares)
		}
	}
	if callshape.IsDefinition(o.Args) {
		r.defines = true
		return false
	}
	if o.Args == nil && o.Strange() {
		return false
	}
	return r.add(&o, v)
}

// readAnswers parses a complete response of another API, such as {"choices": [...]}. It returns false without calls.
func (r *reader) readAnswers(answers [][]byte, depth int) bool {
	found := false
	for _, v := range answers {
		found = r.value(v, depth+1) || found
	}
	return found
}

// part reads the text of one part of a response of another API. It returns false, as the part has no call.
func (r *reader) part(o *callshape.Shape, depth int) bool {
	if depth == 0 {
		return false
	}
	for _, m := range o.Others {
		if m.Key == "text" && jsonx.KindOf(m.Value) == jsonx.Text {
			text, _ := jsonx.String(m.Value)
			r.content += text
		}
	}
	return false
}

// add adds the call with the members o of the object v. It returns false if they are no call.
func (r *reader) add(o *callshape.Shape, v []byte) bool {
	d, _, ok := r.tools.names.Resolve(o.Name)
	if !ok && (!o.HasArgs || o.NameKey == "action" || o.NameKey == "call") {
		return false
	}
	if r.name == "" && !ok {
		r.name = o.Name
	}
	c := &Call{Written: o.Name, ID: o.ID, bare: o.Args == nil, unreadable: o.IsNested()}
	if was := o.Args; ok && o.TakeBeside(r.tools.findTool(d).declares) {
		c.Fixes = append(c.Fixes, repair.Fix{Rule: "extra_closer", Was: clip(string(was)), Now: clip(string(o.Args))})
	}
	c.JSON = string(o.Args)
	if s, isText := jsonx.String(o.Args); isText && jsonx.KindOf(o.Args) == jsonx.Text {
		if key := r.tools.findTool(d).onlyText(); key != "" && o.NameKey == "action" && !strings.HasPrefix(strings.TrimSpace(s), "{") {
			c.JSON, c.Args = "", []Arg{{Key: key, Text: s}} // ReAct agents have tools with one text argument
			r.calls = append(r.calls, c)
			return true
		}
		if strings.TrimSpace(s) == "" {
			s = "{}"
		}
		c.JSON = s
		c.Fixes = append(c.Fixes, repair.Fix{Rule: "double_encoded", Was: clip(string(o.Args)), Now: clip(s)})
	}
	if jsonx.KindOf(o.Args) == jsonx.Null && len(o.Args) > 0 {
		c.JSON = "{}"
	}
	if t, found := jsonx.Find(v, "scratchpad"); found && ok && r.tools.findTool(d).param("scratchpad") == nil {
		r.reasoning, _ = jsonx.String(t)
	}
	r.calls = append(r.calls, c)
	return true
}

// readKeyedCalls parses {"NAME": {arguments}}. It returns false if a key is neither a declared tool nor scratchpad.
func (r *reader) readKeyedCalls(v []byte) bool {
	var calls []*Call
	for k, val := range jsonx.Members(v) {
		name, kind := k.String(), jsonx.KindOf(val)
		if _, ok := r.tools.names.plain(name); !ok && !r.tools.names.has(name) {
			if name == "scratchpad" && kind == jsonx.Text {
				r.reasoning, _ = jsonx.String(val)
				continue
			}
			return false
		}
		if kind != jsonx.Object && kind != jsonx.Text || callshape.IsDefinition(val) {
			return false
		}
		c := &Call{Written: name, JSON: string(val)}
		if s, ok := jsonx.String(val); ok && kind == jsonx.Text {
			if !strings.HasPrefix(strings.TrimSpace(s), "{") {
				return false
			}
			c.JSON = s
			c.Fixes = append(c.Fixes, repair.Fix{Rule: "double_encoded", Was: clip(string(val)), Now: clip(s)})
		}
		calls = append(calls, c)
	}
	r.calls = append(r.calls, calls...)
	return len(calls) > 0
}

// envelopeOf reads the other members of an envelope. key is the name of the text member.
func (r *reader) envelopeOf(v []byte, key string) {
	if t, ok := jsonx.Find(v, key); ok {
		r.content, _ = jsonx.String(t)
	}
	if t, ok := jsonx.Find(v, "scratchpad"); ok {
		r.reasoning, _ = jsonx.String(t)
	}
	if t, ok := jsonx.Find(v, "needsMoreWork"); ok {
		r.more = string(jsonx.Trim(t))
	}
	_, hasCalls := jsonx.Find(v, "toolCalls")
	_, hasContent := jsonx.Find(v, key)
	r.envelope = hasCalls && (hasContent || r.more != "")
}

// answer parses {"answer": "text"}, with or without a scratchpad, if the format scratchpad was requested or both are
// present. It sets r.envelope if so, and returns false, as there is no call.
func (r *reader) answer(v []byte) bool {
	t, ok := jsonx.Find(v, "answer")
	_, pad := jsonx.Find(v, "scratchpad")
	if !ok && !pad || r.tools.o.Hint != "scratchpad" && !(ok && pad) {
		return false
	}
	r.content, _ = jsonx.String(t)
	if t, ok := jsonx.Find(v, "scratchpad"); ok {
		r.reasoning, _ = jsonx.String(t)
	}
	r.envelope = true
	return false
}

// next parses calls, or skips a comment, at the beginning of t and returns the length. It returns -1 for other text.
func (r *reader) next(t string) int {
	if strings.HasPrefix(t, "#") || strings.HasPrefix(t, "//") {
		if n := strings.IndexByte(t, '\n'); n >= 0 && len(r.calls) == 0 {
			return n + 1
		}
		return len(t)
	}
	if _, ok := strings.CutPrefix(t, "return "); ok && len(r.calls) == 0 {
		return len("return ")
	}
	if rest, ok := label.CutAssigned(t); ok {
		return len(t) - len(rest)
	}
	if len(r.calls) > 0 && label.IsPrinted(t) {
		return len(t)
	}
	if t[0] == '{' || t[0] == '[' || t[0] == '(' {
		k := literal.Tracker{}
		end, _ := k.Run(t, 0, "")
		b := readValue(r.tools, t[:end])
		if n := len(b.calls); n > 0 {
			b.calls[n-1].open = callshape.Openness(len(k.Open), callshape.Around(t))
		}
		r.take(&b)
		if len(b.calls) == 0 && !b.envelope {
			return -1
		}
		return end
	}
	end := 0
	for end < len(t) && chars.IsNameByte(t[end]) && end < chars.MaxName {
		end++
	}
	name := end
	for end < len(t) && chars.IsSpace(t[end]) {
		end++
	}
	if end < len(t) && t[end] == '{' {
		k := literal.Tracker{}
		stop, why := k.Run(t, end, "")
		if _, ok := r.tools.names.plain(t[:name]); !ok || why != literal.Closed {
			return -1
		}
		r.calls = append(r.calls, &Call{Written: t[:name], JSON: t[end:stop]})
		return stop
	}
	p := pythonReader{r: r, t: t}
	if !p.one() {
		return -1
	}
	for _, c := range p.calls {
		if _, ok := r.tools.names.plain(c.Written); !ok {
			return -1
		}
	}
	r.calls = append(r.calls, p.calls...)
	return p.i
}

// take adds the reading of a part.
func (r *reader) take(b *reading) {
	r.calls = append(r.calls, b.calls...)
	r.content, r.reasoning, r.more = cmp.Or(r.content, b.content), cmp.Or(r.reasoning, b.reasoning), cmp.Or(r.more, b.more)
	r.envelope = r.envelope || b.envelope
	r.name, r.truncated = cmp.Or(r.name, b.name), r.truncated || b.truncated
}
