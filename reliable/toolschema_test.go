package reliable_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/factlist"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/reliable"
)

// What the cases of TestRefusedToolSchemas are made of.
var (
	byName  = &callwright.Error{Kind: callwright.KindSchema, Feature: feature.ToolSchema + "get.time", Message: "Invalid schema for function 'get.time'"}
	byPlace = &callwright.Error{Kind: callwright.KindSchema, Feature: feature.ToolSchema + "/tools/1", Message: "tools.1.custom.input_schema: no"}
)

// refusedToolSchemasCases are those of TestRefusedToolSchemas.
var refusedToolSchemasCases = map[string]struct {
	provider string
	wire     callwright.WireName
	help     string // whether the model needs help: its tools are strict then
	steps    []any
	want     []string // of each tool of each body: strict, plain, open, or empty: open without words for it
	facts    string   // MARK stands for the mark of the tool
}{
	"strict":              {"openai", callwright.WireOpenAI, "yes", []any{byName, goodCall}, []string{"strict strict", "strict plain"}, "loose_tools=MARK"},
	"strict, by place":    {"anthropic", callwright.WireAnthropic, "yes", []any{byPlace, goodCall}, []string{"strict strict", "strict plain"}, "loose_tools=MARK"},
	"not strict":          {"lab", callwright.WireOpenAI, "no", []any{byPlace, goodCall}, []string{"plain plain", "plain open"}, "open_tools=MARK"},
	"refused again":       {"openai", callwright.WireOpenAI, "yes", []any{byName, byPlace, goodCall, goodCall}, []string{"strict strict", "strict plain", "open", "strict open"}, "loose_tools=MARK open_tools=MARK"},
	"refused to the last": {"lab", callwright.WireOpenAI, "no", []any{byPlace, byPlace, byPlace, byPlace}, []string{"plain plain", "plain open", "open", "plain", "plain"}, ""},
}

// A provider that refuses the schema of one tool gets that tool without strict, and where that was not enough with its schema in the
// description. Refused in that form too, alone in a probe, it is left out. The others stay as they are, and it is remembered.
func TestRefusedToolSchemas(t *testing.T) {
	for name, c := range refusedToolSchemasCases {
		t.Run(name, func(t *testing.T) {
			p, err := provider.New(provider.Config{Name: c.provider, Wire: c.wire, BaseURL: "http://127.0.0.1:1", APIKey: provider.NewSecret("k")})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(p.Close)
			m := &codecModel{Remote: p.Model("claude-sonnet-4-5"), steps: c.steps}
			capsStore := caps.NewMemory(nil)
			options := []reliable.Option{reliable.WithCapsStore(capsStore), reliable.WithFacts(caps.Fact{Key: "needs_help", Value: c.help}, caps.Fact{Key: "strict_tools", Value: "yes"}, caps.Fact{Key: "name_max", Value: "64"}), reliable.WithOneMode()}
			req := ask(callwright.Choice{})
			req.Tools = append(req.Tools[:1:1], callwright.Tool{Name: "get.time", Schema: []byte(`{"type":"object","properties":{"zone":{"type":"string"}},"required":["zone"]}`)})
			resp, err := reliable.New(m, options...).Generate(t.Context(), req)
			if _, refused := c.steps[len(c.steps)-1].(*callwright.Error); (err != nil) != refused {
				t.Fatal(err)
			}
			var got []string
			for _, b := range m.bodies {
				got = append(got, strictness(b))
			}
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			var facts []string
			known, _ := capsStore.Facts(t.Context(), string(m.ID()))
			for _, f := range known {
				if strings.HasSuffix(f.Key, "_tools") {
					facts = append(facts, f.Key+"="+f.Value)
				}
			}
			if strings.Join(facts, " ") != strings.ReplaceAll(c.facts, "MARK", factlist.ToolMark("get.time", req.Tools[1].Schema)) {
				t.Errorf("learned %q", facts)
			}
			if c.facts == "" {
				return
			}
			if len(resp.Calls()) != 1 {
				t.Errorf("got %d calls", len(resp.Calls()))
			}
			m.bodies, m.steps = nil, []any{goodCall}
			if _, err := reliable.New(m, options...).Generate(t.Context(), req); err != nil || strictness(m.bodies[0]) != c.want[len(c.want)-1] {
				t.Errorf("it was forgotten: %v, %q", err, m.bodies)
			}
		})
	}
}

// strictness says of each tool of a body whether it is strict, or open to any arguments.
func strictness(body string) string {
	var out []string
	list, _ := jsonx.Find([]byte(body), "tools")
	for v := range jsonx.Elements(list) {
		if f, ok := jsonx.Find(v, "function"); ok {
			v = f
		}
		strict, _ := jsonx.Find(v, "strict")
		switch {
		case jsonx.IsTrue(strict):
			out = append(out, "strict")
		case strings.Contains(string(v), `"additionalProperties":true`):
			out = append(out, "open")
		case strings.Contains(string(v), `"properties":{}`):
			out = append(out, "empty")
		default:
			out = append(out, "plain")
		}
	}
	return strings.Join(out, " ")
}
