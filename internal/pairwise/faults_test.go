package pairwise_test

import (
	"fmt"
	"slices"
	"strings"
)

// faults are what is wrong with a conversation.
func (w *world) faults() (out []string) {
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	ids := map[string]bool{}
	for k, s := range w.steps {
		a := s.answer
		if a == nil {
			break
		}
		if !w.passive() && strings.Contains(s.body, secret) {
			add("step %d: the client gets a part of a refused call: %s", k, s.body)
		}
		if a.fail != "" && (w.mayRefuse(a.fail) || isKnown(w, a.fail) || s.insists && w.request.choice != "" && strings.Contains(a.fail, refusal(w.declared(s.calls[0]).name)[1:])) {
			return out
		}
		if a.fail != "" {
			add("step %d failed: %.600s", k, a.fail)
			break
		}
		meant, said := w.meant(k)
		if len(a.calls) != len(meant) {
			add("step %d: calls %+v, meant %+v: %.900s", k, a.calls, meant, s.body)
			break
		}
		for _, c := range a.calls {
			if w.intentOf(k, c) < 0 {
				add("step %d: call %+v, meant %+v", k, c, meant)
			}
			if w.client != &gemini && w.client != &ollama {
				if c.id == "" || ids[c.id] {
					add("step %d: the id %q is none or taken", k, c.id)
				}
				ids[c.id] = true
			}
		}
		if a.text != said {
			add("step %d: text %q, said %q", k, a.text, said)
		}
		if want := w.client.finish[min(len(meant), 1)]; a.finish != want {
			add("step %d: finish reason %q, want %q", k, a.finish, want)
		}
		if w.model.reasons && len(s.calls) > 0 && !strings.Contains(a.reasoning, "I look at the file.") {
			add("step %d: reasoning %q", k, a.reasoning)
		}
		requests, extra := w.sentAt(k), 0
		for _, at := range requests {
			if at.kind != "answered" && !((at.kind == "wrong" || at.kind == "barred") && w.passive()) {
				extra++
			}
			if at.kind == "lost" {
				add("step %d: the model does not see its tool: %s", k, at.seen.body)
			}
		}
		if len(requests) != 1+extra {
			add("step %d: %d requests, %d of which were not answered", k, len(requests), extra)
		}
		if k > 0 && s.question == "" {
			for i, at := range requests {
				if slices.ContainsFunc(requests[:i], func(o *sent) bool { return o.provider == at.provider }) { // it has a search or a correction behind the results
					continue
				}
				for _, fault := range w.returned(k, at.seen) {
					add("step %d: %s: %s", k, fault, at.seen.body)
				}
			}
		}
	}
	for _, faults := range [][]string{w.prefixes(), w.states(), w.reports()} {
		out = append(out, faults...)
	}
	return out
}

// mayRefuse reports whether the policy strict refuses the case, as it needs a change.
func (w *world) mayRefuse(said string) bool {
	if w.policy != "strict" || !strings.Contains(said, "change_needed") {
		return false
	}
	again := func(s *step) bool { return s.wrong || s.barred || s.insists } // the model makes accepted calls again
	if (strings.Contains(said, "policy strict: id.duplicate ") || strings.Contains(said, "policy strict: correct.repeated_call ")) &&
		slices.ContainsFunc(w.steps, again) {
		return true
	}
	return slices.ContainsFunc(w.features, func(f *feature) bool {
		return f.changes != "" && strings.Contains(said, "policy strict: "+f.changes+" ")
	})
}

// refused reports whether a step ended with an error.
func (w *world) refused() bool {
	return slices.ContainsFunc(w.steps, func(s *step) bool { return s.answer != nil && s.answer.fail != "" })
}

// states checks that opaque state comes back to the provider that gave it with the results of its calls, and to no other.
func (w *world) states() (out []string) {
	for _, at := range w.log {
		for _, from := range w.log {
			if from.state == "" {
				continue
			}
			n := strings.Count(string(at.seen.body), from.state)
			switch {
			case from.provider != at.provider && n > 0:
				out = append(out, fmt.Sprintf("step %d: state of another provider is sent: %s", at.step, at.seen.body))
			case n > 1, n == 0 && from.provider == at.provider && from.step == at.step-1 && w.steps[at.step].question == "" && from.kind == "answered" && !w.passive() &&
				!w.steps[from.step].insists: // its last answer has refused calls, and those that were accepted before
				out = append(out, fmt.Sprintf("step %d: state %s is sent %d times: %s", at.step, from.state, n, at.seen.body))
			}
		}
	}
	return out
}

// reports checks that what was changed is reported.
func (w *world) reports() (out []string) {
	rules := map[string]bool{}
	for k, s := range w.steps {
		if s.answer == nil {
			break
		}
		for _, n := range s.report.Notes {
			rules[n.Rule] = true
		}
		sent := w.sentAt(k)
		last := sent[len(sent)-1]
		if same := s.body == last.replied && w.client == last.seen.api && len(sent) == 1; s.report.Untouched && !same {
			out = append(out, fmt.Sprintf("step %d: the report says untouched: %s", k, s.body))
		}
		if w.client == last.seen.api && s.body != last.replied && len(s.report.Notes) == 0 {
			out = append(out, fmt.Sprintf("step %d: changed without a note: %s from %s", k, s.body, last.replied))
		}
	}
	for _, f := range w.features {
		for _, rule := range f.notes {
			if rule == "search.answered" && !w.searched(0, len(w.steps)) { // the provider has a search of its own
				continue
			}
			if !rules[rule] && !w.passive() {
				out = append(out, "no note has the rule "+rule)
			}
		}
	}
	return out
}

// passive reports whether the policy changes nothing of answers.
func (w *world) passive() bool { return w.policy == "observe" || w.policy == "off" }

// meant is what the client is to get at a step.
func (w *world) meant(k int) (calls []call, said string) {
	s := w.steps[k]
	if w.passive() && w.model.writes != "" && len(s.calls) > 0 { // the text as the model wrote it
		sent := w.sentAt(k)
		return nil, sent[len(sent)-1].text
	}
	for i, in := range s.calls {
		c := w.declared(in)
		switch {
		case i > 0:
		case s.wrong && w.passive():
			c.input = spoilt(c.input)
		case (s.barred || s.insists) && w.passive():
			c.input = forbidden(c.input)
		case s.insists:
			continue
		}
		calls = append(calls, c)
	}
	if s.insists && !w.passive() {
		return calls, strings.TrimSpace(s.text + "\n" + refusal(w.declared(s.calls[0]).name))
	}
	return calls, s.text
}

// declared is the call of an intent, as the client is to get it.
func (w *world) declared(in intent) (c call) {
	for _, t := range w.request.tools {
		if t.about == in.about {
			c = call{"", t.name, in.input, t.grammar != ""}
		}
	}
	return c
}

// intentOf is which of the intents of a step a call is, -1 for none.
func (w *world) intentOf(k int, c call) int {
	meant, _ := w.meant(k)
	i := slices.IndexFunc(meant, func(m call) bool {
		return c.name == m.name && c.custom == m.custom && (c.input == m.input || !c.custom && equalJSON(c.input, m.input))
	})
	if i >= 0 {
		i += len(w.steps[k].calls) - len(meant) // without the first, which is refused
	}
	return i
}

func (w *world) sentAt(k int) (out []*sent) {
	for _, at := range w.log {
		if at.step == k {
			out = append(out, at)
		}
	}
	return out
}

// returned checks what a provider is sent of the calls before a step and their results.
func (w *world) returned(k int, s *seen) (out []string) {
	given := w.steps[k-1].answer.calls
	if len(s.tools) == 0 {
		for i, c := range given {
			f, _ := find(s, w.steps[k-1].calls[max(0, w.intentOf(k-1, c))].about)
			if !slices.ContainsFunc(s.turns, func(t turn) bool { return t.role == "user" && strings.Contains(t.text, lines(k, i)) }) {
				out = append(out, "the result "+lines(k, i)+" is missing")
			}
			if !slices.ContainsFunc(s.turns, func(t turn) bool { return t.role == "assistant" && strings.Contains(t.text, f.name) && f.name != "" }) {
				out = append(out, "the call of "+c.name+" is missing")
			}
		}
		return out
	}
	var calls []call
	var results []result
	for _, t := range s.turns {
		if len(t.calls) > 0 {
			calls, results = t.calls, nil
		}
		results = append(results, t.results...)
	}
	if len(calls) != len(given) || len(results) != len(given) {
		return []string{fmt.Sprintf("calls %+v, results %+v", calls, results)}
	}
	for i, g := range given {
		n := w.intentOf(k-1, g)
		if n < 0 {
			continue
		}
		f, _ := find(s, w.steps[k-1].calls[n].about)
		input := g.input
		if g.custom && !calls[i].custom {
			input = js(obj{"input": input})
		}
		if calls[i].name != f.name || calls[i].input != input && !equalJSON(calls[i].input, input) {
			out = append(out, fmt.Sprintf("the call %+v, meant %s %s", calls[i], f.name, input))
		}
		if r := results[i]; !strings.Contains(r.text, lines(k, i)) || r.id != calls[i].id && (r.id != "" || r.name == "") || r.name != "" && r.name != f.name {
			out = append(out, fmt.Sprintf("the result %+v of %+v", results[i], calls[i]))
		}
	}
	return out
}
