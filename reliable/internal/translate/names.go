package translate

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/schema/adapter"
)

// rename gives tools the names that the receiver takes, withheld ones too: the history may have calls of them. It reports whether any
// differs.
func (m *maker) rename(list []callwright.Tool, withheld []string) bool {
	isDeclared := func(t *callwright.Tool) bool { return t.Type != callwright.HostedTool }
	all := make([]string, 0, len(list)+len(withheld))
	for i := range list {
		if isDeclared(&list[i]) {
			all = append(all, list[i].Name)
		}
	}
	all = append(all, withheld...)
	if !slices.ContainsFunc(all, func(name string) bool { return !m.names.Takes(name) }) {
		return false
	}
	names := adapter.NewNames(m.names, all)
	m.out.Sent, m.out.Names = map[string]string{}, map[string]string{}
	for _, name := range withheld {
		if sent := names.Sent(name); sent != name {
			m.out.Sent[name], m.out.Names[sent] = sent, name
		}
	}
	for i := range list {
		t := &list[i]
		sent := names.Sent(t.Name)
		if !isDeclared(t) || sent == t.Name {
			continue
		}
		m.out.Sent[t.Name], m.out.Names[sent] = sent, t.Name
		m.out.Notes = append(m.out.Notes, callwright.Note{Rule: "tools.renamed", Stage: callwright.StageOutbound, Was: t.Name, Now: sent}.Graded())
		t.Name = sent
	}
	return true
}

// Rename puts the names as they are sent into the choice and the history of a request.
func (t *Tools) Rename(out *callwright.Request) error {
	if t.Sent == nil {
		return nil
	}
	out.Params.Choice.Names = slices.Clone(out.Params.Choice.Names)
	for i, n := range out.Params.Choice.Names {
		if to, ok := t.Sent[n]; ok {
			out.Params.Choice.Names[i] = to
		}
	}
	msgs, err := out.History()
	if err != nil {
		return err
	}
	renamed := slices.Clone(msgs)
	for i, m := range renamed {
		renamed[i].Parts = t.renameParts(m.Parts)
	}
	out.Messages = renamed
	return nil
}

// renameParts are parts with the names as they are sent. Parts without such a name are returned as they are.
func (t *Tools) renameParts(parts []callwright.Part) []callwright.Part {
	out, copied := parts, false
	for k, p := range parts {
		var ok bool
		switch q := p.(type) {
		case callwright.Call:
			q.Name, ok = t.Sent[q.Name]
			p = q
		case callwright.Result:
			q.Name, ok = t.Sent[q.Name]
			p = q
		}
		if ok && !copied {
			out, copied = slices.Clone(parts), true
		}
		if ok {
			out[k] = p
		}
	}
	return out
}
