package simulate

import "strings"

// keepCache is the number of latest requests whose prompts count as cached.
const keepCache = 16

// measureSharedPrefix returns the length in bytes of the longest prefix that the prompt shares with an earlier prompt
// of the same model.
func (s *Server) measureSharedPrefix(seen *Seen) int {
	s.mu.Lock()
	earlier := append([]Seen(nil), s.seen[max(0, len(s.seen)-keepCache):]...)
	s.mu.Unlock()
	own, most := seen.prompt(), 0
	for i := range earlier {
		e := &earlier[i]
		if e.Wire == seen.Wire && e.Model == seen.Model && e.Refused == "" && &e.Body[0] != &seen.Body[0] {
			most = max(most, commonPrefix(e.prompt(), own))
		}
	}
	return most
}

// prompt returns the model input of a request in the model's reading order: tools, system prompt, history.
func (s *Seen) prompt() string {
	var b strings.Builder
	for _, t := range s.Tools {
		b.WriteString(t + "\x00")
		b.Write(s.schemas[t])
	}
	b.WriteString("\x00" + s.System)
	for _, m := range s.History {
		b.WriteString("\x00" + m.Role + "\x00" + m.Text)
		for _, c := range m.Calls {
			b.WriteString("\x00" + c.Name + c.Arguments)
		}
		for _, r := range m.Results {
			b.WriteString("\x00" + r.Text)
		}
	}
	return b.String()
}

// commonPrefix returns the length in bytes of the common prefix of a and b.
func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
