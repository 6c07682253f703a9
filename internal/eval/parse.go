package eval

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/directive"
	"github.com/callwright/callwright/internal/conversation"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/schema"
	"github.com/callwright/callwright/simulate"
	"github.com/callwright/callwright/workspace"
)

// A scenarioFile is the JSON of a scenario file.
type scenarioFile struct {
	Schema    string     `json:"$schema,omitempty" jsonschema:"the address of the schema of this file, for editors"`
	Scenarios []Scenario `json:"scenarios" jsonschema:"the scenarios, each with its own id"`
}

var fileSchema = sync.OnceValues(func() (*schema.Schema, error) {
	raw, err := schema.For[scenarioFile]()
	if err != nil {
		return nil, err
	}
	return schema.Compile(raw)
})

// ScenarioSchema returns the JSON Schema of a scenario file, for editors. The caller must not modify it.
func ScenarioSchema() []byte {
	s, err := fileSchema()
	if err != nil {
		panic("eval: " + err.Error()) // a type of this package has no schema
	}
	return s.Raw()
}

// MaxScenarioFile is the maximum size of a scenario file in bytes.
const MaxScenarioFile = 16 << 20

// opScenarios is the Op of errors when reading scenarios.
const opScenarios = "eval.scenarios"

// maxViolations is the maximum number of errors reported at once.
const maxViolations = 10

// ParseScenarios parses a scenario file, a JSON object with the member scenarios. Unknown members, values of a wrong
// type, duplicate names and unplayable scenarios are errors of [callwright.KindInvalid] with their location.
func ParseScenarios(text []byte) ([]Scenario, error) {
	const op = opScenarios
	if len(text) > MaxScenarioFile {
		return nil, callwright.Errorf(op, callwright.KindInvalid, "", "expected at most %d bytes, got more", MaxScenarioFile)
	}
	if err := jsonx.Valid(text); err != nil {
		return nil, &callwright.Error{Op: op, Kind: callwright.KindInvalid, Err: err}
	}
	if path, name, twice := twice(text, ""); twice {
		return nil, invalid(text, path, "there are two members %q", name)
	}
	rules, err := fileSchema()
	if err != nil {
		return nil, err
	}
	if broken := rules.Validate(text); len(broken) > 0 {
		e := invalid(text, broken[0].Path, "expected %s, got %s", broken[0].Want, broken[0].Got)
		for _, v := range broken[1:min(len(broken), maxViolations)] {
			e.Message += "; " + v.Message
		}
		return nil, e
	}
	var f scenarioFile
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, &callwright.Error{Op: op, Kind: callwright.KindInvalid, Err: err}
	}
	if len(f.Scenarios) == 0 {
		return nil, invalid(text, "/scenarios", "expected a scenario, got none")
	}
	for i := range f.Scenarios {
		at := "/scenarios/" + strconv.Itoa(i)
		s := &f.Scenarios[i]
		if path, why := s.wrong(); why != "" {
			return nil, invalid(text, at+path, "scenario %q: %s", callwright.Excerpt(s.ID), why)
		}
		if slices.ContainsFunc(f.Scenarios[:i], func(o Scenario) bool { return o.ID == s.ID }) {
			return nil, invalid(text, at+"/id", "there are two scenarios %q", s.ID)
		}
	}
	return f.Scenarios, nil
}

// invalid returns an error at a JSON pointer of a file, with the line number if the file has several lines.
func invalid(text []byte, path, format string, args ...any) *callwright.Error {
	e := callwright.Errorf(opScenarios, callwright.KindInvalid, path, format, args...)
	if bytes.ContainsRune(text, '\n') {
		start, _ := jsonx.Span(text, valueAt(text, path))
		e.Message = fmt.Sprintf("line %d: %s", 1+bytes.Count(text[:max(start, 0)], []byte("\n")), e.Message)
	}
	return e
}

// valueAt returns the value at a JSON pointer in a valid document, or the last existing value on the path.
func valueAt(v []byte, pointer string) []byte {
	v = jsonx.Trim(v)
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		next, ok := jsonx.Find(v, jsonx.UnescapeToken(token))
		i := 0
		for e := range jsonx.Elements(v) {
			if strconv.Itoa(i) == token {
				next, ok = e, true
				break
			}
			i++
		}
		if !ok {
			break
		}
		v = next
	}
	return v
}

// twice returns the JSON pointer and the name of the first duplicate member in v. v must be valid, and at is its
// pointer. found is false if there is no duplicate.
func twice(v []byte, at string) (path, name string, found bool) {
	seen := map[string]bool{}
	for k, e := range jsonx.Members(v) {
		name := k.String()
		here := at + "/" + jsonx.EscapeToken(name)
		if seen[name] {
			return here, name, true
		}
		seen[name] = true
		if path, name, found := twice(e, here); found {
			return path, name, true
		}
	}
	i := 0
	for e := range jsonx.Elements(v) {
		if path, name, found := twice(e, at+"/"+strconv.Itoa(i)); found {
			return path, name, true
		}
		i++
	}
	return "", "", false
}

// wrong returns the location and the description of the first error in a scenario, two empty texts if there is none.
func (s *Scenario) wrong() (path, why string) {
	for _, check := range []func() (string, string){s.wrongNames, s.wrongParts, s.wrongTools, s.wrongLines, s.wrongExpect} {
		if path, why := check(); why != "" {
			return path, why
		}
	}
	return "", ""
}

func (s *Scenario) wrongNames() (path, why string) {
	if s.ID == "" || len(s.ID) > 64 || strings.Trim(s.ID, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
		return "/id", "expected 1 to 64 lower-case letters, digits and underscores"
	}
	if slices.Contains(Presets(), s.ID) || s.ID == "default" || s.ID == "all" {
		return "/id", "it is the name of a preset of scenarios: use another id"
	}
	if strings.TrimSpace(s.Prompt) == "" {
		return "/prompt", "expected a text"
	}
	return "", ""
}

// wrongParts is wrong for the history, the workspace and the directives of a scenario.
func (s *Scenario) wrongParts() (path, why string) {
	if s.History != nil {
		if _, err := conversation.UnmarshalMessages(s.History); err != nil {
			return "/history", err.Error()
		}
	}
	if s.Workspace != nil {
		if _, err := s.Workspace.first(); err != nil {
			return "/workspace", err.Error()
		}
	}
	if s.Directives != nil {
		if _, err := s.registry(); err != nil {
			return "/directives", err.Error()
		}
		for i, d := range s.Directives {
			if path, why := wrongReferences(d.Schema); why != "" {
				return fmt.Sprintf("/directives/%d/schema", i) + path, why
			}
		}
	}
	for i, a := range s.Approvals {
		if !slices.Contains([]agent.Decision{agent.Yes, agent.No, agent.Always}, a.Decision) {
			return fmt.Sprintf("/approvals/%d/decision", i), fmt.Sprintf("expected yes, no or always, got %q", a.Decision)
		}
	}
	if p := s.Failures; p != "" && p != agent.FailuresFatal && p != agent.FailuresTolerated && p != agent.FailuresTold {
		return "/tool_failure_policy", fmt.Sprintf("expected fatal, tolerated or told, got %q", p)
	}
	return "", ""
}

// references are the JSON Schema keywords that refer to another schema.
var references = []string{"$ref", "$dynamicRef", "$recursiveRef"}

// wrongReferences returns the location of a reference that leaves the schema or has no target, because it would never
// be validated. Other errors of a schema are reported where the schema is used.
func wrongReferences(raw json.RawMessage) (path, why string) {
	if len(raw) == 0 {
		return "", ""
	}
	s, err := schema.Compile(raw)
	if err != nil {
		return "", ""
	}
	for _, u := range s.UncheckedParts() {
		if slices.Contains(references, u.Keyword) {
			return u.Path, fmt.Sprintf("%s: %s; the target must be in the schema, such as in $defs", u.Keyword, u.Why)
		}
	}
	return "", ""
}

func (s *Scenario) wrongTools() (path, why string) {
	var names []string
	for i := range s.Tools {
		t := &s.Tools[i]
		at := fmt.Sprintf("/tools/%d", i)
		if err := agent.CheckTool((&recorded{tool: t}).agentTool()); err != nil {
			return at, err.Error()
		}
		if path, why := wrongReferences(t.Schema); why != "" {
			return at + "/schema" + path, why
		}
		if slices.Contains(names, t.Name) {
			return at + "/name", "another tool has this name"
		}
		names = append(names, t.Name)
		for j, r := range t.Results {
			here := fmt.Sprintf("%s/results/%d", at, j)
			switch {
			case r.When != nil && !jsonx.IsObject(r.When):
				return here + "/when", "expected an object"
			case r.Error != nil && (r.Data != nil || r.Image != nil):
				return here, "expected data or an error"
			case r.Error != nil && (r.Error.Code == "" || r.Error.Message == ""):
				return here + "/error", "expected a code and a message"
			}
		}
	}
	if c := s.choice(); c.Mode == callwright.ChoiceNamed && !slices.Contains(s.toolNames(), s.Choice) {
		return "/tool_choice", "expected auto, none, required or the name of a tool"
	}
	return "", ""
}

// wrongLines is wrong for the lines of the simulated model.
func (s *Scenario) wrongLines() (path, why string) {
	for i := range s.Offline {
		l := &s.Offline[i]
		at := fmt.Sprintf("/offline/%d", i)
		if _, ok := simulate.ParseFault(l.Fault); l.Fault != "" && !ok {
			return at + "/fault", fmt.Sprintf("unknown fault %q of the simulator", l.Fault)
		}
		open := len(l.Calls) == 0
		for _, c := range l.Calls {
			open = open || c.Until == ""
		}
		if open && l.Times == 0 && i < len(s.Offline)-1 {
			return at, "expected until for each call, or times: otherwise the line has no end"
		}
		if len(l.Directives) > 0 && len(s.Directives) == 0 {
			return at + "/directives", "the scenario has no types of directives"
		}
	}
	return "", ""
}

// wrongExpect is wrong for the assertions of a scenario.
func (s *Scenario) wrongExpect() (path, why string) {
	names := s.toolNames()
	for i, c := range s.Expect.Calls {
		at := fmt.Sprintf("/expect/calls/%d", i)
		if !slices.Contains(names, c.Name) {
			return at + "/name", fmt.Sprintf("the scenario has no tool %q", c.Name)
		}
		if c.Arguments != nil && !jsonx.IsObject(c.Arguments) {
			return at + "/arguments", "expected an object"
		}
	}
	if len(s.Expect.Document) > 0 && s.Workspace == nil {
		return "/expect/document", "the scenario has no workspace"
	}
	for i, v := range s.Expect.Document {
		if v.Path != "" && !strings.HasPrefix(v.Path, "/") {
			return fmt.Sprintf("/expect/document/%d/path", i), "expected a JSON pointer"
		}
	}
	for i, k := range s.Expect.Errors {
		if k.Status() == 0 {
			return fmt.Sprintf("/expect/errors/%d", i), fmt.Sprintf("unknown kind of error %q", k)
		}
	}
	return "", ""
}

// choice returns the tool choice of the first request.
func (s *Scenario) choice() callwright.Choice {
	switch m := callwright.ChoiceMode(s.Choice); m {
	case "", callwright.ChoiceAuto, callwright.ChoiceNone, callwright.ChoiceRequired:
		return callwright.Choice{Mode: m}
	}
	return callwright.Choice{Mode: callwright.ChoiceNamed, Names: []string{s.Choice}}
}

// id returns the id of the workspace.
func (w *Workspace) id() workspace.ID {
	if w.ID == "" {
		return "ws_eval"
	}
	return workspace.ID(w.ID)
}

// registry returns a registry of the scenario's directive types.
func (s *Scenario) registry() (*directive.Registry, error) {
	types := make([]directive.Type, len(s.Directives))
	for i, d := range s.Directives {
		types[i] = directive.Type{Name: d.Type, Description: d.Description, Schema: d.Schema}
	}
	return directive.NewRegistry(types...)
}
