package transformset

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/transform"
)

var (
	ofResult = pointFuncs[callwright.Result]{at: transform.ToolResults, stage: callwright.StageOutbound, copy: copyResult,
		text: callwright.Result.Text, call: func(r callwright.Result) string { return r.CallID }}
	ofMessage = pointFuncs[callwright.Message]{at: transform.Messages, stage: callwright.StageOutbound, copy: copyMessage,
		text: func(m callwright.Message) string { return callwright.TextOf(m.Parts) }, call: func(callwright.Message) string { return "" }}
	ofTool = pointFuncs[callwright.Tool]{at: transform.Tools, stage: callwright.StageOutbound, copy: copyTool,
		text: func(t callwright.Tool) string { return t.Description }, call: func(t callwright.Tool) string { return t.Name }}
)

// History applies the transforms of tool results and messages to a conversation. note is called for each note with the
// index of its message. An unchanged message is returned without a copy. If nothing changes, History returns msgs
// itself.
func (s *Set) History(msgs []callwright.Message, note func(message int, n callwright.Note)) ([]callwright.Message, error) {
	if !s.Has(transform.ToolResults, transform.Messages) {
		return msgs, nil
	}
	out := make([]callwright.Message, 0, len(msgs))
	changed := false
	for i, m := range msgs {
		add := func(n callwright.Note) { note(i, n) }
		now, inside, err := s.results(m, add)
		if err != nil {
			return nil, err
		}
		now, outside, err := run(s, &ofMessage, now, add)
		if err != nil {
			return nil, err
		}
		changed = changed || inside || outside
		if now.Role != "" || !outside {
			out = append(out, now)
		}
	}
	if !changed {
		return msgs, nil
	}
	return out, nil
}

// results applies the tool result transforms to one message. If changed is false, out equals m.
func (s *Set) results(m callwright.Message, note func(callwright.Note)) (out callwright.Message, changed bool, err error) {
	for k, p := range m.Parts {
		res, ok := p.(callwright.Result)
		if !ok {
			continue
		}
		now, different, err := run(s, &ofResult, res, note)
		switch {
		case err != nil:
			return m, false, err
		case !different:
			continue
		case !changed:
			m.Parts, changed = slices.Clone(m.Parts), true
		}
		m.Parts[k] = now
	}
	return m, changed, nil
}

// Tools applies the tool transforms. If nothing changes, it returns tools itself.
func (s *Set) Tools(tools []callwright.Tool, note func(callwright.Note)) ([]callwright.Tool, error) {
	if !s.Has(transform.Tools) {
		return tools, nil
	}
	out := tools
	changed := false
	for i, t := range tools {
		now, different, err := run(s, &ofTool, t, note)
		switch {
		case err != nil:
			return nil, err
		case !different:
			continue
		case now.Name != t.Name || now.Type != t.Type:
			return nil, callwright.Errorf("transform", callwright.KindInternal, "",
				"expected a tool transform to keep the name and the type of %s, got %s", t.Name, now.Name)
		case !changed:
			out, changed = slices.Clone(tools), true
		}
		out[i] = now
	}
	return out, nil
}
