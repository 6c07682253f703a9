package pairwise_test

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A model is how the model of a case behaves.
type model struct {
	// writes is the format in which it writes calls into the text though it was given native tools: hermes or tags; "" makes them natively.
	writes string
	// reasons has it reason before calls, with state that has to come back.
	reasons bool
	down    func(provider, step int) bool
}

// A found is a tool as a request shows it.
type found struct {
	shown
	native bool
}

// say is what the model says to a request.
func (w *world) say(at *sent) *reply {
	s, st := at.seen, w.steps[w.now]
	w.replies++
	r := &reply{text: st.text, n: w.replies}
	at.kind = "answered"
	if len(st.calls) == 0 {
		if how := asksFor(s); how == "json" {
			r.text = js(obj{"answer": st.text})
		}
		return r
	}
	var tools []found
	var meant []intent
	for _, in := range st.calls {
		f, ok := find(s, in.about)
		switch {
		case ok:
			tools, meant = append(tools, f), append(meant, in)
		case w.tried("wrong") && strings.Contains(string(s.body), "This call was accepted"): // the correction asks for the other one alone
		default:
			return w.search(at)
		}
	}
	wrong := st.wrong && !w.tried("wrong")
	barred := !wrong && (st.insists || st.barred && !w.tried("barred"))
	switch {
	case wrong:
		at.kind = "wrong"
	case barred && !(st.insists && w.failed() == maxCorrections):
		at.kind = "barred"
	}
	native := tools[0].native
	var calls []call
	for i, f := range tools {
		input := fit(meant[i].input, f.schema)
		switch {
		case wrong && i == 0:
			input = spoilt(input)
		case barred && i == 0:
			input = forbidden(input)
		}
		if f.custom = f.custom && w.model.writes == ""; !f.custom && !json.Valid([]byte(input)) {
			input = js(obj{"input": input})
		}
		calls = append(calls, call{fmt.Sprintf("call_r%dc%d", w.replies, i), f.name, input, f.custom})
	}
	if w.model.reasons {
		r.reasoning = "I look at the file."
		if native && w.model.writes == "" && s.api != &ollama || s.api == &anthropic || s.api == &responses { // where the API has a place for it
			r.state = fmt.Sprintf("U1RBVEUt%d%04d000000000000000000000000", at.provider, w.replies)
		}
	}
	switch how := asksFor(s); {
	case native && w.model.writes == "":
		r.calls = calls
	case native:
		r.text = beside(st.text, written(w.model.writes, calls))
	case how == "json":
		list := []obj{}
		for _, c := range calls {
			list = append(list, obj{"name": c.name, "arguments": json.RawMessage(c.input)})
		}
		doc := obj{"toolCalls": list}
		if st.text != "" {
			doc["content"] = st.text // as the history shows it
		}
		r.text = js(doc)
	default:
		r.text = beside(st.text, written(how, calls))
	}
	return r
}

// spoilt is an input that breaks its tool's contract, in a way that leaves no other reading.
func spoilt(input string) string {
	if !json.Valid([]byte(input)) {
		return "Begin of nothing"
	}
	return strings.Replace(input, `"lines":`, `"lines":"many","was":`, 1)
}

// secret is what the call rule of a case looks for.
const secret = "FORBIDDEN"

// forbidden is an input that the call rule refuses.
func forbidden(input string) string {
	if !json.Valid([]byte(input)) {
		return strings.Replace(input, "+a", "+"+secret, 1)
	}
	return strings.NewReplacer(`"path":"`, `"path":"`+secret, `"folder":"`, `"folder":"`+secret).Replace(input)
}

// maxCorrections is how often the gateway asks the model again.
const maxCorrections = 2

// failed is how many requests of this step were answered with a call that cannot be handed on.
func (w *world) failed() (n int) {
	for _, at := range w.log[:len(w.log)-1] {
		if at.step == w.now && (at.kind == "wrong" || at.kind == "barred") {
			n++
		}
	}
	return n
}

// tried reports whether a request of this step was answered so.
func (w *world) tried(kind string) bool {
	for _, at := range w.log[:len(w.log)-1] {
		if at.step == w.now && at.kind == kind {
			return true
		}
	}
	return false
}

func beside(said, calls string) string {
	if said == "" {
		return calls
	}
	return said + "\n" + calls
}

// search calls the search for tools that the request shows.
func (w *world) search(at *sent) *reply {
	at.kind = "searched"
	s := at.seen
	r := &reply{n: w.replies}
	f, ok := find(s, "Finds further tools")
	if !ok {
		f, ok = find(s, "Loads further tools")
	}
	if !ok {
		at.kind = "lost"
		r.text = "There is no such tool."
		return r
	}
	var sch struct {
		Properties map[string]struct{ Type any }
	}
	_ = json.Unmarshal(f.schema, &sch)
	var words []string
	for _, in := range w.steps[w.now].calls {
		words = append(words, in.about)
	}
	input := obj{}
	for name, p := range sch.Properties {
		switch {
		case strings.Contains(fmt.Sprint(p.Type), "array"):
			names := []string{} // which the search's description lists
			for _, line := range strings.Split(strings.NewReplacer(`\n`, "\n", `\/`, "/").Replace(f.about+promptOf(s)), "\n") {
				for _, in := range w.steps[w.now].calls {
					if called, _, ok := strings.Cut(strings.TrimSpace(line), ": "+in.about); ok && strings.HasPrefix(called, "- ") {
						names = append(names, called[2:])
					}
				}
			}
			input[name] = names
		case p.Type == "string" && name == "pattern":
			input[name] = strings.Join(words, "|")
		case p.Type == "string":
			input[name] = strings.Join(words, " ")
		}
	}
	c := []call{{fmt.Sprintf("call_r%ds", w.replies), f.name, js(input), false}}
	switch how := asksFor(s); {
	case f.native && w.model.writes == "":
		r.calls = c
	case f.native:
		r.text = written(w.model.writes, c)
	case how == "json":
		r.text = js(obj{"toolCalls": []obj{{"name": f.name, "arguments": input}}})
	default:
		r.text = written(how, c)
	}
	return r
}

// find returns the tool whose description has these words, as the request shows it: natively, or in the instructions.
func find(s *seen, about string) (found, bool) {
	for _, t := range s.tools {
		if strings.HasPrefix(t.about, about) {
			return found{t, true}, true
		}
	}
	prompt := promptOf(s)
	for _, form := range []struct{ name, about, schema string }{
		{`"name":"`, `","description":"` + about, `"parameters":`},
		{"<name>", "</name>\n<description>" + about, "<parameters>"},
		{"\n- ", ": " + about, "\n  arguments:"},
	} {
		head, tail, ok := strings.Cut(prompt, form.about)
		if !ok || form.name == "\n- " && asksFor(s) != "json" {
			continue
		}
		f := found{}
		f.name = strings.ReplaceAll(head[strings.LastIndex(head, form.name)+len(form.name):], `\/`, "/")
		for strings.Contains(f.name, "\n") { // it stands in the description of another one
			before := head + form.about
			if head, tail, ok = strings.Cut(tail, form.about); !ok {
				break
			}
			head = before + head
			f.name = head[strings.LastIndex(head, form.name)+len(form.name):]
		}
		if !ok {
			continue
		}
		_, rest, _ := strings.Cut(form.about+tail, form.schema)
		if form.schema == "<parameters>" {
			f.schema = inElements(rest)
		} else {
			_ = json.NewDecoder(strings.NewReader(rest)).Decode(&f.schema)
		}
		return f, true
	}
	return found{}, false
}

// inElements is the schema of parameters that are described by elements.
func inElements(s string) json.RawMessage {
	s, _, _ = strings.Cut(s, "</parameters>")
	properties := obj{}
	for _, p := range strings.Split(s, "<parameter>")[1:] {
		_, name, _ := strings.Cut(p, "<name>")
		name, rest, _ := strings.Cut(name, "</name>\n<type>")
		kind, _, _ := strings.Cut(rest, "</type>")
		properties[name] = obj{"type": kind}
	}
	return raw(obj{"properties": properties})
}

// promptOf is the text in which a request that has no native tools shows them.
func promptOf(s *seen) string {
	if s.system == "" && len(s.turns) > 0 {
		return s.turns[0].text
	}
	return s.system
}

// asksFor is the form in which the request asks for calls: json, hermes, tags, or "" for none.
func asksFor(s *seen) string {
	prompt := promptOf(s)
	switch {
	case strings.Contains(prompt, `"toolCalls"`):
		return "json"
	case strings.Contains(prompt, "<function="):
		return "tags"
	case strings.Contains(prompt, "<tool_call>"):
		return "hermes"
	}
	return ""
}

// written are calls as text: as Hermes 2 Pro writes them (https://github.com/NousResearch/Hermes-Function-Calling), or as Qwen3-Coder does, in tags.
func written(format string, calls []call) string {
	var out []string
	for _, c := range calls {
		if format == "hermes" {
			out = append(out, "<tool_call>\n"+js(obj{"name": c.name, "arguments": json.RawMessage(c.input)})+"\n</tool_call>")
			continue
		}
		var b strings.Builder
		b.WriteString("<tool_call>\n<function=" + c.name + ">\n")
		for _, key := range keysOf(c.input) {
			value := object([]byte(c.input))[key]
			said := string(value) // of anything but a text
			if value[0] == '"' {
				said = text(value)
			}
			b.WriteString("<parameter=" + key + ">\n" + said + "\n</parameter>\n")
		}
		b.WriteString("</function>\n</tool_call>")
		out = append(out, b.String())
	}
	return strings.Join(out, "\n")
}

// keysOf are the keys of an object in their order.
func keysOf(b string) (keys []string) {
	d := json.NewDecoder(strings.NewReader(b))
	_, _ = d.Token()
	for d.More() {
		key, _ := d.Token()
		var v json.RawMessage
		if d.Decode(&v) != nil {
			break
		}
		keys = append(keys, key.(string))
	}
	return keys
}

// fit gives arguments the form of a schema that was written for a provider: a map is a list of names and values where a list is asked for, and what
// is required and not meant is null.
func fit(input string, schema json.RawMessage) string {
	var sch struct {
		Properties map[string]struct{ Type json.RawMessage }
		Required   []string
	}
	m := object([]byte(input))
	if m == nil || json.Unmarshal(schema, &sch) != nil {
		return input
	}
	changed := false
	for key, value := range m {
		if kind := string(sch.Properties[key].Type); strings.Contains(strings.ToLower(kind), `"array"`) && value[0] == '{' {
			list := []obj{}
			for _, name := range keysOf(string(value)) {
				list = append(list, obj{"name": name, "value": object(value)[name]})
			}
			m[key], changed = raw(list), true
		}
	}
	for _, key := range sch.Required {
		if m[key] == nil {
			m[key], changed = json.RawMessage("null"), true
		}
	}
	if !changed {
		return input
	}
	return js(m)
}
