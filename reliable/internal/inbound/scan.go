package inbound

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// ScanOptions says how text is searched for calls of the tools, as the policy allows. model wrote the text.
func ScanOptions(tools *judge.Toolset, l *judge.Ledger, model callwright.ModelID) dialect.Options {
	_, name := model.Split()
	return dialect.Options{
		Tools: tools.Shapes, Names: tools.Names, Model: name, Disabled: l.Refuses, Heuristic: l.Policy == callwright.PolicyHealHeuristic, Guess: l.May,
	}
}

// quotedLimit bounds the texts of the history with which text is compared for quotations.
const quotedLimit = 256 << 10

// QuotedTexts are the latest texts of users and tool results, newest first, within quotedLimit: the model may quote them.
func QuotedTexts(req *callwright.Request) []string {
	msgs, err := req.History()
	if err != nil {
		return nil
	}
	var out []string
	left := quotedLimit
	for i := len(msgs) - 1; i >= 0 && left > 0; i-- {
		if msgs[i].Role == callwright.RoleAssistant || msgs[i].Role == callwright.RoleSystem {
			continue
		}
		for _, p := range msgs[i].Parts {
			t := callwright.TextOf([]callwright.Part{p})
			if res, ok := p.(callwright.Result); ok {
				t = res.Text()
			}
			if t != "" && len(t) <= left {
				out = append(out, t)
				left -= len(t)
			}
		}
	}
	return out
}
