package reliable

import (
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/reliable/internal/culprit"
	"github.com/callwright/callwright/reliable/internal/inbound"
	"github.com/callwright/callwright/reliable/internal/learning"
)

// searchTool finds and changes the tool because of which a provider rejected a request without naming the tool. It
// first changes the most likely tool, without a probe. If the next request is rejected too, or no tool is most likely,
// it sends probe requests with fewer tools.
func (r *run) searchTool(g *candidate, req *callwright.Request, v *sentView, e *callwright.Error) (without callwright.Feature, ok bool) {
	words := wordsOf(e)
	cleared := ""
	if s := r.culprits.suspect; s != nil {
		at := toolNamed(v, s.name)
		if at < 0 {
			return "", false
		}
		if refused, known := r.probe(g, v, []int{at}, e); !known {
			return "", false
		} else if refused {
			return r.changeFound(g, req, v, at, learning.Out, e)
		}
		r.undoSuspect(g)
		cleared = s.name
		if v, ok = r.view(g, req); !ok {
			return "", false
		}
	}
	ranked := culprit.Rank(words, v.tools)
	if !mayBeTool(e, words, ranked) {
		return "", false
	}
	if cleared == "" && culprit.Dominates(ranked) {
		return r.tryTop(g, req, v, ranked[0].Tool, e)
	}
	return r.halve(g, req, v, ranked, cleared, e)
}

// mayBeTool reports whether a rejection that names no tool may concern a tool.
func mayBeTool(e *callwright.Error, words string, ranked []culprit.Suspect) bool {
	if e.Kind == callwright.KindSchema || strings.HasPrefix(string(e.Feature), string(feature.Schemas)) {
		return true
	}
	return e.Feature == "" && (culprit.IsAboutTools(words) || culprit.IsUnspecific(words) && ranked[0].Trait != "")
}

// tryTop changes the tool with index at, the most likely one. If this request already needed several attempts, it
// first sends a probe with the tool alone and omits the tool if the probe is rejected.
func (r *run) tryTop(g *candidate, req *callwright.Request, v *sentView, at int, e *callwright.Error) (without callwright.Feature, ok bool) {
	was, lessons := g.Receiver, len(r.lessons)
	lesson, ok := r.applyLevel(g, req, v, at, learning.Open)
	if !ok {
		return r.halve(g, req, v, culprit.Rank(wordsOf(e), v.tools), "", e)
	}
	if r.countAttempts(g) > 1 && len(v.tools) > 1 {
		if open, ok := r.view(g, req); ok {
			if refused, known := r.probe(g, open, []int{at}, e); known && refused {
				g.Receiver = was
				return r.changeFound(g, req, v, at, learning.Out, e)
			}
		}
	}
	r.culprits.suspect = &suspect{name: v.tools[at].Name, was: was, lessons: lessons,
		notes: []callwright.Note{lesson.Note(e.Message), culpritNote(g, v, at, learning.Open, e)}}
	r.lessons = append(r.lessons, lesson)
	return lesson.Feature, true
}

// countAttempts returns the number of attempts at the model of a candidate.
func (r *run) countAttempts(g *candidate) (n int) {
	for i := range r.report.Attempts {
		if r.report.Attempts[i].Model == g.ID {
			n++
		}
	}
	return n
}

// halve finds the rejected tool by binary search with probe requests and changes it. cleared is the name of a tool
// that is known to be accepted, "" for none.
func (r *run) halve(g *candidate, req *callwright.Request, v *sentView, ranked []culprit.Suspect, cleared string,
	e *callwright.Error) (without callwright.Feature, ok bool) {
	if cleared != "" {
		for i := range ranked {
			if v.tools[ranked[i].Tool].Name == cleared {
				ranked = append(ranked[:i:i], ranked[i+1:]...)
				break
			}
		}
	}
	search := culprit.NewSearch(ranked)
	before := r.culprits.probes
	for tools := search.Next(); tools != nil; tools = search.Next() {
		refused, known := r.probe(g, v, tools, e)
		if !known {
			break
		}
		search.Tell(refused)
	}
	r.note(callwright.Note{Rule: "tools.probed", Stage: callwright.StagePlan,
		Now: "probes: " + strconv.Itoa(r.culprits.probes-before), Why: e.Message})
	found, ok := search.Result()
	if !ok {
		return "", false
	}
	level := learning.Open
	if repairs := r.culprits.repairs[trialKey(g, v, found.Tool)]; repairs > 0 || v.sent[found.Tool].Type != callwright.FunctionTool {
		level = learning.Out
	}
	if without, ok = r.changeFound(g, req, v, found.Tool, level, e); !ok && level != learning.Out {
		return r.changeFound(g, req, v, found.Tool, learning.Out, e)
	}
	return without, ok
}

// changeFound applies a level of change to a tool that was rejected alone. ok is false if the level changes nothing.
func (r *run) changeFound(g *candidate, req *callwright.Request, v *sentView, at int, level learning.Level,
	e *callwright.Error) (without callwright.Feature, ok bool) {
	was, lessons := g.Receiver, len(r.lessons)
	lesson, ok := r.applyLevel(g, req, v, at, level)
	if !ok {
		return "", false
	}
	r.culprits.suspect = nil
	if level != learning.Out {
		r.culprits.suspect = &suspect{name: v.tools[at].Name, was: was, lessons: lessons}
	}
	r.note(lesson.Note(e.Message))
	r.noteCulprit(g, v, at, level, e)
	r.lessons = append(r.lessons, lesson)
	return lesson.Feature, true
}

// undoSuspect undoes the change of the suspect, which is not the rejected tool.
func (r *run) undoSuspect(g *candidate) {
	s := r.culprits.suspect
	r.culprits.suspect = nil
	g.Receiver, r.lessons = s.was, r.lessons[:min(s.lessons, len(r.lessons))]
}

// dropSuspect removes the suspect of the previous candidate, because a response of another candidate proves nothing.
// It discards the lesson of a change that no probe confirmed.
func (r *run) dropSuspect() {
	if r.culprits == nil || r.culprits.suspect == nil {
		return
	}
	s := r.culprits.suspect
	r.culprits.suspect = nil
	if len(s.notes) > 0 {
		r.lessons = slices.Delete(slices.Clone(r.lessons), s.lessons, s.lessons+1)
	}
}

// proveSuspect adds the notes about the suspect to the report, after the request with the changed tool succeeded.
func (r *run) proveSuspect() {
	if r.culprits == nil || r.culprits.suspect == nil {
		return
	}
	r.note(r.culprits.suspect.notes...)
	r.culprits.suspect = nil
}

// probe sends a minimal request with some of the tools. refused reports whether the provider rejected it for the same
// reason as the client's request. known is false if that is unclear: no more probes are permitted, or the probe failed
// for another reason.
func (r *run) probe(g *candidate, v *sentView, tools []int, because *callwright.Error) (refused, known bool) {
	if r.culprits.probes == maxToolProbes || r.ctx.Err() != nil {
		return false, false
	}
	r.culprits.probes++
	some := v.sent[:0:0]
	for _, i := range tools {
		some = append(some, v.sent[i])
	}
	var with *caps.Caps
	if g.CapsExtended {
		with = &g.Caps
	}
	began := r.o.now()
	resp, err := g.model.Generate(r.ctx, v.sh.Probe(some, with))
	row := callwright.Attempt{Model: g.ID, Mode: g.Mode, Why: "probe of " + formatCount(len(tools), "tool"), Began: began,
		Duration: r.o.now().Sub(began), Tries: 1}
	if resp != nil {
		row.Usage, row.Tries = resp.Usage, inbound.TriesOf(resp.Report)
	}
	if err != nil {
		row.Error, row.Kind = asError(err).Error(), callwright.KindOf(err)
	}
	r.report.Attempts = append(r.report.Attempts, row)
	r.changed = true
	switch callwright.KindOf(err) {
	// the provider accepted the tools
	case "", callwright.KindBadAnswer, callwright.KindTruncated, callwright.KindRefusedCall, callwright.KindContentFilter:
		return false, true
	}
	return true, culprit.IsSameRefusal(wordsOf(asError(err)), wordsOf(because)) && refusesDefinition(asError(err))
}

// toolNamed returns the index of the tool with the declared name, or -1 if it is not sent.
func toolNamed(v *sentView, name string) int {
	return slices.IndexFunc(v.tools, func(t culprit.Tool) bool { return t.Name == name })
}

// formatCount returns the number with the noun in singular or plural, such as "1 probe" or "3 probes".
func formatCount(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
