package judge

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/schema"
)

// withholding returns the toolset with the named tools as withheld tools. A declared tool with the same name stays as
// it is.
func (s *Toolset) withholding(names []string, cache *schema.Cache) (*Toolset, error) {
	open, err := cache.Compile([]byte(`{"type":"object"}`))
	if err != nil {
		return nil, err
	}
	out := *s
	out.made = &madeCache{}
	out.Withheld = make(map[string]*Target, len(names))
	var withheld []string
	for _, name := range names {
		if name != "" && s.ByName[name] == nil {
			out.Withheld[name] = &Target{Tool: &callwright.Tool{Name: name}, schema: open, model: true, code: true}
			withheld = append(withheld, name)
			out.Digest += "\x00" + name
		}
	}
	declared := make([]string, len(s.Shapes))
	for i := range s.Shapes {
		declared[i] = s.Shapes[i].Name
	}
	out.Names = dialect.NewNames(declared, withheld...)
	return &out, nil
}

// judgeWithheld returns the verdict on a call of a withheld tool. The call is always delivered, so that the client can
// reject it. Unreadable arguments are omitted.
func (j *Judge) judgeWithheld(c *Candidate, tg *Target) callwright.Verdict {
	call := c.Call
	call.ID, call.Name, call.Raw, call.Arguments = j.id(c, tg.Tool.Name), tg.Tool.Name, ClipRaw(rawOf(c)), EmptyArguments
	if c.Type == callwright.CustomTool {
		call.Type, call.Input, call.Arguments = c.Type, c.Text, nil
		return callwright.Verdict{OK: true, Call: call}
	}
	quiet := Judge{Toolset: j.Toolset, Ledger: &Ledger{Policy: j.Ledger.Policy, Rules: j.Ledger.Rules}}
	if doc, bad := quiet.arguments(c, tg); bad == nil && !c.Cut {
		call.Arguments = doc
	}
	return callwright.Verdict{OK: true, Call: call}
}
