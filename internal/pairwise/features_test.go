package pairwise_test

import (
	"encoding/json"
	"strings"
)

// A feature is something that is done with the request, the configuration, or by the model.
type feature struct {
	name string
	slot string // of features with one slot a case has one, see slots; "" for none
	// needs is what the API of the client has to have, see api.can and needs; "" for nothing.
	needs string
	set   func(w *world)
	// notes are rules of notes that the reports have, unless the policy changes nothing.
	notes []string
	// changes is the rule by which the policy strict refuses it, where it needs a change.
	changes string
}

// slots say why features with one slot do not meet.
var slots = map[string]string{
	"mode":     "a model writes its calls in one way",
	"policy":   "a model has one policy",
	"choice":   "a request has one choice of tools",
	"count":    "an answer has several calls, or may have one at most",
	"fallback": "a case has one provider that fails",
	"rule":     "a model heeds a refusal, or does not",
}

// needs say why clients of some APIs cannot have a feature.
var needs = map[string]string{
	"deferred": "its clients cannot defer tools",
	"custom":   "its clients have no tools that take free text",
	"kept":     "its clients cannot go on from a kept answer",
	"choice":   "its clients cannot demand a call",
	"single":   "its clients cannot ask for one call",
}

const (
	alpha = "KEYALPHA counts the lines of a file."
	beta  = "KEYBETA lists the files of a folder."
	gamma = "KEYGAMMA changes files."

	alphaSchema    = `{"type":"object","properties":{"path":{"type":"string"},"lines":{"type":"integer"}},"required":["path","lines"]}`
	labelledSchema = `{"type":"object","properties":{"path":{"type":"string"},"lines":{"type":"integer"},"note":{"type":"string"},` +
		`"labels":{"type":"object","additionalProperties":{"type":"string"}}},"required":["path","lines"]}`
	betaSchema = `{"type":"object","properties":{"folder":{"type":"string"}},"required":["folder"]}`

	editGrammar = "start: \"Begin\" LF line+ \"End\"\nline: /[-+]/ /.*/ LF\n%import common.LF"
	edit        = "Begin\n+a \"b\" \\n\n-c\nEnd"
)

// newWorld is a case without any feature.
func newWorld(client, far, next *api, stream bool) *world {
	return &world{client: client, providers: [2]*api{far, next}, stream: stream, general: obj{}, caps: obj{}, settings: [2]obj{{}, {}},
		request: request{system: "You look after files.", tools: []tool{{name: "count_lines", about: alpha, schema: alphaSchema}, {name: "list_files", about: beta, schema: betaSchema}}},
		steps: []*step{
			{question: "Count the first.", calls: []intent{{alpha, `{"path":"/srv/a \"b\" é","lines":7}`}}},
			{text: "It has seven."},
			{question: "Count the second.", calls: []intent{{alpha, `{"path":"C:\\new\\test","lines":9007199254740993}`}}},
			{text: "That was all."},
		}}
}

// rules are the call rules of a case, by the names with which clients declare their tools.
var rules = []obj{{"name": "keep-out", "tools": []string{"*count*lines", "change_files"}, "message": "that is not yours",
	"when": `has(args.path) && args.path.contains("` + secret + `") || has(args.input) && args.input.contains("` + secret + `")`}}

// refusal is what a client is told of the call of a tool that the rule refuses.
func refusal(tool string) string {
	return "The call of " + tool + " was refused by the rule keep-out: that is not yours"
}

var features = []feature{
	{name: "plain", set: func(*world) {}},
	{name: "required", slot: "choice", needs: "choice", changes: "choice.emulated", set: func(w *world) {
		w.request.choice = "required"
		w.steps = w.steps[:3]
		w.steps[1] = &step{calls: []intent{{alpha, `{"path":"/srv/c","lines":-1}`}}}
		w.steps[2].question = ""
	}},
	{name: "renamed", changes: "tools.renamed", set: func(w *world) {
		w.caps["name_max"] = 40
		for i, name := range []string{"files/count all lines", "files/list"} {
			w.request.tools[i].name = name
		}
	}},
	{name: "adapted", set: func(w *world) {
		w.caps["schema_target"] = "openai-strict"
		w.request.tools[0].schema = labelledSchema
		for _, s := range w.steps {
			for i := range s.calls {
				if in := &s.calls[i]; in.about == alpha {
					in.input = strings.TrimSuffix(in.input, "}") + `,"labels":{"a":"1","b c":"2"}}`
				}
			}
		}
	}},
	{name: "deferred", needs: "deferred", changes: "tools.search", notes: []string{"search.answered"}, set: func(w *world) {
		for i := range w.request.tools {
			w.request.tools[i].deferred = true
		}
	}},
	{name: "text", slot: "mode", changes: "tools.conveyed", notes: []string{"tools.conveyed"}, set: func(w *world) {
		w.general["mode"], w.general["dialect"] = "text", "hermes"
	}},
	{name: "tags", slot: "mode", changes: "tools.conveyed", notes: []string{"tools.conveyed"}, set: func(w *world) {
		w.general["mode"], w.general["dialect"] = "text", "qwen3_coder"
	}},
	{name: "leaked", slot: "mode", changes: "dialect.hermes", notes: []string{"dialect.hermes"}, set: func(w *world) {
		w.model.writes = "hermes"
	}},
	{name: "leaked tags", slot: "mode", changes: "dialect.qwen3_coder", notes: []string{"dialect.qwen3_coder"}, set: func(w *world) {
		w.model.writes = "tags"
	}},
	{name: "json_schema", slot: "mode", changes: "tools.conveyed", notes: []string{"tools.conveyed"}, set: func(w *world) {
		w.general["mode"], w.caps["json_schema"] = "json_schema", true
	}},
	{name: "json_object", slot: "mode", changes: "tools.conveyed", notes: []string{"tools.conveyed"}, set: func(w *world) {
		w.general["mode"], w.caps["json_object"] = "json_object", true
	}},
	{name: "corrected", changes: "correct.asked", notes: []string{"correct.asked"}, set: func(w *world) { w.steps[0].wrong = true }},
	{name: "parallel", slot: "count", set: func(w *world) {
		w.steps[0].calls = append(w.steps[0].calls, intent{beta, `{"folder":"/srv"}`})
		w.steps[2].calls = append(w.steps[2].calls, intent{alpha, `{"path":"/z","lines":0}`})
	}},
	{name: "ruled", slot: "rule", notes: []string{"call_rule.refused", "correct.refused"}, set: func(w *world) {
		w.rules, w.steps[0].barred = rules, true
	}},
	{name: "custom", needs: "custom", set: func(w *world) {
		w.request.tools = append(w.request.tools, tool{name: "change_files", about: gamma, grammar: editGrammar})
		w.steps[0].calls[0] = intent{gamma, edit}
	}},
	{name: "signed", changes: "history.state_restored", set: func(w *world) { w.model.reasons = true }},
	{name: "transformed", notes: []string{"history.compact_result"}, set: func(w *world) {
		w.general["tool_result_transforms"] = "tool_result_compact_envelope"
	}},
	{name: "fallback", slot: "fallback", set: func(w *world) {
		w.settings[0]["fallbacks"] = []string{"next/m"}
		w.model.down = func(provider, _ int) bool { return provider == 0 }
	}},
	{name: "moved", slot: "fallback", set: func(w *world) { // to another model in the middle of the conversation
		w.settings[0]["fallbacks"] = []string{"next/m"}
		w.model.down = func(provider, step int) bool { return provider == 0 && step > 0 }
	}},
	{name: "kept", needs: "kept", set: func(w *world) {
		w.request.store = true
		w.back = func(w *world, k int, r *request) {
			if k > 0 {
				r.previous, r.talk = w.steps[k-1].answer.id, r.talk[len(r.talk)-1:]
			}
		}
	}},
	{name: "spoken", changes: "correct.repeated_text", set: func(w *world) { w.steps[0].text = "I count the lines." }},
	{name: "flowing", set: func(w *world) { w.general["stream_calls"] = "flowing" }},
	{name: "insists", slot: "rule", notes: []string{"call_rule.refused", "correct.refused"}, set: func(w *world) {
		w.rules, w.steps[0].insists = rules, true
		if len(w.steps[0].calls) == 1 && w.request.choice == "" { // there is no result to give back
			w.steps[1].question = "And now?"
		}
	}},
	{name: "single", slot: "count", needs: "single", changes: "parallel.emulated", set: func(w *world) { w.request.single = true }},
	{name: "heuristic", slot: "policy", set: policy("heal+heuristic")},
	{name: "observe", slot: "policy", set: policy("observe")},
	{name: "strict", slot: "policy", set: policy("strict")},
	{name: "off", slot: "policy", set: policy("off")},
}

func policy(name string) func(w *world) {
	return func(w *world) {
		w.policy, w.general["policy"] = name, name
		if s := w.steps[0]; name == "off" { // no rules go with it
			w.rules, s.barred, s.insists = nil, false, false
		}
		if s := w.steps[1]; w.passive() && s.question == "And now?" {
			s.question = ""
		}
	}
}

// equalJSON reports whether two JSON texts have the same value. Numbers are compared by their digits.
func equalJSON(a, b string) bool {
	read := func(s string) (v any, ok bool) {
		d := json.NewDecoder(strings.NewReader(s))
		d.UseNumber()
		return v, d.Decode(&v) == nil
	}
	x, okx := read(a)
	y, oky := read(b)
	return okx && oky && js(x) == js(y)
}
