package reliability_test

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/simulate"
)

// A habit is what the faults of single answers with this name do beside damaging a call: what is meant by it all the same, or how it may end.
type habit struct {
	text  string // that the model says
	none  bool   // it makes no call
	args  func(city string) string
	meant func(city string) string // where it is not what the script says
	twice bool                     // each call is meant twice
	loose bool                     // any text may stand beside the calls
	begin bool                     // the text begins so
	ends  []end                    // as good as being right
	force bool                     // a call is demanded
}

// habits are by the names of faults, with their variants or without.
var habits = map[string]habit{
	"text_json-prose_before": {text: prose}, "hermes-prose_before": {text: prose}, "dsml-split": {text: "Hello."},
	"companion_text":         {text: prose + " I will report back."},
	"companion_text-native":  {text: prose + " I will report back."},
	"utf8_split":             {text: "Ich prüfe das für Sie.", ends: []end{failed(callwright.KindBadAnswer)}},
	"envelope-plain":         {text: "Looking it up."},
	"in_think-prefilled":     {loose: true}, // streamed, what stands before the closing tag is out before it is known to be a thought
	"glm-noarg":              {args: shortArguments},
	"optional_placeholder":   {args: shortArguments},
	"identical_twice":        {twice: true},
	"xml_newline":            {meant: func(city string) string { return strings.Replace(fullArguments(city), `"by sea"`, `"\nby sea\n"`, 1) }},
	"bigint":                 {meant: func(city string) string { return strings.Replace(fullArguments(city), "3", "9223372036854775807", 1) }},
	"quoted_markup":          {none: true, text: "A call of the tool is written between tags, for example:", begin: true},
	"injected_result_markup": {none: true, text: "You gave me this, word for word:", begin: true},
	"groq_failed-text":       {none: true, text: "I would have to look at a forecast."},
	"finish-calls_without":   {none: true, text: "I will look up the weather now."},
	"tools_ignored_200":      {force: true, ends: []end{failed(callwright.KindNoCall)}}, // streamed, once text is out
	"forced_choice_400":      {force: true},
	"forced_choice_ignored":  {force: true, loose: true},
	"engine500_with_payload": {ends: []end{failed(callwright.KindServer)}}, // engines that quote what they could not read speak OpenAI's and Responses' APIs
	"no_tools_404":           {ends: []end{failed(callwright.KindNotFound)}},
	"midstream-cut":          {ends: []end{failed(callwright.KindTruncated)}},
	"midstream-inband":       {ends: []end{failed(callwright.KindServer), failed(callwright.KindOverloaded)}},
	"midstream-badline":      {ends: []end{failed(callwright.KindBadAnswer)}},
	"midstream-stall":        {ends: []end{failed(callwright.KindTimeout)}},
	"never_right":            {ends: []end{failed(callwright.KindInvalidCall)}},
}

const prose = "I will look that up."

// habitOf is that of a fault, by its whole name or its first part.
func habitOf(f simulate.FaultInfo) habit {
	if h, ok := habits[f.Model()]; ok {
		return h
	}
	return habits[f.Name]
}

// answers are the scenarios of a fault that a single answer shows, on a wire: one call, and two.
func answers(class string, f simulate.FaultInfo, wire string) []*scenario {
	h := habitOf(f)
	if h.args == nil {
		h.args = fullArguments
	}
	if h.meant == nil {
		h.meant = h.args
	}
	var out []*scenario
	for what, cities := range [][]string{{"Tromsø"}, {"Tromsø", "Århus"}} {
		s := &scenario{class: class, fault: f, model: unknownProvider + "/" + f.Model(), wire: wire, script: weather(h.args), ends: h.ends,
			what: []string{"", "two calls"}[what], meant: intent{text: h.text, loose: h.loose, begin: h.begin}}
		if !h.none {
			s.meant.calls = weatherIn(h.meant, cities...)
		}
		if h.twice {
			s.meant.calls = append(s.meant.calls, s.meant.calls...)
		}
		s.request = asking([]string{question, question2}[what], func(r *callwright.Request) {
			if h.force {
				r.Params.Choice.Mode = callwright.ChoiceRequired
			}
		})
		out = append(out, s)
		if h.none || h.force {
			break // the second call changes nothing
		}
	}
	return out
}

// scenarios are all scenarios of a class.
func scenarios(class string) []*scenario {
	var out []*scenario
	for _, f := range simulate.FaultsOf(class) {
		for _, wire := range f.Wires {
			if list, ok := talk(class, f, wire); ok {
				out = append(out, list...)
			} else {
				out = append(out, answers(class, f, wire)...)
			}
		}
	}
	for i := range knownCases {
		if knownCases[i].class == class {
			out = append(out, knownCases[i].scenario())
		}
	}
	return out
}
