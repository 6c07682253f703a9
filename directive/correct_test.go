package directive_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/directive"
	"github.com/google/go-cmp/cmp"
)

// A model that wrote wrong directives is asked for them once more; the text and the other directives of its answer stay.
func TestCorrection(t *testing.T) {
	wrong := `{"assistant_text":"Here.","directives":[{"type":"open_file","payload":{"file":"a"}},` + saves + `,{"type":"reboot"}]}`
	lacks, unknown := "dropped bad_payload /directives/0 open_file", "dropped unknown_type /directives/2 reboot"
	for _, c := range []struct {
		name      string
		answers   []any
		off       bool
		want      []string
		corrected int
		rules     string
	}{
		{name: "both corrected", answers: []any{wrong, `{"assistant_text":"","directives":[{"type":"open_file","payload":{"path":"a"}},{"type":"set_theme","payload":{"name":"dark"}}]}`},
			want: []string{"text Here.", saved, `open_file {"path":"a"}`, `set_theme {"name":"dark"}`, lacks, unknown}, corrected: 2, rules: "correct.asked"},
		{name: "one corrected", answers: []any{wrong, `{"assistant_text":"","directives":[{"type":"open_file","payload":{"path":"a"}},{"type":"reboot"}]}`},
			want: []string{"text Here.", saved, `open_file {"path":"a"}`, lacks, unknown, "dropped unknown_type /directives/1 reboot"}, rules: "correct.asked"},
		{name: "what was taken is repeated", answers: []any{wrong, `{"assistant_text":"Sorry.","directives":[{"type":"open_file","payload":{"path":"a"}},` + saves + `,{"type":"open_file","payload":{"path":"b"}}]}`},
			want: []string{"text Here.\nSorry.", saved, `open_file {"path":"a"}`, `open_file {"path":"b"}`, lacks, unknown, "dropped repeated /directives/1 save"}, corrected: 2, rules: "correct.asked"},
		{name: "the text is repeated", answers: []any{wrong, `{"assistant_text":"Here. And there.","directives":[{"type":"open_file","payload":{"path":"a"}}]}`},
			want: []string{"text Here.\nAnd there.", saved, `open_file {"path":"a"}`, lacks, unknown}, rules: "correct.asked correct.repeated_text"},
		{name: "more than was asked for", answers: []any{wrong, `{"assistant_text":"","directives":[{"type":"open_file","payload":{"path":"a"}},{"type":"open_file","payload":{"path":"b"}},{"type":"open_file","payload":{"path":"c"}}]}`},
			want: []string{"text Here.", saved, `open_file {"path":"a"}`, `open_file {"path":"b"}`, lacks, unknown, "dropped unasked /directives/2 open_file"}, corrected: 2, rules: "correct.asked"},
		{name: "text in place of directives", answers: []any{wrong, "I cannot."}, want: []string{"text Here.\nI cannot.", saved, lacks, unknown}, rules: "correct.asked"},
		{name: "the model fails", answers: []any{wrong, errors.New("down")}, want: []string{"text Here.", saved, lacks, unknown}, rules: "correct.asked"},
		{name: "a directive was cut", answers: []any{`{"assistant_text":"Here.","directives":[{"type":"save","payl`, `{"assistant_text":"","directives":[` + saves + `]}`},
			want: []string{"text Here.", saved, "dropped truncated /directives/0"}, corrected: 1, rules: "directive.cut correct.asked"},
		{name: "nothing is wrong", answers: []any{plainAnswer}, want: []string{"text Here.", saved}},
		{name: "only repeated", answers: []any{strings.Repeat(plainAnswer, 2)}, want: []string{"text Here.", saved, "dropped repeated /directives/0 save"}, rules: "directive.repeated"},
		{name: "not asked for", answers: []any{wrong}, off: true, want: []string{"text Here.", saved, lacks, unknown}},
	} {
		for _, way := range ways {
			t.Run(c.name+"/"+way, func(t *testing.T) {
				m := &script{answers: c.answers, piece: 4}
				opts := []directive.Option{directive.WithCorrection()}
				if c.off {
					opts = nil
				}
				req := ask()
				req.Tools = weather
				turn, events, err := asking(t, directive.New(m, registry(t), opts...), req, way)
				if err != nil {
					t.Fatal(err)
				}
				expect(t, turn, events, c.want, c.rules)
				corrected := 0
				for _, p := range turn.Dropped {
					if p.Corrected {
						corrected++
					}
				}
				if corrected != c.corrected || len(m.asked) != len(c.answers) {
					t.Errorf("%d corrected, want %d; asked %d times", corrected, c.corrected, len(m.asked))
				}
				if answered := turn.Correction != nil; answered != (len(c.answers) == 2 && c.name != "the model fails") {
					t.Errorf("the correction is %+v", turn.Correction)
				}
			})
		}
	}
}

// The request for a correction says what is wrong, in the conversation as it was, and offers no tools.
func TestCorrectionRequest(t *testing.T) {
	answer := `{"assistant_text":"Here.","directives":[{"type":"open_file","payload":{"file":"a"}},{"type":"reboot"}]}`
	m := &script{answers: []any{[]callwright.Part{callwright.Text{Text: answer}, callwright.Call{ID: "c", Name: "get_weather", Arguments: []byte(`{"city":"Oslo"}`)}}, plainAnswer}}
	req := ask()
	req.Tools, req.Params.Choice = weather, callwright.Choice{Mode: callwright.ChoiceRequired}
	turn, err := directive.New(m, registry(t), directive.WithCorrection()).Generate(t.Context(), req)
	if err != nil || len(turn.Calls) != 1 {
		t.Fatalf("got %+v, %v", turn, err)
	}
	_, first := sent(t, m.asked[0])
	form, second := sent(t, m.asked[1])
	want := append(first, "assistant "+answer, "user These directives of your answer were not taken:\n"+
		"- /directives/0 (type \"open_file\"):\n"+
		"  - /payload/file: want only the members \"line\", \"path\", got another, with the string \"a\"\n"+
		"  - /payload: want the member \"path\" (string), got none\n"+
		"- /directives/1 (type \"reboot\"):\n"+
		"  - unknown type \"reboot\": expected open_file, save, set_theme\n"+
		"All else was taken: do not repeat it. Write these directives again, complete and corrected, in the same order and with nothing else: {\"assistant_text\": \"\", \"directives\": [...]}")
	if d := cmp.Diff(want, second); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if p := m.asked[1].Params; form != "json_schema" || m.asked[1].Tools == nil || len(m.asked[1].Tools) != 0 || p.Choice.Mode != "" {
		t.Errorf("asked for %s with tools %v and the choice %v", form, m.asked[1].Tools, p.Choice)
	}
}
