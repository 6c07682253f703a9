package reliable_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/transformset"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/transform"
	"github.com/google/go-cmp/cmp"
)

// inCelsius renames the argument that an older version of the tool had.
func inCelsius(c callwright.Call) (callwright.Call, error) {
	c.Arguments = json.RawMessage(strings.Replace(string(c.Arguments), `"town"`, `"city"`, 1))
	return c, nil
}

// shouted writes texts in capitals.
func shouted(parts []callwright.Part) []callwright.Part {
	for i, p := range parts {
		if t, ok := p.(callwright.Text); ok {
			t.Text = strings.ToUpper(t.Text)
			parts[i] = t
		}
	}
	return parts
}

var (
	renaming = transform.OnToolCall("rename", inCelsius)
	loud     = transform.OnMessage("loud", func(m callwright.Message) (callwright.Message, error) {
		m.Parts = shouted(m.Parts)
		return m, nil
	})
	loudResult = transform.OnToolResult("loud_result", func(r callwright.Result) (callwright.Result, error) {
		r.Parts = shouted(r.Parts)
		return r, nil
	})
	loudAnswer = transform.OnResponse("loud_answer", func(r callwright.Response) (callwright.Response, error) {
		r.Parts = shouted(r.Parts)
		return r, nil
	})
	described = transform.OnTool("described", func(t callwright.Tool) (callwright.Tool, error) {
		t.Description = "THE WEATHER"
		return t, nil
	})
)

// transformsOf are the rules of the notes on transforms in a report.
func transformsOf(rep *callwright.Report) (rules []string) {
	for _, n := range rep.Notes {
		if strings.HasPrefix(n.Rule, "transform.") {
			rules = append(rules, n.Rule)
		}
	}
	return rules
}

// A call is transformed before it is judged, however it came, and judged against the schema that the client declared.
func TestToolCallTransforms(t *testing.T) {
	town := `{"town":"Oslo"}`
	always := func(args string) transform.Transform {
		return transform.OnToolCall("always", func(c callwright.Call) (callwright.Call, error) {
			c.Arguments = json.RawMessage(args)
			return c, nil
		})
	}
	named := transform.OnToolCall("named", func(c callwright.Call) (callwright.Call, error) {
		c.Name = "get_weather"
		return c, nil
	})
	inTags := `<function=get_weather><parameter=town>Oslo</parameter></function>`
	for name, c := range map[string]struct {
		answers []any
		list    []transform.Transform
		want    string // the arguments, "" for an invalid call
		rules   []string
	}{
		"native":              {answers: []any{native("get_weather", town, callwright.FinishCalls)}, list: []transform.Transform{renaming}, want: oslo, rules: []string{"transform.rename"}},
		"in tags with JSON":   {answers: []any{text(`<tool_call>{"name":"get_weather","arguments":` + town + `}</tool_call>`)}, list: []transform.Transform{renaming}, want: oslo, rules: []string{"transform.rename"}},
		"in tags one by one":  {answers: []any{text(inTags)}, list: []transform.Transform{renaming}, want: oslo, rules: []string{"transform.rename"}},
		"by another name":     {answers: []any{native("weather_of", oslo, callwright.FinishCalls)}, list: []transform.Transform{named}, want: oslo, rules: []string{"transform.named"}},
		"a call that is fine": {answers: []any{goodCall}, list: []transform.Transform{renaming}, want: oslo},
		"in order": {answers: []any{goodCall}, list: []transform.Transform{always(town), renaming},
			want: oslo, rules: []string{"transform.always", "transform.rename"}},
		"made invalid, then corrected": {answers: []any{goodCall, goodCall}, list: []transform.Transform{always(`{"city":5,"x":1}`)}, rules: []string{"transform.always"}},
		"broken arguments are mended":  {answers: []any{goodCall}, list: []transform.Transform{always(`{"city":"Rome",}`)}, want: `{"city":"Rome"}`, rules: []string{"transform.always"}},
		"a call that was cut":          {answers: []any{cutCall, cutCall}, list: []transform.Transform{always(oslo)}},
	} {
		for way, deliver := range deliveries {
			t.Run(name+"/"+way, func(t *testing.T) {
				m := &scripted{name: "lab/m", answers: c.answers}
				resp, err := deliver(reliable.New(m, reliable.WithTransforms(c.list...), reliable.WithMaxCorrections(1), reliable.WithOneMode()), ask(callwright.Choice{}))
				rep := reportOf(resp, err)
				got := ""
				if err == nil && len(resp.Calls()) > 0 {
					got = string(resp.Calls()[0].Arguments)
				}
				if got != c.want {
					t.Errorf("got %q, %v", got, err)
				}
				if d := cmp.Diff(c.rules, transformsOf(rep)); d != "" {
					t.Errorf("rules (-want +got):\n%s\n%+v", d, rep.Notes)
				}
				if rep.Untouched == (len(c.rules) > 0) && err == nil && c.want != "" {
					t.Errorf("untouched: %v", rep.Untouched)
				}
			})
		}
	}
}

// What is sent is transformed in every mode: results, then messages, then tools. The client's own request does not change.
func TestRequestTransforms(t *testing.T) {
	conversation := func() *callwright.Request {
		req := ask(callwright.Choice{})
		call := callwright.Call{ID: "c1", Name: "get_weather", Arguments: json.RawMessage(oslo)}
		req.Messages = append(req.Messages, callwright.Message{Role: callwright.RoleAssistant, Parts: []callwright.Part{call}},
			callwright.ToolResult(call, "cold"), callwright.UserText("and now?"))
		return req
	}
	for _, mode := range []caps.Mode{caps.Native, caps.JSONSchema, caps.JSONObject, caps.Text} {
		for name, from := range map[string]func(*callwright.Request) *callwright.Request{
			"built": func(r *callwright.Request) *callwright.Request { return r }, "received": received,
		} {
			t.Run(string(mode)+"/"+name, func(t *testing.T) {
				m := &scripted{name: "lab/m", answers: []any{text(`{"answer":"Cold."}`), text("Cold."), text("Cold.")}}
				req := conversation()
				resp, err := reliable.New(m, reliable.WithModes(mode), reliable.WithTransforms(loud, loudResult, described)).Generate(t.Context(), from(req))
				rep := reportOf(resp, err)
				sent := fmt.Sprintf("%+v %+v %+v", m.asked[0].Messages, m.asked[0].Tools, m.asked[0].Params.Format)
				for _, want := range []string{"WEATHER IN OSLO?", "COLD", "AND NOW?"} {
					if !strings.Contains(sent, want) {
						t.Errorf("%q is not sent: %s", want, sent)
					}
				}
				if mode != caps.JSONSchema && !strings.Contains(sent, "THE WEATHER") {
					t.Errorf("the description is not sent: %s", sent)
				}
				if d := cmp.Diff([]string{"transform.loud", "transform.loud_result", "transform.loud", "transform.described"}, transformsOf(rep)); d != "" {
					t.Errorf("rules (-want +got):\n%s", d)
				}
				if d := cmp.Diff(conversation().Messages, req.Messages); d != "" || rep.Untouched || req.Tools[0].Description != "" {
					t.Errorf("untouched: %v; the client's request changed:\n%s", rep.Untouched, d)
				}
			})
		}
	}
}

// A transform that changes nothing leaves a request and an answer untouched.
func TestTransformsThatChangeNothing(t *testing.T) {
	same := []transform.Transform{
		transform.OnMessage("m", func(m callwright.Message) (callwright.Message, error) { return m, nil }),
		transform.OnToolResult("r", func(r callwright.Result) (callwright.Result, error) { return r, nil }),
		transform.OnTool("t", func(t callwright.Tool) (callwright.Tool, error) { return t, nil }),
		transform.OnResponse("a", func(r callwright.Response) (callwright.Response, error) { return r, nil }),
		transform.OnToolCall("c", func(c callwright.Call) (callwright.Call, error) { return c, nil }),
	}
	for way, deliver := range deliveries {
		resp, err := deliver(reliable.New(&scripted{name: "lab/m", answers: []any{goodCall}}, reliable.WithTransforms(same...)), ask(callwright.Choice{}))
		if err != nil || !resp.Report.Untouched || len(resp.Calls()) != 1 {
			t.Errorf("%s: %v, %+v", way, err, resp)
		}
	}
}

// Answers are transformed before calls are looked for in them.
func TestResponseTransforms(t *testing.T) {
	tagged := transform.OnResponse("tag", func(r callwright.Response) (callwright.Response, error) {
		for i, p := range r.Parts {
			if t, ok := p.(callwright.Text); ok {
				t.Text = strings.NewReplacer("[[", `<tool_call>{"name":"get_weather","arguments":`, "]]", "}</tool_call>").Replace(t.Text)
				r.Parts[i] = t
			}
		}
		return r, nil
	})
	for way, deliver := range deliveries {
		for name, c := range map[string]struct {
			answer []callwright.Event
			list   []transform.Transform
			text   string
			calls  int
		}{
			"a call in a form of its own": {answer: text("[[" + oslo + "]]"), list: []transform.Transform{tagged}, calls: 1},
			"text":                        {answer: text("It is cold."), list: []transform.Transform{loudAnswer}, text: "IT IS COLD."},
			"a native call beside it":     {answer: goodCall, list: []transform.Transform{loudAnswer}, calls: 1},
		} {
			resp, err := deliver(reliable.New(&scripted{name: "lab/m", answers: []any{c.answer}}, reliable.WithTransforms(c.list...)), ask(callwright.Choice{}))
			if err != nil {
				t.Fatalf("%s, %s: %v", way, name, err)
			}
			if resp.Text() != c.text || len(resp.Calls()) != c.calls {
				t.Errorf("%s, %s: got %q and %d calls", way, name, resp.Text(), len(resp.Calls()))
			}
			if changed := len(transformsOf(resp.Report)) == 1; changed == resp.Report.Untouched || changed == (name == "a native call beside it") {
				t.Errorf("%s, %s: untouched %v, notes %v", way, name, resp.Report.Untouched, transformsOf(resp.Report))
			}
		}
	}
}

// An error or a panic of a function is a typed error, at every point, whole and streamed; nothing of a failed answer leaves.
func TestTransformsThatFail(t *testing.T) {
	limited := &callwright.Error{Kind: callwright.KindRateLimited, Message: "later"}
	for name, c := range map[string]struct {
		fail func() error
		kind callwright.Kind
		want string
	}{
		"an error":       {func() error { return errors.New("no dictionary") }, callwright.KindInternal, "no dictionary"},
		"a typed error":  {func() error { return limited }, callwright.KindRateLimited, "later"},
		"a panic":        {func() error { panic("out of range") }, callwright.KindInternal, "panicked: out of range"},
		"a nil pointer":  {func() error { var p *callwright.Tool; return errors.New(p.Name) }, callwright.KindInternal, "nil pointer"},
		"an odd panic":   {func() error { panic(errors.ErrUnsupported) }, callwright.KindInternal, "unsupported"},
		"another's name": {func() error { return errors.New("x") }, callwright.KindInternal, "transform fail failed"},
	} {
		for point, tr := range map[transform.Point]transform.Transform{
			transform.Messages:    transform.OnMessage("fail", func(m callwright.Message) (callwright.Message, error) { return m, c.fail() }),
			transform.ToolResults: transform.OnToolResult("fail", func(r callwright.Result) (callwright.Result, error) { return r, c.fail() }),
			transform.Tools:       transform.OnTool("fail", func(t callwright.Tool) (callwright.Tool, error) { return t, c.fail() }),
			transform.Responses:   transform.OnResponse("fail", func(r callwright.Response) (callwright.Response, error) { return r, c.fail() }),
			transform.ToolCalls:   transform.OnToolCall("fail", func(k callwright.Call) (callwright.Call, error) { return k, c.fail() }),
		} {
			for way, deliver := range deliveries {
				req := ask(callwright.Choice{})
				call := callwright.Call{ID: "c1", Name: "get_weather", Arguments: json.RawMessage(oslo)}
				req.Messages = append(req.Messages, callwright.Message{Role: callwright.RoleAssistant, Parts: []callwright.Part{call}}, callwright.ToolResult(call, "cold"))
				resp, err := deliver(reliable.New(&scripted{name: "lab/m", answers: []any{goodCall, goodCall, goodCall, goodCall}}, reliable.WithTransforms(tr)), req)
				e, ok := errors.AsType[*callwright.Error](err)
				if !ok || e.Kind != c.kind || !strings.Contains(err.Error(), c.want) || e.Report == nil {
					t.Errorf("%s, %s, %s: got %v, %v", name, point, way, resp, err)
				}
			}
		}
	}
}

// A tool's name cannot be changed: the calls of the answer would name no declared tool.
func TestToolTransformsKeepNames(t *testing.T) {
	renamed := transform.OnTool("renamed", func(t callwright.Tool) (callwright.Tool, error) {
		t.Name = "other"
		return t, nil
	})
	_, err := reliable.New(&scripted{name: "lab/m", answers: []any{goodCall}}, reliable.WithTransforms(renamed)).Generate(t.Context(), ask(callwright.Choice{}))
	if callwright.KindOf(err) != callwright.KindInternal || !strings.Contains(err.Error(), "get_weather") {
		t.Errorf("got %v", err)
	}
}

// Policies that change nothing make no transform; strict takes what they change in a request for no needed change.
func TestTransformsByPolicy(t *testing.T) {
	for policy, made := range map[callwright.Policy]bool{
		callwright.PolicyHeal: true, callwright.PolicyHealHeuristic: true, callwright.PolicyStrict: true, callwright.PolicyObserve: false, callwright.PolicyOff: false,
	} {
		for way, deliver := range deliveries {
			m := &scripted{name: "lab/m", answers: []any{text("It is cold.")}}
			list, err := transform.ByName("assistant_tool_calls_content_null_if_blank")
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, loud, described, loudAnswer, renaming)
			resp, err := deliver(reliable.New(m, reliable.WithPolicy(policy), reliable.WithTransforms(list...)), ask(callwright.Choice{}))
			if err != nil {
				t.Fatalf("%s, %s: %v", policy, way, err)
			}
			sent := m.asked[0]
			if loud := callwright.TextOf(sent.Messages[0].Parts) == "WEATHER IN OSLO?"; loud != made || (sent.Tools[0].Description != "") != made || (resp.Text() == "IT IS COLD.") != made {
				t.Errorf("%s, %s: sent %+v, got %q", policy, way, sent.Messages, resp.Text())
			}
			if asks := companion.Of(sent).Known != nil && companion.Of(sent).Known.History.NullContent; asks != made {
				t.Errorf("%s, %s: content null is asked for: %v", policy, way, asks)
			}
			if got := len(transformsOf(resp.Report)) > 0; got != made || resp.Report.Untouched == made {
				t.Errorf("%s, %s: notes %v, untouched %v", policy, way, transformsOf(resp.Report), resp.Report.Untouched)
			}
		}
	}
}

// A call that a transform makes right needs no change under the policy strict; one that it leaves wrong does.
func TestToolCallTransformsUnderStrict(t *testing.T) {
	for args, fails := range map[string]bool{`{"town":"Oslo"}`: false, `{"town":"Oslo","days":"3"}`: true} {
		for way, deliver := range deliveries {
			m := &scripted{name: "lab/m", answers: []any{native("get_weather", args, callwright.FinishCalls)}}
			resp, err := deliver(reliable.New(m, reliable.WithPolicy(callwright.PolicyStrict), reliable.WithTransforms(renaming)), ask(callwright.Choice{}))
			if failed := callwright.KindOf(err) == callwright.KindChangeNeeded; failed != fails || !fails && len(resp.Calls()) != 1 {
				t.Errorf("%s, %s: got %+v, %v", args, way, resp, err)
			}
		}
	}
}

// A function gets arguments as the client's own schema has them, also where the tool was sent with another one, and what it returns is read so.
func TestToolCallTransformsBehindALens(t *testing.T) {
	strict := caps.Caps{SchemaTarget: caps.SchemaOpenAI, StrictTools: caps.Yes}
	widened := native("get_weather", `{"city":"Oslo","days":null}`, callwright.FinishCalls)
	for way, deliver := range deliveries {
		for name, c := range map[string]struct {
			from, to, want string
		}{
			"changed": {`"Oslo"`, `"Rome"`, `{"city":"Rome"}`}, "not changed": {`"Bern"`, `"Rome"`, `{"city":"Oslo"}`},
		} {
			var got []string
			move := transform.OnToolCall("move", func(k callwright.Call) (callwright.Call, error) {
				got = append(got, string(k.Arguments))
				k.Arguments = json.RawMessage(strings.Replace(string(k.Arguments), c.from, c.to, 1))
				return k, nil
			})
			resp, err := deliver(reliable.New(&scripted{name: "lab/m", caps: strict, answers: []any{widened}}, reliable.WithStrictTools(callwright.StrictOn), reliable.WithTransforms(move)), ask(callwright.Choice{}))
			if err != nil || len(resp.Calls()) != 1 || string(resp.Calls()[0].Arguments) != c.want {
				t.Fatalf("%s, %s: %+v, %v", way, name, resp, err)
			}
			for _, args := range got {
				if args != `{"city":"Oslo"}` {
					t.Errorf("%s, %s: the function was given %s", way, name, args)
				}
			}
		}
	}
}

// A rule that is switched off by its id switches its transform off, whatever names it; a transform switches the rules on that it is another
// name of.
func TestTransformsAndRules(t *testing.T) {
	blank := native("get_weather", "", callwright.FinishCalls)
	free := ask(callwright.Choice{})
	free.Tools = []callwright.Tool{{Name: "get_weather"}}
	byName := func(names ...string) reliable.Option {
		list, err := transform.ByName(names...)
		if err != nil {
			t.Fatal(err)
		}
		return reliable.WithTransforms(list...)
	}
	for name, c := range map[string]struct {
		opts  []reliable.Option
		valid bool
	}{
		"by default":      {nil, true},
		"named":           {[]reliable.Option{byName("openai_compatible_reliability")}, true},
		"named, and off":  {[]reliable.Option{byName("openai_compatible_reliability"), reliable.WithRules(map[string]bool{"json.empty": false})}, false},
		"off":             {[]reliable.Option{reliable.WithRules(map[string]bool{"json.empty": false})}, false},
		"another rule on": {[]reliable.Option{byName("openai_compatible_reliability"), reliable.WithRules(map[string]bool{"name.case": true})}, true},
	} {
		resp, err := reliable.New(&scripted{name: "lab/m", answers: []any{blank}}, append(c.opts, reliable.WithMaxCorrections(0), reliable.WithOneMode())...).Generate(t.Context(), free)
		if valid := err == nil && len(resp.Calls()) == 1; valid != c.valid {
			t.Errorf("%s: valid %v, %v", name, valid, err)
		}
	}
	m := &scripted{name: "lab/m", answers: []any{text("ok")}}
	if _, err := reliable.New(m, reliable.WithTransforms(loud), reliable.WithRules(map[string]bool{"transform.loud": false})).Generate(t.Context(), ask(callwright.Choice{})); err != nil || callwright.TextOf(m.asked[0].Messages[0].Parts) != "Weather in Oslo?" {
		t.Errorf("%v, sent %+v", err, m.asked[0].Messages)
	}
}

// A stepped model tells, at each event, what the client has got.
type stepped struct {
	scripted
	got   *[]string
	after []string // what the client had when each event was asked for
}

func (s *stepped) Batches(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Batch, error] {
	return func(yield func(callwright.Batch, error) bool) {
		for b, err := range s.scripted.Batches(ctx, req) {
			s.after = append(s.after, strings.Join(*s.got, ""))
			b.More = false
			if !yield(b, err) {
				return
			}
		}
	}
}

// A transform of calls holds the calls of a stream and no text; one of answers holds everything; others hold nothing.
func TestWhatTransformsHold(t *testing.T) {
	answer := []callwright.Event{
		callwright.Begin{}, callwright.TextDelta{Text: "I look. "}, callwright.CallBegin{ID: "call_1", Name: "get_weather"}, callwright.CallDelta{Text: `{"city":`},
		callwright.CallDelta{Text: `"Oslo"}`}, callwright.CallEnd{}, callwright.CallBegin{Index: 1, ID: "call_2", Name: "get_weather"}, callwright.CallDelta{Index: 1, Text: oslo},
		callwright.CallEnd{Index: 1}, callwright.End{Finish: callwright.FinishCalls},
	}
	for name, c := range map[string]struct {
		list []transform.Transform
		want []string // what the client had before the last piece of the first call, the second call, and the end
	}{
		"none":     {nil, []string{`I look. ({"city":`, "I look. ({\"city\":\"Oslo\"})", "I look. ({\"city\":\"Oslo\"})({\"city\":\"Oslo\"}"}},
		"messages": {[]transform.Transform{loud, described}, []string{`I look. ({"city":`, "I look. ({\"city\":\"Oslo\"})", "I look. ({\"city\":\"Oslo\"})({\"city\":\"Oslo\"}"}},
		"calls":    {[]transform.Transform{renaming}, []string{"I look. ", "I look. ({\"city\":\"Oslo\"})", "I look. ({\"city\":\"Oslo\"})"}},
		"answers":  {[]transform.Transform{loudAnswer}, []string{"", "", ""}},
	} {
		var got []string
		m := &stepped{scripted: scripted{name: "lab/m", answers: []any{answer}}, got: &got}
		client := reliable.New(m, reliable.WithTransforms(c.list...), reliable.WithStreamCalls(callwright.StreamFlowing))
		for ev, err := range client.Stream(t.Context(), ask(callwright.Choice{})) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			switch ev := ev.(type) {
			case callwright.TextDelta:
				got = append(got, ev.Text)
			case callwright.CallBegin:
				got = append(got, "(")
			case callwright.CallDelta:
				got = append(got, ev.Text)
			case callwright.CallEnd:
				got = append(got, ")")
			}
		}
		if d := cmp.Diff(c.want, []string{m.after[4], m.after[7], m.after[9]}); d != "" {
			t.Errorf("%s: (-want +got)\n%s\nall %q", name, d, m.after)
		}
	}
}

// A stream that breaks off gives its error and nothing that a transform of answers held; the next model is asked.
func TestHeldAnswerThatBreaksOff(t *testing.T) {
	broken := brokenOff{events: text("It is")[:2], err: isDown}
	first, second := &scripted{name: "lab/m", answers: []any{broken}}, &scripted{name: "lab/n", answers: []any{text("It is cold.")}}
	resp, err := deliveries["streamed"](reliable.New(first, reliable.WithFallback(second), reliable.WithTransforms(loudAnswer)), ask(callwright.Choice{}))
	if err != nil || resp.Text() != "IT IS COLD." {
		t.Errorf("got %v, %v", resp, err)
	}
}

// An own is a model with transforms of its own.
type own struct {
	scripted
	set *transformset.Set
}

func (o *own) Transforms() *transformset.Set { return o.set }

// The transforms of a model are made before those of the client, and of no other model.
func TestTransformsOfAModel(t *testing.T) {
	add := func(s string) transform.Transform {
		return transform.OnMessage("add_"+s, func(m callwright.Message) (callwright.Message, error) {
			m.Parts = append(m.Parts, callwright.Text{Text: s})
			return m, nil
		})
	}
	first := &own{scripted{name: "lab/m", answers: []any{isDown}}, transformset.New([]transform.Transform{add("a"), add("b")}, "", nil)}
	second := &scripted{name: "lab/n", answers: []any{text("ok")}}
	if _, err := reliable.New(first, reliable.WithFallback(second), reliable.WithTransforms(add("c"), add("d"))).Generate(t.Context(), ask(callwright.Choice{})); err != nil {
		t.Fatal(err)
	}
	for i, m := range []*scripted{&first.scripted, second} {
		want := []string{"Weather in Oslo?abcd", "Weather in Oslo?cd"}[i]
		if got := callwright.TextOf(m.asked[0].Messages[0].Parts); got != want {
			t.Errorf("%s was sent %q, not %q", m.name, got, want)
		}
	}
}

// What a transform made of an answer teaches nothing about its model.
func TestTransformsTeachNothing(t *testing.T) {
	town := native("get_weather", `{"town":"Oslo"}`, callwright.FinishCalls)
	tagged := transform.OnResponse("tag", func(r callwright.Response) (callwright.Response, error) {
		r.Parts = []callwright.Part{callwright.Text{Text: `<tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}</tool_call>`}}
		return r, nil
	})
	for name, tr := range map[string]transform.Transform{"calls": renaming, "answers": tagged} {
		client := reliable.New(&scripted{name: "lab/m", answers: []any{town}}, reliable.WithTransforms(tr))
		if resp, err := client.Generate(t.Context(), ask(callwright.Choice{})); err != nil || len(resp.Calls()) != 1 {
			t.Fatalf("%s: %+v, %v", name, resp, err)
		}
		if facts, err := client.Facts(t.Context()); err != nil || len(facts) > 0 {
			t.Errorf("%s: learned %+v, %v", name, facts, err)
		}
	}
}

// A transform that is none is an error of the options.
func TestWrongTransforms(t *testing.T) {
	for want, tr := range map[string]transform.Transform{
		"has no function": transform.OnMessage("x", nil), "expected a name": transform.OnTool("Bad Name", func(t callwright.Tool) (callwright.Tool, error) { return t, nil }),
		`got ""`: {},
	} {
		_, err := reliable.New(&scripted{name: "lab/m"}, reliable.WithTransforms(tr)).Generate(t.Context(), ask(callwright.Choice{}))
		if callwright.KindOf(err) != callwright.KindInvalid || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
