package provider_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/provider"
)

func TestModels(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want map[callwright.ModelID]caps.Caps
	}{
		"plain": {`{"object":"list","data":[{"id":"m-2","object":"model"},{"id":"m-1"}]}`,
			map[callwright.ModelID]caps.Caps{"lab/m-1": {}, "lab/m-2": {}}},
		"bare list": {`[{"id":"org/m","context_length":4096}]`, map[callwright.ModelID]caps.Caps{"lab/org/m": {MaxContext: 4096}}},
		"by name":   {`{"models":[{"name":"m:7b"}]}`, map[callwright.ModelID]caps.Caps{"lab/m:7b": {}}},
		"parameters": {`{"data":[{"id":"a/b","context_length":1000,"top_provider":{"max_completion_tokens":50},` +
			`"architecture":{"input_modalities":["text","image"]},"supported_parameters":["tools","tool_choice","structured_outputs"]},` +
			`{"id":"c","supported_parameters":["seed"]}]}`,
			map[callwright.ModelID]caps.Caps{
				"lab/a/b": {MaxContext: 1000, MaxOutput: 50, Images: caps.Yes, Tools: caps.Yes, ChoiceField: caps.Yes,
					JSONSchema: caps.Yes, JSONObject: caps.No, ParallelField: caps.No},
				"lab/c": {Tools: caps.No, ChoiceField: caps.No, JSONSchema: caps.No, JSONObject: caps.No, ParallelField: caps.No},
			}},
		"answers": {`{"data":[{"id":"m","max_context_length":32000,"capabilities":{"function_calling":false,"vision":true}}]}`,
			map[callwright.ModelID]caps.Caps{"lab/m": {MaxContext: 32000, Tools: caps.No, Images: caps.Yes}}},
		"details": {`{"data":[{"id":"m","max_input_tokens":200000,"max_tokens":64000,"capabilities":` +
			`{"structured_outputs":{"supported":true},"image_input":{"supported":false},"thinking":{}}}]}`,
			map[callwright.ModelID]caps.Caps{"lab/m": {MaxContext: 200000, MaxOutput: 64000, JSONSchema: caps.Yes, Images: caps.No}}},
		"abilities": {`{"data":[{"id":"m","capabilities":["tool_use"]}]}`,
			map[callwright.ModelID]caps.Caps{"lab/m": {Tools: caps.Yes}}},
		"listed twice, no abilities that matter": {`{"models":[{"name":"m.gguf","model":"m.gguf","capabilities":["completion"]}],` +
			`"object":"list","data":[{"id":"m.gguf","object":"model","owned_by":"llamacpp","meta":{"n_ctx_train":131072,"n_ctx":8192,"n_embd":896}}]}`,
			map[callwright.ModelID]caps.Caps{"lab/m.gguf": {MaxContext: 8192}}},
		"with a prefix": {`{"models":[{"name":"models/gem-1","inputTokenLimit":1048576,"outputTokenLimit":65536}]}`,
			map[callwright.ModelID]caps.Caps{"lab/gem-1": {MaxContext: 1048576, MaxOutput: 65536}}},
		"odd entries": {`{"data":[{"id":"m","context_length":"many"},{"no":"name"},7,{"id":"n","max_model_len":8192}]}`,
			map[callwright.ModelID]caps.Caps{"lab/m": {}, "lab/n": {MaxContext: 8192}}},
	} {
		t.Run(name, func(t *testing.T) {
			m, s := scripted(t, "lab", reply{body: c.body})
			list, err := m.Provider().Models(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			got := map[callwright.ModelID]caps.Caps{}
			if len(list) != len(c.want) {
				t.Errorf("got %v", list)
			}
			for i, l := range list {
				if i > 0 && list[i-1].Model >= l.Model {
					t.Error("not in order")
				}
				got[l.Model] = l.Caps
			}
			for id, known := range c.want {
				c.want[id] = known.From(caps.Discovered)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
			if s.last.Method != "GET" || s.last.URL.Path != "/v1/models" || s.last.Header.Get("Authorization") != "Bearer "+testKey {
				t.Errorf("%s %s", s.last.Method, s.last.URL)
			}
		})
	}
}

func TestModelsFails(t *testing.T) {
	for body, kind := range map[string]callwright.Kind{`"?"`: callwright.KindBadAnswer, `<html>`: callwright.KindBadAnswer} {
		m, _ := scripted(t, "lab", reply{body: body})
		if _, err := m.Provider().Models(context.Background()); callwright.KindOf(err) != kind {
			t.Errorf("%s: %v", body, err)
		}
	}
	m, _ := scripted(t, "lab", reply{status: 401, body: `{"error":{"message":"bad key"}}`})
	if _, err := m.Provider().Models(context.Background()); callwright.KindOf(err) != callwright.KindAuth {
		t.Errorf("got %v", err)
	}
}

// Whatever stands in a list, reading it ends, and every listing has a name.
func FuzzModels(f *testing.F) {
	for _, body := range []string{
		`{"data":[{"id":"a","capabilities":{"vision":{"supported":null}}}]}`, `[{"name":"b","supported_parameters":null}]`,
		`{"models":[{"id":"c","top_provider":null,"architecture":null,"capabilities":[1]}]}`, `{"data":{}}`, `null`, ``,
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		m, _ := scripted(t, "lab", reply{body: body})
		list, err := m.Provider().Models(context.Background())
		if err != nil && callwright.KindOf(err) != callwright.KindBadAnswer {
			t.Errorf("got %v", err)
		}
		for _, l := range list {
			if _, name := l.Model.Split(); name == "" {
				t.Errorf("a model without a name in %q", body)
			}
		}
	})
}

func ExampleRows() {
	for _, r := range provider.Rows()[:3] {
		fmt.Println(r.Name, r.Wire, r.Key)
	}
	// Output:
	// openai openai OPENAI_API_KEY
	// anthropic anthropic ANTHROPIC_API_KEY
	// groq openai GROQ_API_KEY
}
