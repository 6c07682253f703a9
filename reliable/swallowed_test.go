package reliable_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable"
	"pgregory.net/rapid"
)

// tagFormats are the formats with an element, or tokens, for each argument.
var tagFormats = []string{
	"anthropic_invoke", "qwen3_coder", "seed_oss", "step3p5", "nemotron3", "minicpm5_xml", "minimax_m2", "minimax_m3", "dots", "step3", "deepseek_v32", "deepseek_v4",
	"gigachat35", "muse_glimmer", "kimi_k3", "glm45", "glm47", "ling3", "poolside_v1", "hy_v3", "hy_v4", "k2_horizon", "solar_open2",
}

// A swallowing is a call whose first argument holds all behind it, as a server reads it that misses the end of that argument.
type swallowing struct {
	schema string
	first  string     // the value of the first argument
	rest   jsonx.List // the arguments behind it
	closer string     // of the first argument, as it stands in its value
	tail   string     // all behind it
	intact string     // the arguments as they were meant
}

// drawSwallowing draws a tool, a call of it in a format, and how much of the call its first argument holds.
func drawSwallowing(t *rapid.T, format string) swallowing {
	f, _ := dialect.Lookup(format)
	kinds := map[string]func() any{
		`{"type":"string"}`: func() any {
			return rapid.SampledFrom([]string{"append", "two words", "a < b", "x\ny", "7"}).Draw(t, "text")
		},
		`{"type":"integer"}`: func() any { return rapid.IntRange(-5, 1<<40).Draw(t, "number") },
		`{"type":"boolean"}`: func() any { return rapid.Bool().Draw(t, "boolean") },
		`{"type":"array","items":{"type":"string"}}`: func() any {
			return rapid.SampledFrom([][]string{{}, {"a"}, {"a", "b c"}}).Draw(t, "list")
		},
	}
	names := slices.Sorted(func(yield func(string) bool) {
		for k := range kinds {
			if !(format == "minimax_m3" && strings.Contains(k, "array")) && !yield(k) { // its lists are elements
				return
			}
		}
	})
	s := swallowing{first: "§" + rapid.SampledFrom([]string{"Monday.", "if a < b { }", "<p>one</p>\n<p>two</p>", "a </b> c", "x &amp; y"}).Draw(t, "first")}
	s.schema = `{"type":"object","properties":{"content":{"type":"string"}`
	required := []string{"content"}
	args := jsonx.List{{Key: "content", Value: jsonx.AppendQuote(nil, s.first)}}
	for i := range rapid.IntRange(1, 3).Draw(t, "parameters") {
		kind := rapid.SampledFrom(names).Draw(t, "kind")
		key := []string{"tags", "mode", "line_number"}[i]
		s.schema += `,"` + key + `":` + kind
		if rapid.Bool().Draw(t, "required") {
			required = append(required, key)
		}
		value, _ := json.Marshal(kinds[kind]())
		args = append(args, jsonx.Member{Key: key, Value: value})
	}
	list, _ := json.Marshal(required)
	s.schema += `},"required":` + string(list) + `}`
	s.rest, s.intact = args[1:], string(args.Append(nil))

	text := f.RenderCalls([]dialect.RenderedCall{{Name: "write", ID: "call_1", Arguments: []byte(s.intact)}})
	text = text[strings.Index(text, s.first):]
	last := s.rest[len(s.rest)-1].Value
	plain, isText := jsonx.String(last)
	if !isText {
		plain = string(last)
	}
	if rapid.Bool().Draw(t, "up to the last value") {
		text = text[:strings.LastIndex(text, plain)+len(plain)]
	}
	text = text[len(s.first):]
	s.closer = regexp.MustCompile(`^\n?(?:\]<\]minimax\[>\[)?(?:</[^<>]*>|<\|tool_arg:end\|>|<\|close\|>argument<\|sep\|>)`).FindString(text)
	if s.tail = text[len(s.closer):]; strings.Contains(s.closer, "</") && rapid.Bool().Draw(t, "closed by its name") {
		s.closer = "</content>"
	}
	return s
}

// held is the first value with the rest in it.
func (s *swallowing) held() string { return s.first + s.closer + s.tail }

// anyStream are the ways in which calls of streams may leave.
var anyStream = []callwright.StreamCalls{callwright.StreamAuto, callwright.StreamHeld, callwright.StreamFlowing}

// writes asks a model that answers with a native call of these arguments, whole or streamed in one of these ways.
func writes(t *rapid.T, schema string, args []byte, ways ...callwright.StreamCalls) (*callwright.Response, error) {
	m := &scripted{name: "lab/m", answers: []any{native("write", string(args), callwright.FinishCalls)}}
	c := reliable.New(m, reliable.WithMaxCorrections(0), reliable.WithOneMode(), reliable.WithStreamCalls(rapid.SampledFrom(ways).Draw(t, "way")))
	req := ask(callwright.Choice{})
	req.Tools = []callwright.Tool{{Name: "write", Schema: []byte(schema)}}
	if rapid.Bool().Draw(t, "streamed") {
		return callwright.Collect(c.Stream(t.Context(), req))
	}
	return c.Generate(t.Context(), req)
}

func hasRule(notes []callwright.Note, rule string) bool {
	return slices.ContainsFunc(notes, func(n callwright.Note) bool { return n.Rule == rule })
}

// A value that holds the rest of its own call, in any format with tags, is split: no other argument is lost, and a note tells of it.
func TestSwallowed(t *testing.T) {
	for _, format := range tagFormats {
		t.Run(format, rapid.MakeCheck(func(t *rapid.T) {
			s := drawSwallowing(t, format)
			args := append(jsonx.AppendQuote([]byte(`{"content":`), s.held()), '}')
			resp, err := writes(t, s.schema, args, callwright.StreamHeld)
			if err != nil || len(resp.Calls()) != 1 || !jsonx.Equal(resp.Calls()[0].Arguments, []byte(s.intact)) {
				t.Fatalf("%s with %s\nexpected %s\ngot %v", args, s.schema, s.intact, outcome(resp, err))
			}
			i := slices.IndexFunc(resp.Report.Notes, func(n callwright.Note) bool { return n.Rule == "normalise.swallowed" })
			if i < 0 || resp.Report.Notes[i].Risk != callwright.RiskImplied || resp.Report.Notes[i].Fault != "F60" || resp.Report.Notes[i].Path != "/content" {
				t.Fatalf("no note on it in %+v", resp.Report.Notes)
			}
		}))
	}
}

// What is not exactly the rest of the call stays in the value, byte for byte, and a finding tells of it.
func TestNotSwallowed(t *testing.T) {
	spoil := map[string]func(s *swallowing) jsonx.List{
		"text behind it": func(s *swallowing) jsonx.List {
			if !strings.HasSuffix(s.tail, ">") {
				s.tail += "</parameter>"
			}
			s.tail += " and so on"
			return nil
		},
		"a parameter is given": func(s *swallowing) jsonx.List { return s.rest[:1] },
		"no closer":            func(s *swallowing) jsonx.List { s.closer = ""; return nil },
		"an unknown parameter": func(s *swallowing) jsonx.List {
			s.tail = strings.ReplaceAll(s.tail, s.rest[0].Key, "x"+s.rest[0].Key)
			return nil
		},
		"text before an opener": func(s *swallowing) jsonx.List { s.closer += " then "; return nil },
		"a closer of another":   func(s *swallowing) jsonx.List { s.closer = "</other>"; return nil },
	}
	for name, change := range spoil {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			format := rapid.SampledFrom(tagFormats).Draw(t, "format")
			if format == "minimax_m3" { // its marks are tags like any other
				format = "minimax_m2"
			}
			s := drawSwallowing(t, format)
			given := change(&s)
			args := append(jsonx.List{{Key: "content", Value: jsonx.AppendQuote(nil, s.held())}}, given...).Append(nil)
			schema := regexp.MustCompile(`"required":.*`).ReplaceAllString(s.schema, `"required":["content"]}`)
			resp, err := writes(t, schema, args, anyStream...)
			if err != nil || len(resp.Calls()) != 1 || string(resp.Calls()[0].Arguments) != string(args) {
				t.Fatalf("%s with %s\ngot %v", args, schema, outcome(resp, err))
			}
			if !hasRule(resp.Report.Notes, "judge.swallowed") || resp.Confidence >= 1 {
				t.Fatalf("%s with %s\nno finding in %+v, confidence %v", args, schema, resp.Report.Notes, resp.Confidence)
			}
		}))
	}
}

// A value that shows a call of its own tool, or only parts of one, is no swallowed call: nothing is changed, nothing is found.
func TestShownInValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, _ := dialect.Lookup(rapid.SampledFrom(tagFormats).Draw(t, "format"))
		shown := f.RenderCalls([]dialect.RenderedCall{{Name: "write", ID: "call_1", Arguments: []byte(`{"path":"a","content":"b","mode":"append"}`)}})
		text := rapid.SampledFrom([]string{shown, "# Format\n\n" + shown, shown + "\nis a call.", shown + "\n" + shown, "<body>\n<title>x</title></body>", "<content>a</content><mode>b</mode>"}).Draw(t, "text")
		args := append(jsonx.AppendQuote([]byte(`{"path":"format.md","content":`), text), '}')
		resp, err := writes(t, `{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"},"mode":{"type":"string"},"title":{"type":"string"}},"required":["path","content"]}`, args, anyStream...)
		if err != nil || len(resp.Calls()) != 1 || string(resp.Calls()[0].Arguments) != string(args) || resp.Confidence != 1 || len(resp.Report.Notes) > 0 {
			t.Fatalf("%s: %v, confidence %v, notes %+v", args, outcome(resp, err), resp.Confidence, resp.Report.Notes)
		}
	})
}

// A key that is a declared one with marks around it is that one.
func TestMarkedKey(t *testing.T) {
	const schema = `{"type":"object","properties":{"path":{"type":"string"},"depth":{"type":"integer"}},"required":["path"]}`
	for _, c := range []struct{ args, want, rule string }{
		{`{"path</arg_key>":"/srv"}`, `{"path":"/srv"}`, "normalise.marked_key"},
		{`{"<arg_key>path":"/srv","depth":1}`, `{"path":"/srv","depth":1}`, "normalise.marked_key"},
		{`{"path\">":"/srv","<parameter=depth":"2"}`, `{"path":"/srv","depth":2}`, "normalise.marked_key"},
		{`{"path":"/srv","depth >":2}`, `{"path":"/srv","depth":2}`, "normalise.marked_key"},
		{`{"path</arg_value>":"/srv</arg_value><arg_key>depth</arg_key><arg_value>3"}`, `{"path":"/srv","depth":3}`, "normalise.swallowed"},
		{`{"path":"/srv","path</arg_key>":"/etc"}`, `{"path":"/srv","path</arg_key>":"/etc"}`, "judge.swallowed"},
		{`{"path":"/srv","a<b":1}`, `{"path":"/srv","a<b":1}`, ""},
	} {
		rapid.Check(t, func(t *rapid.T) {
			resp, err := writes(t, schema, []byte(c.args), callwright.StreamHeld)
			if err != nil || len(resp.Calls()) != 1 || string(resp.Calls()[0].Arguments) != c.want || (c.rule == "") != (len(resp.Report.Notes) == 0) ||
				c.rule != "" && !hasRule(resp.Report.Notes, c.rule) {
				t.Fatalf("%s: %v, notes %+v", c.args, outcome(resp, err), reportOf(resp, err).Notes)
			}
		})
	}
}
