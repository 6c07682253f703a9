package statetool

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/workspace"
)

// An overview is the output of state_get without a path: the whole workspace.
type overview struct {
	WorkspaceID workspace.ID    `json:"workspace_id"`
	Version     uint64          `json:"version"`
	Draft       json.RawMessage `json:"draft"`
	Facts       json.RawMessage `json:"facts"`
	Locks       []string        `json:"locks"`
	Proposals   []proposal      `json:"proposals"`
	UI          json.RawMessage `json:"ui,omitempty"`
}

type proposal struct {
	ID    string          `json:"id"`
	Patch json.RawMessage `json:"patch"`
	Why   string          `json:"why,omitempty"`
}

// A part is the output of state_get for one value of the workspace.
type part struct {
	Version uint64          `json:"version"`
	Of      string          `json:"of"`
	Path    string          `json:"path"`
	Value   json.RawMessage `json:"value"`
}

func (w *workspaceTools) get(ctx context.Context, in *arguments) (any, error) {
	st, err := w.editor.Store().Load(ctx, w.id, 0)
	if err != nil {
		return nil, err
	}
	if in.Path == nil && in.Of == nil {
		return w.overview(st)
	}
	of := "draft"
	if in.Of != nil {
		of = *in.Of
	}
	doc := map[string]json.RawMessage{"draft": st.Draft, "facts": st.Facts, "ui": st.UI}[of]
	if len(doc) == 0 {
		doc = json.RawMessage("null")
	}
	path := text(in.Path)
	value, err := workspace.At(doc, path)
	if err != nil {
		return nil, toolError(err, "/path")
	}
	if len(value) > w.maxOutput {
		return nil, tooLarge(fmt.Sprintf("%q of the %s has %d bytes", path, of, len(value)), path, value)
	}
	return part{st.Version, of, path, value}, nil
}

func (w *workspaceTools) overview(st *workspace.State) (any, error) {
	o := overview{WorkspaceID: st.ID, Version: st.Version, Draft: st.Draft, Facts: st.Facts,
		Locks: append([]string{}, st.Locks...), Proposals: []proposal{}, UI: st.UI}
	for _, p := range st.Proposals {
		o.Proposals = append(o.Proposals, proposal{p.ID, p.Patch, p.Why})
	}
	data, err := jsonx.Marshal(o)
	if err != nil || len(data) <= w.maxOutput {
		return json.RawMessage(data), err
	}
	return nil, tooLarge(fmt.Sprintf("the workspace has %d bytes, the draft %d and the facts %d of them", len(data),
		len(st.Draft), len(st.Facts)), "", st.Draft)
}

// tooLarge returns an error for a value that exceeds the output limit. The error lists up to 20 paths of smaller
// values inside it with their sizes.
func tooLarge(what, path string, v []byte) error {
	const most = 20
	var parts []string
	more := 0
	add := func(token string, value []byte) {
		if len(parts) == most {
			more++
			return
		}
		parts = append(parts, fmt.Sprintf("%s/%s (%s, %d bytes)", path, jsonx.EscapeToken(jsonx.Clip(token, 80)),
			jsonx.KindOf(value), len(value)))
	}
	for k, value := range jsonx.Members(v) {
		add(k.String(), value)
	}
	n := 0
	for value := range jsonx.Elements(v) {
		add(fmt.Sprint(n), value)
		n++
	}
	message := what + "; ask for a part by its path: " + strings.Join(parts, ", ")
	if more > 0 {
		message += fmt.Sprintf(" and %d more", more)
	}
	if len(parts) == 0 {
		message = what + ", and has no parts to ask for"
	}
	return &agent.ToolError{Code: agent.CodeOutputTooLarge, Message: message}
}

// toolError converts an error of package workspace to an *agent.ToolError for the model. at is the JSON pointer of the
// argument that has the patch or path. It returns an error without a Code unchanged.
func toolError(err error, at string) error {
	e, ok := err.(*callwright.Error)
	if !ok || e.Code == "" {
		return err
	}
	out := &agent.ToolError{Code: agent.Code(e.Code), Message: e.Message}
	switch p, ok := e.Err.(*workspace.PatchError); {
	case ok:
		out.Message, out.Path = p.Message, at+p.At
	case e.Code == workspace.CodeConflict:
		out.Path = "/base_version"
	}
	for _, root := range []string{"/draft", "/facts"} {
		if rest, ok := strings.CutPrefix(e.Path, root+"/"); ok && e.Code == workspace.CodePathNotFound {
			out.Message += fmt.Sprintf("; paths begin inside of the %s, so write %q in place of %q", root[1:],
				callwright.Excerpt("/"+rest), callwright.Excerpt(e.Path))
		}
	}
	return out
}
