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

// The limits of the requests that one client request makes because of tools that providers refuse.
const (
	maxToolChanges = 12 // requests after the first one, with a tool changed or left out
	maxToolProbes  = 16 // probes
)

// culprits is the state of a run about the tools that providers refuse. It is nil before the first such refusal.
type culprits struct {
	repairs map[string]int // the number of tried repairs, by tool and model
	changes int
	probes  int
	suspect *suspect
}

// A suspect is a tool that was changed although no refusal named it and no probe proved that it is refused. An answer
// proves it.
type suspect struct {
	name    string
	was     outbound.Receiver // before the change
	lessons int               // the number of lessons before the change
	notes   []callwright.Note // for the report, when it is proven
}

// A sentView is a request as a candidate sends it, with the tools that may be refused.
type sentView struct {
	sh    *outbound.Shaped
	sent  []outbound.SentTool
	tools []culprit.Tool
	takes caps.SchemaTarget // the schemas that the provider is known to take
}

// view shapes a request for a candidate.
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

// adaptTool changes the tool for which a provider refused a request, or leaves it out. Where the words name none, it is
// searched for only if search is set. ok is false where no tool was found.
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
			r.acquit(g)
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

// refusesDefinition reports whether an error may be a provider's refusal of a tool's definition.
func refusesDefinition(e *callwright.Error) bool {
	switch e.Kind {
	case callwright.KindInvalid, callwright.KindSchema, callwright.KindUnsupported:
		return e.Op != "plan"
	case callwright.KindServer: // gateways answer so where the provider behind them refuses
		return outbound.RefusesTool(e)
	}
	return false
}

// maySearch reports whether tools may be left out, and probes made.
func (r *run) maySearch() bool {
	return r.o.policy != callwright.PolicyStrict && r.o.ledger().May(translate.LeftOutRule)
}

// How a refusal names a tool.
type naming uint8

const (
	notNamed naming = iota
	named           // by its name
	placed          // by its place, or by what only its schema has: gateways count otherwise at times
)

// namedTool is the index of the tool that the words of a refusal name.
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

// toolAt is the index of the tool at one of some places in the body that was sent, -1 for none. Of a model that does
// not show its body, places count the tools.
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

// changeNamed changes the tool that a refusal names. It is left out only where it is named by its name, or refused
// alone.
func (r *run) changeNamed(g *candidate, req *callwright.Request, v *sentView, at int, how naming,
	e *callwright.Error) (without callwright.Feature, ok bool) {
	for range 4 { // a change may change nothing of what is sent
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

// provenLevel is the level of a tool that a refusal only places: from the second change on, a probe with the tool alone
// tells whether it is taken at that level, or at none. ok is false where it is the wrong tool.
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
	learning.Heed(&as.Receiver, []learning.Lesson{lesson})
	if then, ok := r.view(&as, req); ok {
		if refused, known := r.probe(&as, then, []int{at}, e); refused && known {
			return learning.Out, true
		}
	}
	return level, true
}

// nextLevel is the level at which a tool is sent next.
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

// applyLevel has a candidate send a tool at a level from now on. ok is false where the request would be the same.
func (r *run) applyLevel(g *candidate, req *callwright.Request, v *sentView, at int, level learning.Level) (learning.Lesson, bool) {
	r.culprits.repairs[trialKey(g, v, at)]++
	lesson, ok := learning.ToolLesson(&g.Receiver, v.sent[at].Declared, level)
	if !ok {
		return lesson, false
	}
	was := *g
	learning.Heed(&g.Receiver, []learning.Lesson{lesson})
	if level != learning.Out && r.sendsSame(&was, g, req) {
		*g = was
		return lesson, false
	}
	r.culprits.changes++
	return lesson, true
}

// wordsOf returns the message of a refusal.
func wordsOf(e *callwright.Error) string { return cmp.Or(e.Message, string(e.Body)) }

// noteCulprit notes a refused tool, the reason and the change that was made.
func (r *run) noteCulprit(g *candidate, v *sentView, at int, level learning.Level, e *callwright.Error) {
	r.note(culpritNote(g, v, at, level, e))
}

// culpritNote returns the note about a refused tool: tool `x` of server `y` is refused by P, the reason where it is
// known, and the provider's message.
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

// levelWords gives for each level the text with which a note says how a refused tool is sent from now on.
var levelWords = map[learning.Level]string{
	learning.Loose: "sent without strict", learning.AllBasic: "all schemas sent with basic keywords",
	learning.Basic: "schema sent with basic keywords",
	learning.Open:  "schema put into the description", learning.Brief: "description cut", learning.Out: "left out",
}
