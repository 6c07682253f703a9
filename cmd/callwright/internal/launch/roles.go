package launch

import (
	"fmt"
	"slices"
	"strings"
)

// A Role is a purpose for which an agent uses a model.
type Role string

// The purposes for which coding agents use models.
const (
	RoleMain    Role = "main"    // the main work
	RoleSmall   Role = "small"   // titles, summaries and other small tasks
	RolePlanner Role = "planner" // planning, in agents with a planning phase
)

// Roles returns all roles of models in coding agents.
func Roles() []Role { return []Role{RoleMain, RoleSmall, RolePlanner} }

// A Model is a model of the gateway with its limits in tokens.
type Model struct {
	Name            string
	Context, Output int // 0 if unknown
}

// Models maps roles to models. A role without a model uses that of RoleMain.
type Models map[Role]Model

// For returns the model of a role, or that of RoleMain if the role has none.
func (m Models) For(r Role) Model {
	if model, ok := m[r]; ok {
		return model
	}
	return m[RoleMain]
}

// Has reports whether the role has a model of its own.
func (m Models) Has(r Role) bool { return m[r].Name != "" }

// ParseRoles parses values of --model: ROLE=NAME, or NAME for RoleMain. A model name may contain "=".
func ParseRoles(texts []string) (map[Role]string, error) {
	out := map[Role]string{}
	for _, text := range texts {
		role, name, named := strings.Cut(text, "=")
		if !named || !slices.Contains(Roles(), Role(role)) {
			if named && !strings.ContainsAny(role, "/:@.") { // neither a provider nor a tag: an unknown role
				return nil, fmt.Errorf("unknown role %q: expected main, small or planner", role)
			}
			role, name = string(RoleMain), text
		}
		if name == "" {
			return nil, fmt.Errorf("expected a model name in %q", text)
		}
		if before, twice := out[Role(role)]; twice {
			return nil, fmt.Errorf("expected one model for the role %s, got %s and %s", role, before, name)
		}
		out[Role(role)] = name
	}
	return out, nil
}

// Takes returns an error for the first role in named that the agent does not support.
func (a Agent) Takes(named map[Role]string) error {
	for _, r := range Roles() {
		if named[r] != "" && r != RoleMain && !slices.Contains(a.Roles, r) {
			return fmt.Errorf("%s has no role %s: its roles are %s", a.Title, r, a.roleNames())
		}
	}
	return nil
}

func (a Agent) roleNames() string {
	names := []string{string(RoleMain)}
	for _, r := range a.Roles {
		names = append(names, string(r))
	}
	return strings.Join(names, ", ")
}

// LastModel splits a comma-separated --model value for shell completion. name is the incomplete last model name, and
// before the text in front of it.
func LastModel(typed string) (before, name string) {
	at := strings.LastIndexByte(typed, ',') + 1
	for _, r := range Roles() {
		if strings.HasPrefix(typed[at:], string(r)+"=") {
			at += len(r) + 1
		}
	}
	return typed[:at], typed[at:]
}
