package translate

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/adapter"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// A Want has the settings for the translation of tools for one receiver. It is comparable and serves as a cache key.
type Want struct {
	target adapter.Target // for schemas; "" leaves them unchanged
	names  adapter.NameRule
	strict adapter.Target // for schemas of strict tools; "" if tools are not sent strict
	budget adapter.Budget
	auto   strictness // for tools without a strict member from the client
	ifAnew bool       // auto applies only if another tool of the request is changed
	keep   bool       // tools that the client declared strict stay strict, even beyond the budget
	loose  string     // list of tools that the provider rejects as strict
	open   string     // list of tools whose schema the provider rejects

	refused string // list of otherwise rejected tools, each with its level
}

// A strictness selects the tools that are made strict if the client does not say whether they are.
type strictness uint8

const (
	none     strictness = iota
	flowing             // tools whose schema translates without loss, and whose arguments need no conversion back
	lossless            // tools whose schema translates without loss
)

// An Asker has the settings of the client's request that affect translation.
type Asker struct {
	Wire   callwright.WireName // API of the client, "" for a Go caller
	Strict callwright.StrictTools
	Held   bool // calls are always buffered until validated
	Off    bool // schemas are not translated
}

// May reports whether schemas may be translated.
func May(l *judge.Ledger) bool { return l.May(schemaRule) }

// WantFor returns the settings for a receiver with capabilities c.
//
// With automatic strictness, a request that can be sent unchanged stays unchanged, unless the model needs help. If the
// request is translated to another API, or the receiver rejects one of its schemas, tools are made strict. If calls
// are streamed, this includes only tools whose arguments need no conversion back, because the conversion requires the
// complete call. The number of valid calls of the model has no effect, so the tools stay the same during a
// conversation.
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

// namesOf returns the provider's rule for tool names. If it is unknown, every name is accepted. The schema target
// determines which characters a name may begin with. If the rule was learned from an error, names begin with a letter,
// because this satisfies the strictest known rule.
func namesOf(c caps.Caps) adapter.NameRule {
	if c.NameMax == 0 && c.NameExtra == "" {
		return adapter.NameRule{Free: true}
	}
	known, learned := adapter.Target(c.SchemaTarget).ToolNames(), c.Sources["name_max"] == caps.Learned
	return adapter.NameRule{Extra: "-" + c.NameExtra, Max: c.NameMax, Letter: known.Letter || learned, LetterOnly: known.LetterOnly || learned}
}
