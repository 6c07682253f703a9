package toolsearch_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/toolsearch"
)

func anthropic(json string) callwright.Extra {
	return callwright.Extra{Wire: callwright.WireAnthropic, JSON: []byte(json)}
}

func searchTool(kind string) callwright.Tool {
	return callwright.Tool{Name: "tool_search_tool_" + kind, Type: callwright.HostedTool, Extra: anthropic(`{"type":"tool_search_tool_` + kind + `_20251119","name":"tool_search_tool_` + kind + `"}`)}
}

func deferred(name, description, properties string) callwright.Tool {
	return callwright.Tool{Name: name, Description: description, Schema: []byte(`{"type":"object","properties":{` + properties + `}}`), Extra: anthropic(`{"defer_loading":true}`)}
}

// catalogue has tools as servers of the Model Context Protocol have them.
var catalogue = []callwright.Tool{
	deferred("github_create_issue", "Opens an issue in a repository.", `"title":{"type":"string","description":"A short summary."}`),
	deferred("github_list_issues", "Lists the issues of a repository.", `"state":{"type":"string"}`),
	deferred("slackPostMessage", "Posts to a channel.", `"channel":{"type":"string"},"blocks":{"type":"object","properties":{"attachment":{"type":"string","description":"A picture."}}}`),
	deferred("db_query", "Runs SQL against the warehouse.", `"sql":{"type":"string"}`),
	deferred("db_get_user_data", "Reads a user.", ``),
	deferred("db_get_order_data", "Reads an order.", ``),
	deferred("weather", "Tells the forecast for a city.", `"city":{"type":"string"}`),
}

// asked is what a call of a search finds, or why it failed.
func asked(t *testing.T, kind, arguments string) string {
	t.Helper()
	s := toolsearch.Of(append([]callwright.Tool{searchTool(kind)}, catalogue...))
	call := callwright.Call{ID: "call_1", Name: "tool_search_tool_" + kind, Arguments: []byte(arguments)}
	shown, ok := s.Answer(&call)
	if !ok || len(shown) != 2 {
		t.Fatalf("shown %v", shown)
	}
	msgs, n, _ := s.ConvertSearches([]callwright.Message{{Role: callwright.RoleAssistant, Parts: shown}}, asDeclared)
	if n != 1 || len(msgs) != 2 {
		t.Fatalf("%d searches in %v", n, msgs)
	}
	if back := msgs[0].Parts[0].(callwright.Call); !cmp.Equal(back, call) {
		t.Errorf("the call came back as %+v", back)
	}
	if r := msgs[1].Parts[0].(callwright.Result); r.IsError {
		return r.Text()
	}
	return strings.Join(s.FindLoadedTools([]callwright.Message{{Role: callwright.RoleAssistant, Parts: shown}}), " ")
}

func TestSearch(t *testing.T) {
	for _, c := range []struct{ kind, arguments, want string }{
		{"regex", `{"pattern":"weather"}`, "weather"},
		{"regex", `{"pattern":"get_.*_data"}`, "db_get_user_data db_get_order_data"},
		{"regex", `{"pattern":"(?i)SLACK"}`, "slackPostMessage"},
		{"regex", `{"pattern":"^db_"}`, "db_query db_get_user_data db_get_order_data"},
		{"regex", `{"pattern":"issues$|picture"}`, "github_list_issues slackPostMessage"},
		{"regex", `{"pattern":"issue"}`, "github_create_issue github_list_issues"},
		{"regex", `{"pattern":"repository|picture|sql|city"}`, "github_create_issue github_list_issues slackPostMessage db_query weather"},
		{"regex", `{"pattern":"."}`, "github_create_issue github_list_issues slackPostMessage db_query db_get_user_data"},
		{"regex", `{"pattern":"nothing"}`, ""},
		{"regex", `{"pattern":"(?=a)"}`, "Invalid regular expression pattern: invalid or unsupported Perl syntax"},
		{"regex", `{"pattern":"` + strings.Repeat("a", 201) + `"}`, "The pattern is longer than 200 characters."},
		{"bm25", `{"query":"open an issue"}`, "github_create_issue github_list_issues"},
		{"bm25", `{"query":"list Issues"}`, "github_list_issues github_create_issue"},
		{"bm25", `{"query":"post a message to slack"}`, "slackPostMessage"},
		{"bm25", `{"query":"attachments"}`, "slackPostMessage"},
		{"bm25", `{"query":"forecast city"}`, "weather"},
		{"bm25", `{"query":"nothing"}`, ""},
		{"bm25", `{"query":""}`, ""},
		{"bm25", `{"query":"` + strings.Repeat("ä", 501) + `"}`, "The query is longer than 500 characters."},
	} {
		if got := asked(t, c.kind, c.arguments); got != c.want && !(c.kind == "bm25" && strings.HasPrefix(got, c.want) && c.want != "") {
			t.Errorf("%s %s: found %q, want %q", c.kind, c.arguments, got, c.want)
		}
	}
}

// Ids of any characters come back as they were, in the form that the API has for ids of its own.
func TestIDsOfSearches(t *testing.T) {
	s := toolsearch.Of(append([]callwright.Tool{searchTool("bm25")}, catalogue...))
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.SampledFrom([]string{"call_1", "functions.search:0", "call-1", "hex_61", "é", ""}).Draw(t, "id")
		if rapid.Bool().Draw(t, "any") {
			id = rapid.StringOfN(rapid.RuneFrom([]rune("abz09_-.:é")), 0, 12, -1).Draw(t, "text")
		}
		shown, _ := s.Answer(&callwright.Call{ID: id, Name: "tool_search_tool_bm25", Arguments: []byte(`{"query":"issue"}`)})
		served := string(shown[0].(callwright.Opaque).Extra.JSON)
		served, _, _ = strings.Cut(strings.TrimPrefix(served, `{"type":"server_tool_use","id":"`), `"`)
		if rest, ok := strings.CutPrefix(served, "srvtoolu_"); !ok || strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
			t.Errorf("shown as %q", served)
		}
		msgs, _, _ := s.ConvertSearches([]callwright.Message{{Role: callwright.RoleAssistant, Parts: shown}}, asDeclared)
		if back := callwright.CallsOf(msgs[0].Parts)[0]; back.ID != id {
			t.Errorf("%q came back as %q", id, back.ID)
		}
	})
}

// A search without its result stays as it is, and so does a result without its search; what stands between the two stays, too.
func TestHalvesOfSearchesStay(t *testing.T) {
	s := toolsearch.Of(append([]callwright.Tool{searchTool("bm25")}, catalogue...))
	half := func(id string) (search, result callwright.Part) {
		shown, _ := s.Answer(&callwright.Call{ID: id, Name: "tool_search_tool_bm25", Arguments: []byte(`{"query":"issue"}`)})
		return shown[0], shown[1]
	}
	search, result := half("one")
	second, other := half("two")
	said := callwright.Text{Text: "Well."}
	for name, c := range map[string]struct {
		parts    []callwright.Part
		searches int
		stay     []callwright.Part
	}{
		"a search alone":             {[]callwright.Part{said, search}, 0, []callwright.Part{said, search}},
		"a result alone":             {[]callwright.Part{result, said}, 0, []callwright.Part{result, said}},
		"a result before its search": {[]callwright.Part{result, search}, 0, []callwright.Part{result, search}},
		"another's result":           {[]callwright.Part{search, other}, 0, []callwright.Part{search, other}},
		"words between the two":      {[]callwright.Part{search, said, result}, 1, []callwright.Part{said}},
		"only the second has ended":  {[]callwright.Part{search, second, other}, 1, []callwright.Part{search}},
		"a result that came twice":   {[]callwright.Part{search, result, result}, 1, []callwright.Part{result}},
	} {
		msgs, n, _ := s.ConvertSearches([]callwright.Message{{Role: callwright.RoleAssistant, Parts: c.parts}}, asDeclared)
		if n != c.searches {
			t.Errorf("%s: %d searches", name, n)
		}
		var stay []callwright.Part
		for _, m := range msgs {
			for _, p := range m.Parts {
				switch p.(type) {
				case callwright.Call, callwright.Result:
				default:
					stay = append(stay, p)
				}
			}
		}
		if !cmp.Equal(stay, c.stay) {
			t.Errorf("%s: %s", name, cmp.Diff(c.stay, stay))
		}
	}
}

// What comes of the beginning of a history stays as the history grows, and loaded tools only follow those loaded before.
func TestUnfoldedHistoriesGrow(t *testing.T) {
	s := toolsearch.Of(append([]callwright.Tool{searchTool("bm25"), {Name: "ping"}}, catalogue...))
	rapid.Check(t, func(t *rapid.T) {
		var msgs []callwright.Message
		for i := range rapid.IntRange(1, 6).Draw(t, "turns") {
			m := callwright.Message{Role: callwright.RoleAssistant}
			for k := range rapid.IntRange(1, 4).Draw(t, "parts") {
				switch rapid.IntRange(0, 2).Draw(t, "part") {
				case 0:
					m.Parts = append(m.Parts, callwright.Text{Text: fmt.Sprint("said ", i, k)})
				case 1:
					m.Parts = append(m.Parts, callwright.Call{ID: fmt.Sprint("c", i, k), Name: catalogue[k].Name, Arguments: []byte("{}")})
				default:
					shown, _ := s.Answer(&callwright.Call{ID: fmt.Sprint("s", i, k), Name: "tool_search_tool_bm25", Arguments: fmt.Appendf(nil, `{"query":%q}`, catalogue[(i+k)%len(catalogue)].Description)})
					m.Parts = append(m.Parts, shown...)
				}
			}
			msgs = append(msgs, m, callwright.UserText("Go on."))
		}
		whole, _, _ := s.ConvertSearches(msgs, asDeclared)
		loaded := s.FindLoadedTools(msgs)
		for n := range len(msgs) {
			part, _, _ := s.ConvertSearches(msgs[:n], asDeclared)
			if len(part) > len(whole) || !cmp.Equal(part, whole[:len(part)]) {
				t.Fatalf("the first %d messages come to something else:\n%s", n, cmp.Diff(part, whole))
			}
			if plain := slices.IndexFunc(msgs[:n], func(m callwright.Message) bool { return slices.ContainsFunc(m.Parts, toolsearch.IsShown) }) < 0; plain && !slices.Equal(s.FindLoadedTools(msgs[:n]), s.FindCalledTools((&callwright.Request{Messages: msgs[:n]}).Summaries())) {
				t.Fatal("a history without searches loads something else by its shape")
			}
			if had := s.FindLoadedTools(msgs[:n]); len(had) > len(loaded) || !slices.Equal(had, loaded[:len(had)]) {
				t.Fatalf("loaded %v, then %v", had, loaded)
			}
		}
	})
}

// Tools are deferred only where a search could find them.
func TestOf(t *testing.T) {
	ping := callwright.Tool{Name: "ping"}
	for name, c := range map[string]struct {
		tools    []callwright.Tool
		deferred int
	}{
		"no deferred tool":              {[]callwright.Tool{searchTool("bm25"), ping}, 0},
		"with a search":                 {[]callwright.Tool{searchTool("bm25"), catalogue[0]}, 1},
		"with a search of the client's": {[]callwright.Tool{ping, catalogue[0]}, 1},
		"nothing finds them":            {catalogue, 0},
		"of an API without a search":    {[]callwright.Tool{ping, {Name: "f", Extra: callwright.Extra{Wire: callwright.WireOpenAI, JSON: []byte(`{"defer_loading":true}`)}}}, 0},
		"found already":                 {[]callwright.Tool{ping, {Name: "f", Extra: callwright.Extra{Wire: callwright.WireResponses, JSON: []byte(`{"defer_loading":true,"found":true}`)}}}, 0},
		"a search by a taken name":      {[]callwright.Tool{searchTool("bm25"), {Name: "tool_search_tool_bm25"}, catalogue[0]}, 0},
	} {
		if n := toolsearch.Of(c.tools).DeferredCount(); n != c.deferred {
			t.Errorf("%s: %d tools are deferred", name, n)
		}
	}
}

// A search that a model asks for ends soon, whatever it asks for.
func TestSearchesEnd(t *testing.T) {
	responses := func(json string) callwright.Extra {
		return callwright.Extra{Wire: callwright.WireResponses, JSON: []byte(json)}
	}
	patterns, groups := []callwright.Tool{searchTool("regex")}, []callwright.Tool{{Name: "tool_search", Type: callwright.HostedTool, Extra: responses(`{"type":"tool_search"}`)}}
	for i := range 2000 {
		patterns = append(patterns, deferred(fmt.Sprintf("tool_%d", i), strings.Repeat("some words about it ", 50), ""))
		groups = append(groups, callwright.Tool{Name: fmt.Sprintf("g_%d", i), Extra: responses(fmt.Sprintf(`{"defer_loading":true,"name":"%d","namespace":{"name":"g"}}`, i))})
	}
	for _, c := range []struct {
		tools     []callwright.Tool
		arguments string
		want      string
	}{
		{patterns, `{"pattern":"` + strings.Repeat("[^0]{0,999}", 17) + `Z"}`, "repeats too much"},
		{patterns, `{"pattern":"` + strings.Repeat("[^0]?", 38) + `Z|_77$"}`, `"tool_77"`},
		{groups, `{"paths":[` + strings.Repeat(`"g",`, 20_000) + `"g"]}`, `"name":"1999"`},
		{groups, `{"paths":["` + strings.Repeat("g ", 1000) + `"]}`, `"tools":[]`},
	} {
		start := time.Now()
		shown, _ := toolsearch.Of(c.tools).Answer(&callwright.Call{ID: "call_1", Name: c.tools[0].Name, Arguments: []byte(c.arguments)})
		if got := string(shown[1].(callwright.Opaque).Extra.JSON); !strings.Contains(got, c.want) || time.Since(start) > time.Minute {
			t.Errorf("%.40s: %.200s after %v", c.arguments, got, time.Since(start))
		}
	}
}

// asDeclared sends tools under their own names.
func asDeclared(name string) string { return name }
