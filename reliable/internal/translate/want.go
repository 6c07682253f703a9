package translate

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/adapter"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// A Want says how tools are written for one receiver. It is comparable: equal ones give equal tools.
type Want struct {
	target adapter.Target // "" leaves schemas as they are
	names  adapter.NameRule
	strict adapter.Target // the target of strict tools, "" where none go strict
	budget adapter.Budget
	auto   strictness // of tools of which the client does not say whether they are strict
	ifAnew bool       // auto is for requests of which another tool has to be written anyway
	keep   bool       // what the client says is strict stays so, whatever the budget
	loose  string     // names of tools that are not sent strict
	open   string     // names of tools whose schema is only described

	refused string // names of tools that are refused in other ways, with the level of each
}

// A strictness says which tools go strict where the client leaves it open.
type strictness uint8

const (
	none     strictness = iota
	flowing             // those that survive without loss, and whose arguments need no undoing
	lossless            // those that survive without loss
)

// An Asker is who asks, and how.
type Asker struct {
	Wire   callwright.WireName // of the client, "" for a caller in Go
	Strict callwright.StrictTools
	Held   bool // calls are held until they are judged, whatever is known of the model
	Off    bool // schemas stay as they are
}

// May reports whether schemas may be translated.
func May(l *judge.Ledger) bool { return l.May(schemaRule) }

// WantFor says how tools are written for a receiver of which c is known.
//
// In auto a request that can be sent as it came stays as it is, unless the model is known to need help. Where it is
// written anew, for another API or because the receiver refuses one of its schemas, tools go strict; where calls may
// flow only those whose arguments need no undoing, since undoing holds them. How many clean calls a model made does not
// count: tools stay the same as a conversation grows.
func WantFor(c caps.Caps, a Asker) Want {
	w := Want{names: namesOf(c), loose: c.LooseTools, open: c.OpenTools, refused: c.RefusedTools}
	if a.Off || c.SchemaTarget.WrittenFor(string(a.Wire)) {
		return w
	}
	w.target = adapter.Target(c.SchemaTarget)
	w.strict, w.budget = w.target.Strict()
	if c.StrictTools != caps.Yes {
		w.strict = ""
	}
	if w.strict == "" {
		return w
	}
	sameAPI := c.SchemaTarget.OwnAPI(string(a.Wire))
	w.keep = sameAPI
	needsHelp := c.NeedsHelp == caps.Yes || c.ToolCallReliable == caps.No
	switch {
	case a.Strict == callwright.StrictOff:
	case a.Strict == callwright.StrictOn, needsHelp:
		w.auto = lossless
	case a.Held:
		w.auto, w.ifAnew = lossless, sameAPI
	default:
		w.auto, w.ifAnew = flowing, sameAPI
	}
	return w
}

// namesOf is which names of tools a provider takes: any where nothing is known of that. Its subset of JSON Schema says
// no more than which characters a name begins with. Where a refusal taught the rule, names begin with a letter, as the
// strictest of the rules wants that are stated so.
func namesOf(c caps.Caps) adapter.NameRule {
	if c.NameMax == 0 && c.NameExtra == "" {
		return adapter.NameRule{Free: true}
	}
	known, learned := adapter.Target(c.SchemaTarget).ToolNames(), c.Sources["name_max"] == caps.Learned
	return adapter.NameRule{Extra: "-" + c.NameExtra, Max: c.NameMax, Letter: known.Letter || learned, LetterOnly: known.LetterOnly || learned}
}
