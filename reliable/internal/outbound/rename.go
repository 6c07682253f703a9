package outbound

import (
	"encoding/hex"
	"hash/fnv"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// nameFits reports whether a provider takes a tool name.
func nameFits(name string, c caps.Caps) bool {
	if c.NameMax == 0 && c.NameExtra == "" {
		return true
	}
	return (c.NameMax == 0 || len(name) <= c.NameMax) && name == judge.CleanName(name, c.NameExtra)
}

// sentName is the name under which a tool is sent: cleaned, and with a tail of its hash where it is too long or its clean
// form is taken. It depends on the name alone: the same tool has the same name in every request.
func sentName(name string, c caps.Caps, taken func(string) bool) string {
	clean := judge.CleanName(name, c.NameExtra)
	limit := c.NameMax
	if limit == 0 {
		limit = 64
	}
	if len(clean) <= limit && !taken(clean) {
		return clean
	}
	h := fnv.New32a()
	h.Write([]byte(name))
	tail := "_" + hex.EncodeToString(h.Sum(nil))
	return clean[:min(len(clean), limit-len(tail))] + tail
}

// renameTools sends tools whose names the provider refuses under other names: in the definitions, the choice and the history.
func renameTools(sh *Shaped, s *judge.Toolset, c caps.Caps, l *judge.Ledger) error {
	var names []string
	for n := range s.ByName {
		if !nameFits(n, c) {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	forth := map[string]string{}
	sh.Names = map[string]string{}
	for _, n := range names {
		sent := sentName(n, c, func(x string) bool { return s.ByName[x] != nil || sh.Names[x] != "" })
		forth[n], sh.Names[sent] = sent, n
		l.Add(callwright.Note{Rule: "tools.renamed", Stage: callwright.StageOutbound, Was: n, Now: sent})
	}
	out := sh.Request
	tools, err := out.DeclaredTools()
	if err != nil {
		return err
	}
	out.Tools = slices.Clone(tools)
	for i := range out.Tools {
		if to, ok := forth[out.Tools[i].Name]; ok {
			out.Tools[i].Name = to
		}
	}
	out.Params.Choice.Names = slices.Clone(out.Params.Choice.Names)
	for i, n := range out.Params.Choice.Names {
		if to, ok := forth[n]; ok {
			out.Params.Choice.Names[i] = to
		}
	}
	return renameHistory(out, forth)
}

func renameHistory(out *callwright.Request, forth map[string]string) error {
	msgs, err := out.History()
	if err != nil {
		return err
	}
	renamed := slices.Clone(msgs)
	for i, m := range renamed {
		renamed[i].Parts = renameParts(m.Parts, forth)
	}
	out.Messages = renamed
	return nil
}

// renameParts are parts with the names as they are sent. Parts without such a name are returned as they are.
func renameParts(parts []callwright.Part, forth map[string]string) []callwright.Part {
	out, copied := parts, false
	for k, p := range parts {
		var ok bool
		switch q := p.(type) {
		case callwright.Call:
			q.Name, ok = forth[q.Name]
			p = q
		case callwright.Result:
			q.Name, ok = forth[q.Name]
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
