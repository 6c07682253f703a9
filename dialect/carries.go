package dialect

// probe is the parameter of the call by which a format is asked whether it carries a name.
const probe = "value"

// Carries reports whether calls of a tool of this name are read back as they are written in a format. Marks are those with formats of a caller's
// own, nil for the table.
func (f Format) Carries(name string, marks *Marks) bool {
	if isIdentifier(name) {
		return true
	}
	tool := Tool{Name: name, Params: []Param{{Name: probe, Types: []string{"string"}, Required: true}}}
	text := f.RenderCalls([]RenderedCall{{Name: name, ID: "call_1", Arguments: []byte(`{"` + probe + `":"1"}`)}})
	found := 0
	for _, it := range ScanAll(Options{Tools: []Tool{tool}, Hint: f.Name, Marks: marks}, text) {
		switch {
		case it.Kind == CallFound && it.Call.Name == name && it.Call.NameRule == "" && it.Call.Format == f.Name:
			found++
		case it.Kind == CallFound, it.Kind == CallRejected:
			return false
		}
	}
	return found == 1
}

// maxIdentifier is the longest name that every format carries without being asked.
const maxIdentifier = 64

// isIdentifier reports whether a name is one of a programming language.
func isIdentifier(name string) bool {
	if name == "" || len(name) > maxIdentifier || '0' <= name[0] && name[0] <= '9' {
		return false
	}
	for i := 0; i < len(name); i++ {
		if c := name[i]; c != '_' && !('0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z') {
			return false
		}
	}
	return true
}
