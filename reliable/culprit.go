package reliable

import (
	"cmp"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/internal/toolserver"
	"github.com/callwright/callwright/reliable/internal/culprit"
	"github.com/callwright/callwright/reliable/internal/learning"
	"github.com/callwright/callwright/reliable/internal/outbound"
	"github.com/callwright/callwright/reliable/internal/translate"
)

// Limits on additional requests that find a rejected tool, for each client request.
const (
	maxToolChanges = 12 // retries with a changed or omitted tool
	maxToolProbes  = 16 // probe requests
)

// culprits has the state of a run's search for rejected tools. It is nil before the first rejection.
type culprits struct {
	repairs map[string]int // number of tried changes by tool and model
	changes int
	probes  int
	suspect *suspect
}

// A suspect is a tool that was changed because the provider may reject it. The next request confirms the change if it
// succeeds. Otherwise the change may be undone.
type suspect struct {
	name    string
	was     outbound.Receiver // the candidate's settings before the change
	lessons int               // length of run.lessons before the change
	notes   []callwright.Note // notes for the report after the confirmation
}

// A sentView is a request as sent for a candidate, with its tools.
type sentView struct {
	sh    *outbound.Shaped
	sent  []outbound.SentTool
	tools []culprit.Tool
	takes caps.SchemaTarget // schema subset that the provider is known to accept
}

// view returns the request as the candidate g would send it. ok is false if it has no tools or cannot be adapted.
func (r *run) view(g *candidate, req *callwright.Request) (*sentView, bool) {
	sh, err := r.shape(g, req, r.o.ledger(), nil, nil)
	if err != nil {
		return nil, false
	}
	v := &sentView{sh: sh, takes: g.Caps.SchemaTarget}
	if v.sent, err = sh.SentTools(r.tools.Tools); err != nil || len(v.sent) == 0 {
		return nil, false
	}
	for i := range v.sent {
		s := &v.sent[i]
		v.tools = append(v.tools, culprit.Tool{Name: s.Declared.Name, Sent: s.Name, Description: s.Description,
			Schema: s.Schema, Declared: s.Declared.Schema})
	}
	return v, true
}

// adaptTool changes or omits the tool because of which the provider rejected a request with e. If the error names no
// tool, it searches for the tool only if search is true. It returns the rejected feature. ok is false if no tool was
// found or changed.
func (r *run) adaptTool(g *candidate, req *callwright.Request, e *callwright.Error, search bool) (without callwright.Feature, ok bool) {
	if g.Mode != caps.Native || r.delivery.shown || r.ctx.Err() != nil || !refusesDefinition(e) {
		return "", false
	}
	v, ok := r.view(g, req)
	if !ok {
		return "", false
	}
	if r.culprits == nil {
		r.culprits = &culprits{repairs: map[string]int{}}
	}
	if r.culprits.changes >= maxToolChanges {
		return "", false
	}
	at, how := r.namedTool(g, v, e)
	if how != notNamed {
		if s := r.culprits.suspect; s != nil && s.name != v.tools[at].Name {
			r.undoSuspect(g)
			if v, ok = r.view(g, req); !ok {
				return "", false
			}
			at, how = r.namedTool(g, v, e)
		}
	}
	if how != notNamed {
		if without, ok = r.changeNamed(g, req, v, at, how, e); ok {
			return without, true
		}
	}
	if !search || !r.maySearch() {
		return "", false
	}
	return r.searchTool(g, req, v, e)
}

// refusesDefinition reports whether e may mean that the provider rejected a tool's definition.
func refusesDefinition(e *callwright.Error) bool {
	switch e.Kind {
	case callwright.KindInvalid, callwright.KindSchema, callwright.KindUnsupported:
		return e.Op != "plan"
	case callwright.KindServer: // gateways report a provider's rejection with this kind
		return outbound.RefusesTool(e)
	}
	return false
}

// maySearch reports whether policy and rules permit to omit tools and send probe requests.
func (r *run) maySearch() bool {
	return r.o.policy != callwright.PolicyStrict && r.o.ledger().May(translate.LeftOutRule)
}

// naming is how a rejection identifies a tool.
type naming uint8

const (
	notNamed naming = iota
	named           // by its name
	placed          // by its index or by a property of its schema; unreliable, because gateways may count differently
)

// namedTool returns the index of the tool that the error e identifies, and how it does so. how is notNamed if it
// identifies none.
func (r *run) namedTool(g *candidate, v *sentView, e *callwright.Error) (at int, how naming) {
	words := wordsOf(e)
	index := func(name string) int { return toolNamed(v, name) }
	if outbound.RefusesTool(e) {
		name := strings.TrimPrefix(string(e.Feature), string(feature.ToolSchema))
		if i := index(name); i >= 0 && (strings.Contains(words, name) || strings.Contains(words, v.tools[i].Sent)) {
			return i, named
		} else if i >= 0 {
			return i, placed
		}
	}
	if !culprit.IsAboutTools(words) {
		return 0, notNamed
	}
	i, by := culprit.FindTool(words, v.tools)
	if by == culprit.ByName {
		return i, named
	}
	for _, text := range []string{words, string(e.Body)} {
		if k := r.toolAt(g, v, culprit.Places(text), index); k >= 0 {
			return k, placed
		}
	}
	if by == culprit.ByContent {
		return i, placed
	}
	return 0, notNamed
}

// toolAt returns the index of the tool at one of the JSON paths in the sent body, such as "tools.3", or -1. If the
// model is not a Previewer, the number in the first path is the index. index returns the index for a declared name.
func (r *run) toolAt(g *candidate, v *sentView, places []string, index func(string) int) int {
	if len(places) == 0 {
		return -1
	}
	if _, ok := g.model.(callwright.Previewer); !ok {
		if n := culprit.PlaceNumber(places[0]); n < len(v.tools) {
			return n
		}
		return -1
	}
	return index(v.sh.DeclaredAt(r.ctx, g.model, places...))
}

// changeNamed changes the tool with index at, which the error e identifies. It omits the tool only if the error has
// its name or if a probe with this tool alone is rejected. ok is false if nothing was changed.
func (r *run) changeNamed(g *candidate, req *callwright.Request, v *sentView, at int, how naming,
	e *callwright.Error) (without callwright.Feature, ok bool) {
	for range 4 { // several levels, because a change may not affect the sent bytes
		level := r.nextLevel(g, v, at, e)
		if level == learning.Out && !r.maySearch() {
			return "", false
		}
		if how == placed && r.maySearch() {
			if level, ok = r.provenLevel(g, req, v, at, level, e); !ok {
				return "", false
			}
		}
		if lesson, ok := r.applyLevel(g, req, v, at, level); ok {
			r.note(lesson.Note(e.Message))
			r.noteCulprit(g, v, at, level, e)
			r.lessons = append(r.lessons, lesson)
			r.culprits.suspect = nil
			return lesson.Feature, true
		}
		if level == learning.Out {
			return "", false
		}
	}
	return "", false
}

// provenLevel returns the level of change for a tool that a rejection identifies only by its index. The first change
// gets the given level without a probe. Before an omission, or any later change, it sends a probe with the tool alone.
// A rejected probe makes the level learning.Out. ok is false for an omission without such proof, or if the level
// changes nothing.
func (r *run) provenLevel(g *candidate, req *callwright.Request, v *sentView, at int, level learning.Level,
	e *callwright.Error) (_ learning.Level, ok bool) {
	switch {
	case level == learning.Out:
		refused, known := r.probe(g, v, []int{at}, e)
		return level, refused && known
	case r.culprits.repairs[trialKey(g, v, at)] == 0:
		return level, true
	}
	lesson, ok := learning.ToolLesson(&g.Receiver, v.sent[at].Declared, level)
	if !ok {
		return level, false
	}
	as := *g
	learning.ApplyLessons(&as.Receiver, []learning.Lesson{lesson})
	if then, ok := r.view(&as, req); ok {
		if refused, known := r.probe(&as, then, []int{at}, e); refused && known {
			return learning.Out, true
		}
	}
	return level, true
}

// nextLevel returns the next level of change for a rejected tool, such as a basic schema or omission.
func (r *run) nextLevel(g *candidate, v *sentView, at int, e *callwright.Error) learning.Level {
	switch culprit.PartOf(wordsOf(e)) {
	case culprit.Description:
		return learning.DescriptionLevel(&g.Receiver, v.sent[at])
	case culprit.Name:
		return learning.Out
	}
	return learning.SchemaLevel(&g.Receiver, v.sent[at], r.culprits.repairs[trialKey(g, v, at)])
}

func trialKey(g *candidate, v *sentView, at int) string {
	return string(g.ID) + "\x00" + v.tools[at].Name
}

// applyLevel makes the candidate send the tool at the given level from now on. ok is false if the request would stay
// the same.
func (r *run) applyLevel(g *candidate, req *callwright.Request, v *sentView, at int, level learning.Level) (learning.Lesson, bool) {
	r.culprits.repairs[trialKey(g, v, at)]++
	lesson, ok := learning.ToolLesson(&g.Receiver, v.sent[at].Declared, level)
	if !ok {
		return lesson, false
	}
	was := *g
	learning.ApplyLessons(&g.Receiver, []learning.Lesson{lesson})
	if level != learning.Out && r.sendsSame(&was, g, req) {
		*g = was
		return lesson, false
	}
	r.culprits.changes++
	return lesson, true
}

// wordsOf returns the message of a rejection, or its body if it has no message.
func wordsOf(e *callwright.Error) string { return cmp.Or(e.Message, string(e.Body)) }

// noteCulprit notes a rejected tool, the reason and the change.
func (r *run) noteCulprit(g *candidate, v *sentView, at int, level learning.Level, e *callwright.Error) {
	r.note(culpritNote(g, v, at, level, e))
}

// culpritNote returns the note about a rejected tool: "tool `x` of server `y` is refused by P", the reason if known,
// and the provider's message.
func culpritNote(g *candidate, v *sentView, at int, level learning.Level, e *callwright.Error) callwright.Note {
	words, provider := wordsOf(e), string(g.ID)
	if name, _, ok := strings.Cut(provider, "/"); ok {
		provider = name
	}
	why := toolserver.Describe(v.tools[at].Name) + " is refused by " + cmp.Or(provider, "the provider")
	if reason := culprit.Reason(words, &v.tools[at]); reason != "" {
		why += ": " + reason
	}
	n := callwright.Note{Rule: "tools.culprit", Stage: callwright.StagePlan, Call: v.tools[at].Name, Now: levelWords[level],
		Why: why + ": " + callwright.Excerpt(words)}.Classify()
	n.Fault = feature.FaultOf(feature.ToolSchema, v.takes)
	return n
}

// levelWords describes each level of change of a rejected tool for notes.
var levelWords = map[learning.Level]string{
	learning.Loose: "sent without strict", learning.AllBasic: "all schemas sent with basic keywords",
	learning.Basic: "schema sent with basic keywords",
	learning.Open:  "schema put into the description", learning.Brief: "description cut", learning.Out: "left out",
}
