package launch

import (
	"fmt"
	"strings"

	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/dashboard"
)

// announce prints three lines before the agent starts: the agent and its models, the dashboard of the gateway, and its
// log file. With Verbose it also prints the plan.
func (s *Start) announce(p *Plan) {
	models, others := "", []string{}
	for _, m := range p.Models {
		if m.Role == RoleMain {
			models = m.Model
		} else {
			others = append(others, string(m.Role)+": "+m.Model)
		}
	}
	if len(others) > 0 {
		models += " (" + strings.Join(others, ", ") + ")"
	}
	pages, log := p.Gateway+dashboard.Root, s.Log
	if s.Config.UI == config.Off {
		pages = "none: the configuration has ui: off"
	}
	if p.Runs {
		log = "of the gateway that already runs"
	}
	for _, row := range [][2]string{{"agent", p.title() + " on " + models}, {"dashboard", pages}, {"log", log}} {
		fmt.Fprintf(s.Err, "%-9s  %s\n", row[0], row[1])
	}
	if s.Verbose {
		p.PrintShort(s.Err)
	}
}
