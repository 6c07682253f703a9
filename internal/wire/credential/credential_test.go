package credential_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/redact"
	"github.com/callwright/callwright/internal/wire/credential"
)

// members is a body whose list of tools is not known.
type members struct{ body []byte }

func (m members) Members() iter.Seq2[jsonx.Key, []byte] { return jsonx.Members(m.body) }

func (members) ToolSecrets(func([]byte) []string) ([]string, bool) { return nil, false }

// TestPlaces: each place where an API has credentials in its requests.
func TestPlaces(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want []string
	}{
		"Responses authorization":  {`{"tools":[{"type":"mcp","server_label":"a","server_url":"https://a.test/mcp","authorization":"S1"}]}`, []string{"S1"}},
		"Responses headers":        {`{"tools":[{"type":"mcp","headers":{"Authorization":"Bearer S1","X-Org":"S2","Content-Type":"application/json"}}]}`, []string{"Bearer S1", "S1", "S2"}},
		"Responses in the input":   {`{"input":[{"type":"additional_tools","tools":[{"type":"mcp","authorization":"S1"}]},"text",{"role":"user","content":[{"authorization":"no"}]}]}`, []string{"S1"}},
		"Responses in a namespace": {`{"tools":[{"type":"namespace","name":"n","tools":[{"type":"mcp","headers":{"X-Api-Key":"S1"}}]}]}`, []string{"S1"}},
		"Responses domain secrets": {`{"tools":[{"type":"shell","environment":{"network_policy":{"domain_secrets":[{"domain":"a.test","name":"KEY","value":"S1"}]}}}]}`, []string{"S1"}},
		"Anthropic":                {`{"mcp_servers":[{"type":"url","url":"https://a.test/sse","name":"a","authorization_token":"S1"},{"authorization_token":null}]}`, []string{"S1"}},
		"Gemini MCP":               {`{"tools":[{"mcpServers":[{"name":"a","streamableHttpTransport":{"url":"https://a.test","headers":{"Authorization":"Basic S1"}}}]}]}`, []string{"Basic S1", "S1"}},
		"Gemini maps":              {`{"tools":[{"googleMaps":{"authConfig":{"authType":"API_KEY_AUTH","apiKeyConfig":{"name":"k","apiKeyString":"S1","httpElementLocation":"HTTP_IN_QUERY"}}}}]}`, []string{"S1"}},
		"Azure":                    {`{"data_sources":[{"type":"azure_search","parameters":{"endpoint":"https://a.test","authentication":{"type":"api_key","key":"S1"}}}]}`, []string{"S1"}},
		"at the top":               {`{"api_key":"S1","extra_headers":{"X-Auth":"S2"}}`, []string{"S1", "S2"}},
		"escaped":                  {`{"\u0074ools":[{"author\u0069zation":"\u0053\u00311"}]}`, []string{"S11"}},
		"escaped in the input":     {`{"input":[{"\u0074ools":[{"author\u0069zation":"S1"}]}]}`, []string{"S1"}},
		"servers in the input":     {`{"input":[{"type":"x","mcp_servers":[{"authorization_token":"S1"}]}]}`, []string{"S1"}},
		"address":                  {`{"mcp_servers":[{"url":"https://user:S1@a.test/mcp?api_key=S%2F2&page=3"},{"url":"https://S4@a.test"}]}`, []string{"S%2F2", "S1", "S4"}},
		"before the body breaks":   {`{"tools":[{"authorization":"S1"},]}`, []string{"S1"}},
		"functions":                {`{"tools":[{"type":"function","name":"f","parameters":{"properties":{"token":{"type":"string","default":"no"},"headers":{"description":"no"}}}},{"type":"function","function":{"name":"g","authorization":"no"}}]}`, nil},
		"Messages tools":           {`{"tools":[{"name":"f","description":"the token","input_schema":{"properties":{"authorization":{"const":"no"}}},"input_examples":[{"token":"no"}]}]}`, nil},
		"Gemini functions":         {`{"tools":[{"functionDeclarations":[{"name":"f","parameters":{"properties":{"api_key":{"type":"STRING"}}}}]}]}`, nil},
		"messages":                 {`{"messages":[{"role":"user","content":"my token","authorization":"no"}],"max_tokens":9,"metadata":{"token":"no"}}`, nil},
		"hidden before":            {`{"tools":[{"authorization":"[redacted]"}]}`, nil},
		"no object":                {`[{"tools":[{"authorization":"no"}]}]`, nil},
		"empty":                    {``, nil},
		"odd types":                {`{"tools":"x","input":"y","mcp_servers":{"authorization_token":7}}`, nil},
	} {
		body := []byte(c.body)
		if diff := cmp.Diff(c.want, credential.In(body)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if jsonx.Valid(body) == nil && body[0] == '{' {
			if diff := cmp.Diff(c.want, credential.InMembers(members{body})); diff != "" {
				t.Errorf("%s, by its members: %s", name, diff)
			}
		}
		if jsonx.IsObject(body) && jsonx.Valid(body) == nil {
			for key, v := range jsonx.Members(body) {
				name := string(key.Text())
				one := fmt.Appendf(nil, `{%q:%s}`, name, v)
				if diff := cmp.Diff(string(credential.Hide(one)), fmt.Sprintf(`{%q:%s}`, name, credential.HideIn(name, v))); diff != "" {
					t.Errorf("%s, member %s: %s", c.body, name, diff)
				}
			}
		}
		got := credential.Hide(body)
		if hidden := !bytes.Equal(got, body); hidden != (c.want != nil) || string(body) != c.body {
			t.Errorf("%s: got %s", name, got)
		}
		if left := credential.In(got); left != nil || jsonx.Valid(got) != nil && jsonx.Valid(body) == nil {
			t.Errorf("%s: %v is left in %s", name, left, got)
		}
	}
}

// TestHide: whatever else a body has, credentials are hidden where they stand and wherever they are repeated, and nothing but strings changes.
func TestHide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.StringMatching(`[A-Z][A-Za-z0-9_/"-]{9,20}`).Draw(t, "secret")
		quoted := string(jsonx.AppendQuote(nil, secret))
		server := rapid.SampledFrom([]string{
			`"tools":[{"type":"mcp","authorization":` + quoted + `}]`, `"tools":[{"type":"mcp","headers":{"X-Key":` + quoted + `}}]`, `"mcp_servers":[{"authorization_token":` + quoted + `}]`,
		}).Draw(t, "server")
		said := string(jsonx.AppendQuote(nil, rapid.SampledFrom([]string{"", "use " + secret, secret + secret}).Draw(t, "said")))
		parts := []string{server, `"messages":[{"role":"user","content":` + said + `}]`, `"n":1.50`, `"a":[ ]`}
		if rapid.Bool().Draw(t, "turned") {
			slices.Reverse(parts)
		}
		body := []byte("{ " + strings.Join(parts, " ,") + "}")
		got := credential.Hide(body)
		if bytes.Contains(got, []byte(secret)) || bytes.Contains(got, []byte(quoted[1:len(quoted)-1])) || !bytes.Contains(got, []byte(redact.Mark)) {
			t.Fatalf("%s became %s", body, got)
		}
		if shape(t, got) != shape(t, body) {
			t.Fatalf("%s became %s", body, got)
		}
	})
}

// TestByMembers: the credentials of a body are the same whether it is read whole or by its members, and it does not matter what else it has.
func TestByMembers(t *testing.T) {
	servers := []string{`[{"type":"mcp","authorization":"S1"}]`, `[{"headers":{"X":"Bearer S2"}}]`, `[{"authorization_token":"S3"}]`, `[{"name":"f","parameters":{"token":"no"}}]`,
		`[{"parameters":{"authentication":{"key":"S4"}}}]`, `{"token":"S5"}`, `"S6"`, `null`, `[[{"token":"S7"}]]`, `[]`}
	names := []string{"tools", `t\u006fols`, "mcp_servers", "mcpServers", "data_sources", "dataSources", "input", "messages", "api_key", "extra_headers", "metadata", "instructions"}
	rapid.Check(t, func(t *rapid.T) {
		member := func() string {
			return `"` + rapid.SampledFrom(names).Draw(t, "name") + `":` + rapid.SampledFrom(servers).Draw(t, "servers")
		}
		var parts []string
		for range rapid.IntRange(0, 4).Draw(t, "members") {
			if !rapid.Bool().Draw(t, "in the input") {
				parts = append(parts, member())
				continue
			}
			parts = append(parts, `"input":["text",{"type":"message","content":"x",`+member()+`},7]`)
		}
		body := []byte("{" + strings.Join(parts, ",") + "}")
		var each []string
		for _, part := range parts {
			each = append(each, credential.In([]byte("{"+part+"}"))...)
		}
		whole := credential.In(body)
		if diff := cmp.Diff(whole, credential.InMembers(members{body})); diff != "" {
			t.Errorf("%s, by its members: %s", body, diff)
		}
		cut := body[:rapid.IntRange(0, len(body)).Draw(t, "cut")]
		if found := credential.In(cut); len(found) > len(whole) || !slices.Equal(found, whole[:len(found)]) {
			t.Errorf("%s, cut: got %q of %q", cut, found, whole)
		}
		if diff := cmp.Diff(whole, each); diff != "" {
			t.Errorf("%s, one by one: %s", body, diff)
		}
	})
}

// shape is JSON text without its strings but names.
func shape(t *rapid.T, body []byte) string {
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatal(err)
	}
	var without func(v any) any
	without = func(v any) any {
		switch v := v.(type) {
		case string:
			return ""
		case []any:
			for i := range v {
				v[i] = without(v[i])
			}
		case map[string]any:
			for name := range v {
				v[name] = without(v[name])
			}
		}
		return v
	}
	out, _ := json.Marshal(without(v))
	return string(out)
}

// BenchmarkIn: a request of a coding agent, which has no credentials.
func BenchmarkIn(b *testing.B) {
	body := []byte(`{"model":"m","messages":[` + strings.Repeat(`{"role":"user","content":"`+strings.Repeat("some text ", 200)+`"},`, 100) + `{}],"tools":[` +
		strings.Repeat(`{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"a":{"type":"string"}}}}},`, 50) + `{}]}`)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if credential.In(body) != nil {
			b.Fatal("credentials")
		}
	}
}
