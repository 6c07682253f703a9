package remedy

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/constraint"
	"github.com/callwright/callwright/internal/factlist"
)

// Parts of a request that remedies change. partWords is the correction message.
const (
	partWords    = "words"
	partChoice   = "choice"
	partSchema   = "schema"
	partSampling = "sampling"
	partPenalty  = "penalty"
	partThinking = "thinking"
)

// table has the remedies in their default order, cheapest first. A changed message costs nothing. A tool choice and a
// schema constrain the decoder. Sampling parameters give a different response. Reasoning costs most.
var table = []Remedy{
	{"marked", "remedy.marked", []Failure{Arguments, Unreadable}, partWords, markPlaces},
	{"choice", "remedy.choice", []Failure{Arguments, Unreadable, Cut, Loop}, partChoice, nameTool},
	{"schema", "remedy.schema", []Failure{Arguments, Unreadable, Name, Missing}, partSchema, constrainOutput},
	{"penalty", "remedy.penalty", []Failure{Loop}, partPenalty, penalize},
	{"sample", "remedy.sample", []Failure{Unreadable, Loop, Name, Arguments, Missing, Empty}, partSampling, drawAnother},
	{"cooler", "remedy.cooler", []Failure{Arguments, Unreadable, Name, Missing, Form}, partSampling, coolDown},
	{"less_thinking", "remedy.less_thinking", []Failure{Empty, Missing, Cut, Loop, Unreadable}, partThinking, thinkLess},
	{"more_thinking", "remedy.more_thinking", []Failure{Arguments, Name}, partThinking, thinkMore},
}

// afresh omits the failed response from the request. Plan considers it last, because it depends on the other selected
// remedies: see startAfresh.
var afresh = Remedy{"afresh", "remedy.afresh", []Failure{Loop}, partWords, func(*Case, *Change) string { return "" }}

// markPlaces makes the correction message show the position of each violation in the model's own arguments.
func markPlaces(c *Case, to *Change) string {
	if !c.CanShowError {
		return ""
	}
	to.Marked = true
	return "the invalid places of the arguments are marked"
}

// nameTool requires a call of the tool whose call failed, through the tool choice. Providers that support this
// constrain the decoder to the tool's schema or name. Models with reasoning may reject it
// (https://platform.claude.com/docs/en/build-with-claude/extended-thinking#extended-thinking-with-tool-use,
// https://help.aliyun.com/zh/model-studio/qwen-function-calling).
func nameTool(c *Case, to *Change) string {
	choice := callwright.Choice{Mode: callwright.ChoiceNamed, Names: []string{c.Tool}}
	if c.Tool == "" || c.Params.Choice.Mode == callwright.ChoiceNamed || !c.Params.Choice.Allows(c.Tool) {
		return ""
	}
	if to.To.Mode == caps.Native && (to.To.Caps.ChoiceField == caps.No || to.To.Caps.ChoiceForced == caps.No || reasons(c)) {
		return ""
	}
	to.Params.Choice = choice
	return "a call of " + c.Tool + " is required"
}

// constrainOutput makes the provider constrain the output to the tool schemas. It uses the first method that the
// receiver supports: strict tools, then a decoding constraint, then the mode with a JSON Schema response format.
func constrainOutput(c *Case, to *Change) string {
	g := &to.To
	switch {
	case g.Mode == caps.Native && g.Caps.StrictTools == caps.Yes && g.Strict != callwright.StrictOff && g.Strict != callwright.StrictOn:
		g.Strict = callwright.StrictOn
		return "tools are sent with strict"
	case g.Constrain == caps.Unknown && !c.To.Constrained && bindsCalls(g.Mode, &g.Caps) && !reasons(c):
		g.Constrain = caps.Yes
		return "the answer is decoded under a constraint"
	case g.Mode != caps.JSONSchema && g.Caps.JSONSchema == caps.Yes && slices.Contains(c.Modes, caps.JSONSchema) && !c.TextSent &&
		c.Params.Format == nil:
		g.Mode, g.Dialect = caps.JSONSchema, ""
		return "the call is requested as a document with a schema"
	}
	return ""
}

// bindsCalls reports whether the receiver's inference engine can constrain tool calls in mode m. In native mode this
// requires that the response text is searched for calls.
func bindsCalls(m caps.Mode, c *caps.Caps) bool {
	api := constraint.API(c.Constraint)
	if api != constraint.APIGrammar && api != constraint.APIStructuralTag && api != constraint.APIStructures {
		return false
	}
	return m == caps.Text || m == caps.JSONObject && api == constraint.APIGrammar || m == caps.Native && c.TextCalls != caps.No
}

// frequencyPenalty is the frequency penalty of a correction after a repetition. OpenAI calls 0.1 to 1 reasonable for
// reducing repetitions somewhat (https://platform.openai.com/docs/advanced-usage).
const frequencyPenalty = json.Number("0.6")

// penalize sets a frequency penalty, so that repetitions become unlikely.
func penalize(c *Case, to *Change) string {
	if !samples(c, "frequency_penalty") || positive(c.Params.Frequency) {
		return ""
	}
	to.Params.Frequency = frequencyPenalty
	return "frequency penalty " + string(frequencyPenalty)
}

// warm is the temperature of a correction if the request has temperature 0.
const warm = json.Number("0.5")

// drawAnother sets another seed. If the temperature is 0, it also raises the temperature, because otherwise the
// response would be the same. It applies after a repeated response, an unreadable call or a repetition, and to
// requests with a seed or temperature 0.
func drawAnother(c *Case, to *Change) string {
	greedy := isZero(c.Params.Temperature)
	if !samples(c, "seed") || !c.Repeated && !greedy && c.Params.Seed == "" && c.Failure != Unreadable && c.Failure != Loop {
		return ""
	}
	to.Params.Seed = nextSeed(c.Params.Seed, c.Asked)
	now := "seed " + string(to.Params.Seed)
	if greedy && samples(c, "temperature") {
		to.Params.Temperature = warm
		now += ", temperature " + string(warm)
	}
	return now
}

// nextSeed returns a seed that no request of the run had: the client's seed plus the number of corrections. A missing
// or large seed counts as 0.
func nextSeed(was json.Number, asked int) json.Number {
	n, err := was.Int64()
	if err != nil || n < 0 || n > 1<<30 {
		n = 0
	}
	return json.Number(strconv.FormatInt(n+int64(asked), 10))
}

// coolDown sets the temperature to 0, unless the same invalid calls came twice.
func coolDown(c *Case, to *Change) string {
	if isZero(c.Params.Temperature) || !samples(c, "temperature") || c.Repeated {
		return ""
	}
	to.Params.Temperature = "0"
	return "temperature 0"
}

// thinkLess sets the lowest reasoning effort that the model supports, or disables reasoning. It applies if the
// response had reasoning.
func thinkLess(c *Case, to *Change) string {
	thought := c.Out.Reasoning.Len()+c.Out.Thoughts.Len() > 0 || c.Out.Usage.Reasoning > 0
	lowest, _, _ := strings.Cut(to.To.Caps.Efforts, ",")
	if !thought || lowest == "" || c.Params.Thinking.Off || c.Params.Thinking.Effort == lowest {
		return ""
	}
	to.Params.Thinking = callwright.Thinking{Effort: lowest, Off: lowest == effortNone}
	return "reasoning effort " + lowest
}

// effortNone is the reasoning effort that disables reasoning.
const effortNone = "none"

// thinkMore enables reasoning with low effort if the model supports this and the request has no reasoning parameter.
func thinkMore(c *Case, to *Change) string {
	k := &to.To.Caps
	t := &c.Params.Thinking
	said := t.Off || t.Effort != "" || t.Budget != "" || t.Extra.JSON != nil
	if said || !factlist.Has(k.Efforts, effortNone) || !factlist.Has(k.Efforts, "low") || k.ReasoningTools == caps.No ||
		to.Params.Choice.IsForced() {
		return ""
	}
	to.Params.Thinking = callwright.Thinking{Effort: "low"}
	return "reasoning effort low"
}

// reasons reports whether the model may have reasoned in the failed response.
func reasons(c *Case) bool {
	t := &c.Params.Thinking
	return !t.Off && (t.Effort != "" && t.Effort != effortNone || t.Budget != "" || c.To.Caps.ReasoningStart != "" ||
		c.Out.Reasoning.Len()+c.Out.Thoughts.Len() > 0)
}

// samples reports whether the receiver accepts a sampling parameter, such as "seed". Reasoning models accept none
// (https://platform.openai.com/docs/guides/reasoning).
func samples(c *Case, member string) bool {
	k := &c.To.Caps
	return (k.Sampling == "" || factlist.Has(k.Sampling, member)) && !factlist.Has(k.DropFields, member) && k.Efforts == "" && !reasons(c)
}

func isZero(n json.Number) bool {
	v, err := n.Float64()
	return err == nil && v == 0
}

func positive(n json.Number) bool {
	v, err := n.Float64()
	return err == nil && v > 0
}
