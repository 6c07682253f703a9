package statetool

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/workspace"
)

// Names of the tools, as the model sees them.
const (
	Get     = "state_get"
	Patch   = "state_patch"
	Propose = "facts_propose"
	Commit  = "facts_commit"
)

// An Option configures Tools.
type Option func(*workspaceTools)

// Strict makes the argument workspace_id mandatory. A call without it gets an error.
func Strict() Option { return func(w *workspaceTools) { w.strict = true } }

// WithMaxOutput limits the output of state_get in bytes. The default is 100,000. For a larger value the model gets an
// error that lists the parts of the value.
func WithMaxOutput(bytes int) Option { return func(w *workspaceTools) { w.maxOutput = bytes } }

// workspaceTools implements the tools for one workspace.
type workspaceTools struct {
	editor    *workspace.Editor
	id        workspace.ID
	strict    bool
	maxOutput int
}

// Tools returns the tools for the workspace id. The workspace need not exist yet. facts_commit is included to reject a
// model's call of it.
func Tools(e *workspace.Editor, id workspace.ID, opts ...Option) []agent.Tool {
	w := &workspaceTools{editor: e, id: id, maxOutput: agent.DefaultMaxBytes / 2}
	for _, o := range opts {
		o(w)
	}
	return []agent.Tool{
		w.tool(Get, `Reads the workspace: its version, the draft that you may change, the facts, which only the person changes, and the paths of the draft that are locked. `+
			`With "path", such as /items/0, it reads that value alone.`,
			`"path":{"type":"string","description":"a JSON pointer into the draft, or into what \"of\" names; \"\" is all of it"},`+
				`"of":{"type":"string","enum":["draft","facts","ui"],"description":"what to read; left out: the draft with a path, everything without one"}`,
			``, w.get, agent.ReadOnly()),
		w.tool(Patch, `Changes the draft, by a JSON Patch (a list of operations) or a merge patch (an object). All of it is applied, or nothing. Locked paths cannot be changed. `+
			`Returns the new version.`,
			patchSchema+`,"base_version":{"type":"integer","minimum":1,"description":"the version that you read; the patch is refused where the workspace has changed since"},`+
				`"why":{"type":"string","description":"what the change is for, in a sentence"}`,
			`"patch"`, w.patch),
		w.tool(Propose, `Proposes a change of the facts to the person, by a patch like that of state_patch, with paths into the facts. The facts stay as they are until the person agrees.`,
			patchSchema+`,"why":{"type":"string","description":"why the person should agree, in a sentence"}`, `"patch"`, w.propose),
		agent.Func[struct{}, struct{}](Commit, "Commits a fact. Only the person can.", nil,
			agent.PersonOnly("commit_facts", "fact_commit", "commit_fact")),
	}
}

const (
	patchSchema = `"patch":{"description":"a JSON Patch, such as [{\"op\":\"replace\",\"path\":\"/items/0/title\",\"value\":\"New\"}], where /items/- is the end of a list; or a merge patch, such as {\"title\":\"New\",\"old\":null}, where null removes","anyOf":[` +
		`{"type":"array","items":{"type":"object","properties":{"op":{"type":"string","enum":["add","remove","replace","move","copy","test"]},"path":{"type":"string"},"from":{"type":"string"},"value":{}},"required":["op","path"]}},` +
		`{"type":"object"}]}`
	idSchema = `"workspace_id":{"type":"string","description":"the workspace; can be left out"}`
	idStrict = `"workspace_id":{"type":"string","description":"the workspace"}`
)

// An arguments is the union of the arguments of all tools.
type arguments struct {
	WorkspaceID *string         `json:"workspace_id"`
	Path        *string         `json:"path"`
	Of          *string         `json:"of"`
	Patch       json.RawMessage `json:"patch"`
	BaseVersion *uint64         `json:"base_version"`
	Why         *string         `json:"why"`
}

// tool returns a tool. Its schema has the given properties and workspace_id.
func (w *workspaceTools) tool(name, description, properties, required string,
	do func(ctx context.Context, in *arguments) (any, error), opts ...agent.ToolOption) agent.Tool {
	id := idSchema
	if w.strict {
		id = idStrict
	}
	t := agent.Tool{
		Name: name, Description: description,
		Schema: fmt.Appendf(nil, `{"type":"object","properties":{%s,%s},"required":[%s],"additionalProperties":false}`, properties, id, required),
		Run: func(ctx context.Context, raw json.RawMessage) (agent.Output, error) {
			var in arguments
			if err := json.Unmarshal(raw, &in); err != nil {
				return agent.Output{}, &agent.ToolError{Code: agent.CodeInvalidArguments, Message: err.Error()}
			}
			if err := w.isMine(in.WorkspaceID); err != nil {
				return agent.Output{}, err
			}
			out, err := do(ctx, &in)
			if err != nil {
				return agent.Output{}, toolError(err, "/patch")
			}
			data, err := jsonx.Marshal(out)
			return agent.Output{Data: data}, err
		},
	}
	for _, o := range opts {
		o(&t)
	}
	return t
}

// isMine returns an error if the argument given is the ID of another workspace, or if it is missing and Strict is set.
func (w *workspaceTools) isMine(given *string) error {
	message := ""
	switch {
	case (given == nil || *given == "") && w.strict:
		message = fmt.Sprintf("workspace_id is needed; this workspace is %q", w.id)
	case given == nil || *given == "" || *given == string(w.id):
		return nil
	case w.strict:
		message = fmt.Sprintf("this workspace is %q", w.id)
	default:
		message = fmt.Sprintf("this workspace is %q; leave workspace_id out, and it is filled in", w.id)
	}
	return &agent.ToolError{Code: agent.CodeInvalidArguments, Message: message, Path: "/workspace_id"}
}

// model returns the author of edits by the model in the current run.
func model(ctx context.Context) workspace.Author {
	return workspace.Author{Actor: workspace.Model, Name: string(agent.RunOf(ctx))}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func (w *workspaceTools) patch(ctx context.Context, in *arguments) (any, error) {
	edit := workspace.Edit{Kind: workspace.PatchDraft, By: model(ctx), Patch: in.Patch, Why: text(in.Why)}
	if in.BaseVersion != nil {
		edit.Base = *in.BaseVersion
	}
	st, err := w.editor.Edit(ctx, w.id, edit)
	if err != nil {
		return nil, err
	}
	return struct {
		Version uint64 `json:"version"`
	}{st.Version}, nil
}

func (w *workspaceTools) propose(ctx context.Context, in *arguments) (any, error) {
	st, err := w.editor.Edit(ctx, w.id, workspace.Edit{Kind: workspace.ProposeFacts, By: model(ctx), Patch: in.Patch, Why: text(in.Why)})
	if err != nil {
		return nil, err
	}
	return struct {
		Version  uint64 `json:"version"`
		Proposal string `json:"proposal"`
		Status   string `json:"status"`
	}{st.Version, st.Entry.Proposal, "waits for the person; the facts have not changed"}, nil
}
