package config_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/config"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// everySet is an environment in which every variable is set: to the path of a file of credentials where its name says so, else to a text that may be a key and
// an address.
func everySet(name string) (string, bool) {
	if strings.HasSuffix(name, "_FILE") || strings.HasSuffix(name, "_PATH") || name == "GOOGLE_APPLICATION_CREDENTIALS" {
		return "testdata/import/credentials.json", true
	}
	return "https://set.openai.azure.com", true
}

// imported imports a text.
func imported(t interface {
	Helper()
	Fatal(...any)
}, dir, text string) *config.Imported {
	t.Helper()
	file := filepath.Join(dir, "theirs")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := config.Import(file)
	if err != nil {
		t.Fatal(err, text)
	}
	return got
}

// TestImport: what becomes of files of other programs, in testdata/import: each input with the configuration and what is listed as missing. Each
// result is a configuration without errors and warnings where the variables are set that it names.
func TestImport(t *testing.T) {
	files, _ := filepath.Glob("testdata/import/*.in")
	if len(files) == 0 {
		t.Fatal("no files")
	}
	for _, file := range files {
		got, err := config.Import(file)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		golden := strings.TrimSuffix(file, ".in") + ".txt"
		text := string(got.Text) + "\n" + strings.Join(got.Missing, "\n") + "\n"
		if *update {
			if err := os.WriteFile(golden, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, _ := os.ReadFile(golden)
		if diff := cmp.Diff(string(want), text); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
		if got.Text == nil {
			continue
		}
		if c, err := config.Parse(got.Text, everySet); err != nil {
			t.Errorf("%s: %v", file, err)
		} else if len(c.Warnings()) > 0 {
			t.Errorf("%s: %v", file, c.Warnings())
		}
	}
}

// object is a mapping of a generated file.
type object = map[string]any

// secretText begins every secret that stands in a generated file.
const secretText = "sk-clear-"

// A theirs generates configurations of LiteLLM.
type theirs struct{ t *rapid.T }

func (g theirs) pick(label string, of ...string) string {
	return rapid.SampledFrom(of).Draw(g.t, label)
}

func (g theirs) maybe(label string) bool { return rapid.Bool().Draw(g.t, label) }

// group is the name of a model group.
func (g theirs) group() string {
	return g.pick("group", "fast", "slow", "gpt-4", "openai/gpt-4o", "groq/llama", "azure/gpt", "*", "openai/*", "groq/*", "mine/*", "claude-*", "my model: \"x\"", "${HOME}", "yes", "7", "a/b/c", "ünï", "fast-2")
}

func (g theirs) secret() string {
	n := fmt.Sprint(rapid.IntRange(1, 3).Draw(g.t, "secret"))
	return g.pick("form", "os.environ/KEY_"+n, "os.environ/OPENAI_API_KEY", secretText+n, "${KEY_"+n+"}", "none", "")
}

func (g theirs) params() object {
	p := object{"model": g.pick("model", "openai/gpt-4o", "gpt-4o", "azure/gpt", "azure/gpt5_series/gpt", "groq/llama", "anthropic/claude-x", "claude-x", "openai/*", "groq/*", "*", "ollama/qwen:7b", "together_ai/a/b",
		"hosted_vllm/m", "openrouter/a/b", "gemini/g", "bedrock/x", "bedrock/us.anthropic.claude-x-v1:0", "bedrock/converse/us-west-2/anthropic.claude-x", "bedrock/openai.gpt-oss-20b-1:0",
		"bedrock/*", "vertex_ai/x", "vertex_ai/gemini-x", "vertex_ai/claude-x@1", "vertex_ai/meta/llama-x-maas", "azure_ai/claude-x", "azure_ai/grok", "nobody/x", "", "azure/", "openai/responses/gpt-5", "fireworks_ai/f", "nvidia_nim/n", "openai/gpt: #\"4\"")}
	if g.maybe("base") {
		p["api_base"] = g.pick("api_base", "https://a.openai.azure.com/", "https://b.openai.azure.com/openai/deployments/x", "http://127.0.0.1:8000/v1", "https://llm.example.com/v1/chat/completions", "https://openrouter.ai/api/v1", "https://groq.example.com",
			"os.environ/LAB_URL", "https://u:"+secretText+"9@h.test/v1", "https://h.test/v1?key="+secretText+"8", "not an address", "https://apim.example.com/x")
	}
	if g.maybe("version") {
		p["api_version"] = "2024-02-01"
	}
	p["api_key"] = g.secret()
	for _, m := range []struct {
		key    string
		values []any
	}{
		{"temperature", []any{0.2, "0.5", "hot", -1}}, {"max_tokens", []any{100, 1.5}}, {"seed", []any{7}}, {"stop", []any{"END", []string{"a", "b"}}}, {"reasoning_effort", []any{"low", "odd"}},
		{"rpm", []any{10}}, {"timeout", []any{30, 0.5, "x"}}, {"aws_region_name", []any{"us-east-1", "os.environ/REGION", "${X}", "a b"}}, {"aws_access_key_id", []any{"os.environ/AWS_ACCESS_KEY_ID", "os.environ/KEY_1", secretText + "10"}},
		{"aws_secret_access_key", []any{"os.environ/AWS_SECRET_ACCESS_KEY", secretText + "11"}}, {"aws_role_name", []any{"arn:aws:iam::1:role/x"}}, {"aws_profile_name", []any{"x"}}, {"aws_bedrock_runtime_endpoint", []any{"https://vpc.example.com", "x"}},
		{"vertex_project", []any{"p", "os.environ/PROJECT"}}, {"vertex_location", []any{"us-east5"}}, {"vertex_credentials", []any{"os.environ/CREDENTIALS", "{\"private_key\": \"" + secretText + "12\"}", object{"private_key": secretText + "13"}}},
		{"tenant_id", []any{"t", "os.environ/AZURE_TENANT_ID"}}, {"client_secret", []any{secretText + "14", "os.environ/AZURE_CLIENT_SECRET", "os.environ/KEY_2"}}, {"azure_ad_token", []any{secretText + "15"}}, {"num_retries", []any{3}}, {"drop_params", []any{true}}, {"organization", []any{"org-1"}}, {"mock_response", []any{"x"}},
		{"extra_headers", []any{object{"X-Key": secretText + "7", "X-Title": "app", "Authorization": "os.environ/KEY_1"}}}, {"headers", []any{object{"bad name": "x"}}},
		{"extra_body", []any{object{"top_a": 0.5, "api_key": secretText + "6", "provider": object{"order": []string{"x", "${HOME}"}}, "messages": []string{}}}},
	} {
		if rapid.IntRange(0, 3).Draw(g.t, m.key) == 0 {
			p[m.key] = rapid.SampledFrom(m.values).Draw(g.t, m.key)
		}
	}
	return p
}

func (g theirs) chain() []object {
	var out []object
	for range rapid.IntRange(0, 3).Draw(g.t, "chains") {
		out = append(out, object{g.group(): []any{g.group(), g.group()}})
	}
	return out
}

func (g theirs) file() object {
	var list []any
	for range rapid.IntRange(1, 6).Draw(g.t, "deployments") {
		list = append(list, object{"model_name": g.group(), "litellm_params": g.params(), "model_info": object{"mode": "chat", "supports_vision": true, "id": g.group()}})
	}
	return object{
		"model_list":      list,
		"router_settings": object{"fallbacks": g.chain(), "model_group_alias": object{g.group(): g.group()}, "routing_strategy": "simple-shuffle", "redis_password": secretText + "5"},
		"litellm_settings": object{"fallbacks": g.chain(), "context_window_fallbacks": g.chain(), "default_fallbacks": []any{g.group()}, "num_retries": 2, "request_timeout": 600, "max_budget": 10, "budget_duration": g.pick("budget_duration", "30d", "1d", "7d"), "allowed_fails": 3,
			"cooldown_time": g.pick("cooldown_time", "30", "0.5", "0", "x"), "enable_azure_ad_token_refresh": g.maybe("refresh")},
		"general_settings": object{"master_key": g.secret(), "database_url": "postgres://u:" + secretText + "4@h/db"},
	}
}

// TestImportLiteLLM: whatever a configuration of LiteLLM says, the result is one of ours without errors and warnings where its variables are set; no secret
// of the file stands in it or in what is listed as missing; and each group that was taken asks the model of its first deployment.
func TestImportLiteLLM(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		file := theirs{t}.file()
		text, err := json.MarshalIndent(file, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		got := imported(t, dir, string(text))
		if all := string(got.Text) + strings.Join(got.Missing, "\n"); strings.Contains(all, secretText) {
			t.Fatalf("a secret in the clear:\n%s\n%s", text, all)
		}
		if got.Text == nil {
			return
		}
		c, err := config.Parse(got.Text, everySet)
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, text, got.Text)
		}
		if len(c.Warnings()) > 0 {
			t.Fatalf("%v\n%s", c.Warnings(), got.Text)
		}
		r, err := config.NewRegistry(c, config.WithEnv(everySet))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		asked := map[string]string{} // the first deployment of each group, by the last part of its model
		for _, d := range file["model_list"].([]any) {
			group, model := d.(object)["model_name"].(string), d.(object)["litellm_params"].(object)["model"].(string)
			if _, known := asked[group]; !known && !strings.Contains(group, "*") && !strings.Contains(strings.Join(got.Missing, "\n"), "model "+group+" ") && !strings.Contains(strings.Join(got.Missing, "\n"), fmt.Sprintf("model %q ", group)) {
				asked[group] = model[strings.LastIndex(model, "/")+1:]
			}
		}
		for group, model := range asked {
			client, err := r.Resolve(group)
			if err != nil {
				t.Fatalf("%s: %v\n%s", group, err, got.Text)
			}
			plan, err := client.Explain(t.Context(), weather(group))
			if err != nil {
				t.Fatalf("%s: %v\n%s", group, err, got.Text)
			}
			if id := string(plan.Chain[0].Model); model != "*" && !strings.HasSuffix(id, "/"+model) {
				t.Fatalf("%s: asks %s, want %s\n%s\n%s", group, id, model, text, got.Text)
			}
		}
	})
}

// routerFile generates configurations of claude-code-router.
func (g theirs) routerFile() object {
	names := []string{"openrouter", "deepseek", "ollama", "claude-x", "my lab", "sim", "ünï", "Groq"}
	models := []string{"m", "a/b", "m:free", "x,y", "${M}"}
	route := func(label string) string {
		return rapid.SampledFrom(names).Draw(g.t, label) + "," + rapid.SampledFrom(models).Draw(g.t, label)
	}
	var list []any
	for range rapid.IntRange(0, 4).Draw(g.t, "providers") {
		uses := []any{g.pick("use", "openrouter", "gemini", "Anthropic", "tooluse", "cleancache", "mine"), []any{"maxtoken", object{"max_tokens": 100}}, []any{"openrouter", object{"title": "t", "providerOrder": []any{"x"}}}}
		list = append(list, object{
			"name": rapid.SampledFrom(names).Draw(g.t, "name"), "api_key": g.secret(), "models": models,
			"api_base_url": g.pick("base", "https://openrouter.ai/api/v1/chat/completions", "http://localhost:11434/v1/chat/completions", "https://h.test/v1beta/models/", "https://h.test/v1/messages", "https://h.test/v1/responses", "https://u:"+secretText+"3@h.test", "nowhere", "$BASE"),
			"transformer":  object{"use": uses[:rapid.IntRange(0, len(uses)).Draw(g.t, "uses")], g.pick("own", models...): object{"use": []any{[]any{"sampling", object{"temperature": 0.5}}}}},
		})
	}
	router := object{"longContextThreshold": 60000}
	for _, key := range []string{"default", "background", "think", "longContext", "webSearch", "fallback"} {
		if g.maybe(key) {
			router[key] = route(key)
		}
	}
	out := object{"Providers": list, "Router": router, "APIKEY": g.secret(), "PROXY_URL": "http://" + secretText + "2@h"}
	if g.maybe("host") {
		out["HOST"] = g.pick("HOST", "0.0.0.0", "127.0.0.1", "localhost", "::1", "", "a b")
		out["PORT"] = rapid.SampledFrom([]any{3456, "8080", 99999, "x", nil}).Draw(g.t, "PORT")
		out["API_TIMEOUT_MS"] = rapid.SampledFrom([]any{600000, "100", 0, "x"}).Draw(g.t, "API_TIMEOUT_MS")
	}
	return out
}

// TestImportRouter: whatever a configuration of claude-code-router says, the result is one of ours without errors and warnings where its variables are set, and no
// secret of the file stands in it or in what is listed as missing. Claude's names ask for the default model where it was taken.
func TestImportRouter(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		file := theirs{t}.routerFile()
		text, err := json.MarshalIndent(file, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		got := imported(t, dir, "// theirs\n"+string(text))
		missing := strings.Join(got.Missing, "\n")
		if all := string(got.Text) + missing; strings.Contains(all, secretText) {
			t.Fatalf("a secret in the clear:\n%s\n%s", text, all)
		}
		if got.Text == nil {
			return
		}
		c, err := config.Parse(got.Text, everySet)
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, text, got.Text)
		}
		if len(c.Warnings()) > 0 {
			t.Fatalf("%v\n%s", c.Warnings(), got.Text)
		}
		r, err := config.NewRegistry(c, config.WithEnv(everySet))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		route, _ := file["Router"].(object)["default"].(string)
		if route == "" || strings.Contains(missing, "Router.default") {
			return
		}
		client, err := r.Resolve("claude-sonnet-4")
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, text, got.Text)
		}
		plan, err := client.Explain(t.Context(), weather("claude-sonnet-4"))
		if err != nil {
			t.Fatal(err)
		}
		_, model, _ := strings.Cut(route, ",")
		if id := string(plan.Chain[0].Model); !strings.HasSuffix(id, "/"+model) {
			t.Fatalf("asks %s, want %s\n%s", id, route, got.Text)
		}
	})
}

// FuzzImport: no text makes the import panic, and each result is a configuration.
func FuzzImport(f *testing.F) {
	files, _ := filepath.Glob("testdata/import/*.in")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, text := range []string{"", "{", "model_list: 3", "model_list: [[], {}, {model_name: a, litellm_params: {model: [x]}}]", "{Providers: [{name: [a]}], Router: []}", "// only a comment", "{\"Providers\": [], /*", "a: &a [*a]"} {
		f.Add([]byte(text))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte) {
		file := filepath.Join(dir, "theirs")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := config.Import(file)
		if err != nil || got.Text == nil {
			return
		}
		if _, err := config.Parse(got.Text, everySet); err != nil {
			t.Fatalf("%v\n%s", err, got.Text)
		}
	})
}

// TestImportBounded: aliases that stand for more values than a file may hold are refused, whatever holds them.
func TestImportBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := range 12 {
		fmt.Fprintf(&b, "a%d: &a%d [%s*a%d]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), i)
	}
	b.WriteString("model_list: [{model_name: a, litellm_params: {model: openai/x, extra_body: {y: *a12}}}]\n")
	file := filepath.Join(t.TempDir(), "theirs")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := config.Import(file); err == nil || !strings.Contains(err.Error(), "aliases") {
		t.Errorf("got %v", err)
	}
}
