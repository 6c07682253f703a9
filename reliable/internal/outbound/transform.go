package outbound

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/transform"
)

// transform applies the receiver's transforms of history and tools to sh.Request. It returns a shaper with the
// transformed tools, and the summaries of the transformed history. Without changes it returns f and turns.
func (f *Shaper) transform(sh *Shaped, to *Receiver, turns []callwright.Summary) (rest *Shaper, now []callwright.Summary, err error) {
	if !to.Transforms.Has(transform.ToolResults, transform.Messages, transform.Tools) {
		return f, turns, nil
	}
	out := sh.Request
	msgs, err := out.History()
	if err != nil {
		return nil, nil, err
	}
	made, err := to.Transforms.History(msgs, func(i int, n callwright.Note) {
		if f.Place != nil {
			n.Path = f.Place(i, allParts)
		}
		f.Ledger.Add(n)
	})
	if err != nil {
		return nil, nil, err
	}
	if changedList(made, msgs) {
		out.Messages, sh.Changed = made, true
		turns = out.Summaries()
	}
	conveyed, err := to.Transforms.Tools(f.Toolset.Tools, f.Ledger.Add)
	if err != nil || !changedList(conveyed, f.Toolset.Tools) {
		return f, turns, err
	}
	out.Tools, sh.Changed = conveyed, true
	with := *f
	with.Toolset, err = judge.NewToolset(conveyed, f.Schemas)
	return &with, turns, err
}

// changedList reports whether now is a different slice than was, by length or by the address of the first element.
func changedList[T any](now, was []T) bool {
	return len(now) != len(was) || len(now) > 0 && &now[0] != &was[0]
}
