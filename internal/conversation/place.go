package conversation

import (
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A trail is the current path in the document and the first error.
type trail struct {
	op    string
	steps []step
	err   *callwright.Error
}

// A step is the name of a member, or, if list is true, the index of an element.
type step struct {
	name  string
	index int
	list  bool
}

// in calls do with the step appended to the path, unless there was an error.
func (t *trail) in(s step, do func()) {
	if t.err != nil {
		return
	}
	t.steps = append(t.steps, s)
	do()
	t.steps = t.steps[:len(t.steps)-1]
}

// fail records an error at the current path if it is the first.
func (t *trail) fail(format string, args ...any) {
	if t.err == nil {
		t.err = callwright.Errorf(t.op, callwright.KindInvalid, t.pointer(), format, args...)
	}
}

// pointer returns the current path as a JSON pointer.
func (t *trail) pointer() string {
	var b strings.Builder
	for _, s := range t.steps {
		b.WriteByte('/')
		if s.list {
			b.WriteString(strconv.Itoa(s.index))
			continue
		}
		b.WriteString(jsonx.EscapeToken(s.name))
	}
	return b.String()
}

// firstError returns the first error, nil if there is none.
func (t *trail) firstError() error {
	if t.err == nil {
		return nil
	}
	return t.err
}

// checkRole records an error for an unknown role.
func (t *trail) checkRole(r callwright.Role) {
	switch r {
	case callwright.RoleSystem, callwright.RoleUser, callwright.RoleAssistant, callwright.RoleTool:
		return
	}
	t.fail("expected system, user, assistant or tool, got %q", callwright.Excerpt(string(r)))
}

// checkToolType records an error for an unknown type of tool.
func (t *trail) checkToolType(typ callwright.ToolType) {
	if !slices.Contains([]callwright.ToolType{callwright.FunctionTool, callwright.CustomTool, callwright.HostedTool}, typ) {
		t.fail("expected custom or hosted, got %q", callwright.Excerpt(string(typ)))
	}
}
