package simulate_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/callwright/callwright/simulate"
)

const twoCities = "What is the weather in Oslo and Paris?"

// damage says, for each row of the table, what its answers show (all of it) and what they do not.
var damage = map[string]struct{ shows, lacks []string }{
	"text_json-bare":            {shows: []string{"text: {\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n{\"name\""}, lacks: []string{"call index"}},
	"text_json-fence":           {shows: []string{"text: ```json\n{\"name\"", "}\n```\n```json"}},
	"text_json-prose_before":    {shows: []string{"look that up.\n\n{\"name\""}},
	"text_json-keys_args":       {shows: []string{`"args": {"city": "Paris"}`}},
	"text_json-keys_parameters": {shows: []string{`"parameters": {"city": "Paris"}`}},
	"text_json-keys_input":      {shows: []string{`"input": {"city": "Paris"}`}},
	"text_json-keys_tool":       {shows: []string{`{"tool": "get_weather"`}},

	"hermes-plain":                   {shows: []string{"text: <tool_call>\n{\"name\"", "}}\n</tool_call>\n<tool_call>"}},
	"hermes-unclosed":                {shows: []string{"<tool_call>\n{\"name\""}, lacks: []string{"</tool_call>"}},
	"hermes-multi":                   {shows: []string{"text: <tool_call>\n{\"name\"", "\"Oslo\"}}\n{\"name\""}},
	"hermes-alt_keys":                {shows: []string{`<tool_call>`, `"parameters": {`}},
	"hermes-bare_name":               {shows: []string{"<tool_call>\nget_weather\n{\"city\": \"Oslo\"}\n</tool_call>"}},
	"hermes-single_quotes":           {shows: []string{"<tool_call>\n{'name': 'get_weather', 'arguments': {'city': 'Oslo'}}"}},
	"hermes-prose_before":            {shows: []string{"look that up.\n\n<tool_call>"}},
	"qwen3xml-plain":                 {shows: []string{"<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>"}},
	"qwen3xml-orphan":                {shows: []string{"text: <function=get_weather>", "</tool_call>"}, lacks: []string{"<tool_call>"}},
	"qwen3xml-unclosed_parameter":    {shows: []string{"<parameter=city>\nOslo\n</function>"}},
	"kimi-plain":                     {shows: []string{"<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{", "get_weather:1<|"}},
	"kimi-sectionless":               {shows: []string{"text: functions.get_weather:0<|tool_call_argument_begin|>", "<|tool_calls_section_end|>"}, lacks: []string{"begin|>functions"}},
	"kimi-no_idx":                    {shows: []string{"functions.get_weather<|tool_call_argument_begin|>"}},
	"dsml-plain":                     {shows: []string{"<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"get_weather\">\n<｜DSML｜parameter name=\"city\" string=\"true\">Oslo</｜DSML｜parameter>"}},
	"dsml-bare":                      {shows: []string{"text: <｜DSML｜invoke name"}, lacks: []string{"function_calls"}},
	"glm-plain":                      {shows: []string{"<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>"}},
	"anthropic_invoke-plain":         {shows: []string{"<function_calls>\n<invoke name=\"get_weather\">\n<parameter name=\"city\">Oslo</parameter>\n</invoke>\n<invoke"}},
	"anthropic_invoke-array":         {shows: []string{"<function_calls>\n[{\"name\": \"get_weather\", \"parameters\"", "}}]\n</function_calls>"}},
	"anthropic_invoke-unwrapped":     {shows: []string{"text: <invoke name"}, lacks: []string{"function_calls"}},
	"minimax-m2":                     {shows: []string{"<minimax:tool_call>\n<invoke name"}},
	"harmony-plain":                  {shows: []string{"<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"}},
	"harmony-stripped":               {shows: []string{"commentary to=functions.get_weather json{"}, lacks: []string{"<|"}},
	"imitation":                      {shows: []string{"[TOOL_CALLS] [{\"name\""}},
	"xai-plain":                      {shows: []string{"<x.ai:tool_call>\n{\"name\""}},
	"xai-parameters":                 {shows: []string{"<xai:function_call name=\"get_weather\">\n<parameter name=\"city\">Oslo<"}},
	"tool_tag-plain":                 {shows: []string{"<tool>{\"name\"", "}</tool>"}},
	"tool_tag-named":                 {shows: []string{"<tool name=\"get_weather\">{\"city\": \"Oslo\"}</tool>"}},
	"pythonic-plain":                 {shows: []string{`text: [get_weather(city="Oslo"), get_weather(city="Paris")]`}},
	"envelope-plain":                 {shows: []string{`{"toolCalls": [{"name": "get_weather"`, `"needsMoreWork": true}`}},
	"envelope-scratchpad":            {shows: []string{`{"scratchpad": "`, `"tool": "get_weather", "arguments": {`}},
	"entities":                       {shows: []string{"&lt;tool_call&gt;\n{&quot;name&quot;"}},
	"companion_text":                 {shows: []string{"look that up.\n\n<tool_call>", "</tool_call>\n\nI will report back."}},
	"companion_text-native":          {shows: []string{"text: I will look that up. I will report back.", `args={"city": "Oslo"};`}},
	"in_think-only":                  {shows: []string{"text: <think>\n", "</tool_call>\n</think>\nreasoning"}},
	"in_think-dup":                   {shows: []string{"A draft: <tool_call>", "</think>\n\n<tool_call>"}},
	"in_think-unclosed":              {shows: []string{"text: <think>\n", "<tool_call>"}, lacks: []string{"</think>"}},
	"in_think-prefilled":             {shows: []string{"</think>\n\n<tool_call>"}, lacks: []string{"<think>"}},
	"in_think-field":                 {shows: []string{"text: \n", "reasoning: I should look it up.\n\n<tool_call>"}},
	"quoted_markup":                  {shows: []string{"```xml\n<tool_call>", "`<tool_call>{\"name\""}, lacks: []string{"call index"}},
	"intent_no_call":                 {shows: []string{"text: I will look up"}, lacks: []string{"call index"}},
	"empty_turn":                     {shows: []string{"text: \n"}, lacks: []string{"call index"}},
	"truncate-at":                    {shows: []string{`args={"city": "Pari;`, "finish: length|max_tokens|max_output_tokens"}},
	"truncate-lie_finish":            {shows: []string{`args={"city": "Pari;`, "finish: stop|end_turn|completed"}},
	"json_damage-trailing_comma":     {shows: []string{`args={"city": "Oslo",};`}},
	"json_damage-single_quotes":      {shows: []string{`args={'city': 'Oslo'};`}},
	"json_damage-unquoted":           {shows: []string{`args={city: "Oslo"};`}},
	"json_damage-python":             {shows: []string{`args={'city': 'Oslo', 'hourly': True};`}},
	"json_damage-missing_brace":      {shows: []string{`args={"city": "Oslo";`}},
	"json_damage-missing_quote":      {shows: []string{`args={"city": "Oslo", days": 3};`}},
	"json_damage-special_token":      {shows: []string{`args={"city": "Oslo"}<|call|>;`}},
	"stringify-array":                {shows: []string{`"fields": "[\"temperature\"]"`}},
	"stringify-object":               {shows: []string{`"place": "{\"country\": \"sample\"}"`}},
	"stringify-number":               {shows: []string{`"days": "3"`}},
	"stringify-bool":                 {shows: []string{`"hourly": "true"`}},
	"double_encode":                  {shows: []string{`"{\"city\": \"Oslo\"}"`}},
	"args_as_object":                 {shows: []string{`raw={"city": "Oslo"}`}},
	"optional_placeholder-empty":     {shows: []string{`"days": ""`}},
	"optional_placeholder-null":      {shows: []string{`"days": null`}},
	"bad_name-case":                  {shows: []string{"name=GET_WEATHER "}},
	"bad_name-prefix":                {shows: []string{"name=functions.get_weather "}},
	"bad_name-suffix":                {shows: []string{"name=get_weather<|channel|>commentary "}},
	"bad_name-unknown":               {shows: []string{"name=lookup_forecast "}},
	"key_rename":                     {shows: []string{`args={"City": "Oslo"};`}},
	"empty_args-empty":               {shows: []string{"name=get_weather args=;"}},
	"empty_args-space":               {shows: []string{"name=get_weather args= ;"}},
	"empty_args-seed":                {shows: []string{`args={}{"city": "Oslo"};`}},
	"empty_args-missing":             {shows: []string{"name=get_weather args=;"}},
	"index-all0":                     {shows: []string{"index=0"}, lacks: []string{"index=1", "id=none"}},
	"index-noid":                     {shows: []string{"index=0 id=none"}, lacks: []string{"index=1"}},
	"index-missing":                  {shows: []string{"index= "}},
	"index-interleave":               {shows: []string{"index=0", "index=1", `"Oslo"`, `"Paris"`}},
	"index_drift":                    {shows: []string{"index=2"}},
	"id-dup":                         {shows: []string{"call"}},
	"id-empty":                       {shows: []string{" id= name"}},
	"id-constant":                    {shows: []string{" id=call_0 name"}},
	"id-missing":                     {shows: []string{" id=none name"}},
	"done_only":                      {shows: []string{"args=;", `raw={"city": "Oslo"}`}},
	"final_empty":                    {shows: []string{`args={"city": "Oslo"};`, "raw=\n"}},
	"gemini_malformed-call":          {shows: []string{`finish: MALFORMED_FUNCTION_CALL Malformed function call: print(default_api.get_weather(city="Oslo"))`}, lacks: []string{"call index"}},
	"gemini_malformed-unexpected":    {shows: []string{"finish: UNEXPECTED_TOOL_CALL"}, lacks: []string{"call index"}},
	"finish-stop_with_calls":         {shows: []string{`args={"city": "Oslo"};`, "finish: stop|end_turn"}},
	"finish-calls_without":           {shows: []string{"finish: tool_calls|tool_use"}, lacks: []string{"call index"}},
	"swallowed-value":                {shows: []string{`"city": "Oslo</city>\n<parameter name=\"days\">3"`}, lacks: []string{`"days": 3`}},
	"swallowed-key":                  {shows: []string{`"city</arg_key>": "Oslo"`}},
	"bigint":                         {shows: []string{`"days": 9223372036854775807`}},
	"utf8_split-delta":               {shows: []string{"\uFFFD\uFFFD"}},
	"utf8_split-write":               {shows: []string{"prüfe"}},
	"identical_twice":                {shows: []string{`args={"city": "Oslo"};`, `args={"city": "Paris"};`}},
	"groq_failed-call":               {shows: []string{`tool_use_failed [{"name": "get_weather", "arguments": {"city": "Oslo"}}, {`}},
	"groq_failed-markup":             {shows: []string{`tool_use_failed <function=get_weather{"city": "Oslo"}</function>`}},
	"groq_failed-text":               {shows: []string{`tool_use_failed I would have`}},
	"engine500_with_payload":         {shows: []string{"status 500", "Failed to parse input at pos 0: <tool_call>\n<function=get_weather>"}},
	"engine500_parser":               {shows: []string{"status 500", "XML syntax error on line 8"}},
	"engine500_parser-inband":        {shows: []string{"status 200", "XML syntax error on line 8"}, lacks: []string{"call index", "reasoning: T"}},
	"engine500_parser-thought":       {shows: []string{"status 200", "reasoning: The user", "XML syntax error on line 8"}, lacks: []string{"call index"}},
	"no_tools_400":                   {shows: []string{"status 400", "does not support tools"}},
	"no_tools_404":                   {shows: []string{"status 404", "No endpoints found that support tool use"}},
	"tools_ignored_200":              {shows: []string{"text: I cannot look up"}, lacks: []string{"call index"}},
	"forced_choice_400":              {shows: []string{"status 400", "tool_choice"}},
	"forced_choice_ignored":          {shows: []string{"text: I would rather not"}, lacks: []string{"call index"}},
	"midstream-cut":                  {shows: []string{"broken: unexpected EOF"}},
	"midstream-inband":               {shows: []string{"status 200", "the model is overloaded"}},
	"429-retry_after":                {shows: []string{"status 429"}},
	"429-retry_after_ms":             {shows: []string{"status 429"}},
	"wrong_then_right":               {shows: []string{`args={"days": 3};`}},
	"stubborn-marked":                {shows: []string{`args={"days": 3};`}},
	"stubborn-named":                 {shows: []string{`args={"days": 3};`}},
	"stubborn-schema":                {shows: []string{`args={"days": 3};`}},
	"stubborn-warm":                  {shows: []string{`args={"days": 3};`}},
	"never_right":                    {shows: []string{`args={"days": 3};`}},
	"qwen3xml-self_closing":          {shows: []string{`<tool_calls><get_weather city="Oslo" />`}},
	"kimi-k3":                        {shows: []string{`<|open|>toolscall tool="get_weather" index="0"<|sep|>`, `<|open|>argument key="city" type="string"<|sep|>Oslo<|close|>argument<|sep|>`}},
	"dsml-glyph":                     {shows: []string{"<‖DSML‖invoke name"}, lacks: []string{"｜"}},
	"dsml-unterminated":              {shows: []string{"<｜DSML｜function_calls>"}, lacks: []string{"</｜DSML｜function_calls>"}},
	"dsml-sibling_bad":               {shows: []string{"<｜DSML｜function_calls>\n<｜DSML｜invoke>\n</｜DSML｜invoke>\n<｜DSML｜invoke name"}},
	"dsml-split":                     {shows: []string{"text: Hello.\n\n<｜DSML｜function_calls>"}},
	"glm-noarg":                      {shows: []string{"<tool_call>get_weather</tool_call>"}},
	"glm-in_name":                    {shows: []string{"name=get_weather<arg_key>city</arg_key><arg_value>Oslo</arg_value> args={};"}},
	"minimax-m3":                     {shows: []string{"]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name=\"get_weather\">]<]minimax[>[<city>Oslo]<]minimax[>[</city>"}},
	"minimax-tool_calls":             {shows: []string{"text: <tool_calls>\n<invoke name"}},
	"harmony-analysis_recipient":     {shows: []string{"<|channel|>analysis to=functions.get_weather code<|message|>{"}},
	"harmony-name_suffix":            {shows: []string{"name=get_weather<|channel|>commentary "}},
	"imitation-history":              {shows: []string{`[Calling tool: get_weather({"city": "Oslo"})]`}},
	"imitation-args":                 {shows: []string{`get_weather[ARGS]{"city": "Oslo"}`}},
	"xml_newline":                    {shows: []string{"<parameter=units>\n\ncelsius\n\n</parameter>"}},
	"injected_result_markup":         {shows: []string{"> What is the weather", "> <tool_call>"}, lacks: []string{"call index"}},
	"empty_turn-reasoning_only":      {shows: []string{"text: \n", "reasoning: I know"}, lacks: []string{"call index"}},
	"index-dup_first":                {shows: []string{"index=0"}},
	"id-per_round":                   {shows: []string{" id=get_weather:0 name", " id=get_weather:1 name"}},
	"id_format-long":                 {shows: []string{"0123456789abcdef0123456789abcdef"}},
	"midstream-badline":              {shows: []string{"status 200"}},
	"late_args":                      {shows: []string{`args={"city": "Oslo"};`}},
	"500":                            {shows: []string{"status 500"}},
	"502":                            {shows: []string{"status 502"}},
	"503":                            {shows: []string{"status 503"}},
	"504":                            {shows: []string{"status 504"}},
	"anthropic_invoke-wrong_closer":  {shows: []string{"<parameter name=\"city\">Oslo</city>\n</invoke>"}},
	"503-retry_after":                {shows: []string{"status 503"}},
	"529":                            {shows: []string{"status 529"}},
	"optional_placeholder-undefined": {shows: []string{`"days": "undefined"`}},
}

// contains looks for a text; alternatives of its last word (per wire) are separated by a bar after "finish: ".
func contains(dump, want string) bool {
	rest, ok := strings.CutPrefix(want, "finish: ")
	if !ok {
		return strings.Contains(dump, want)
	}
	for alternative := range strings.SplitSeq(rest, "|") {
		if strings.Contains(dump, "finish: "+alternative+"\n") {
			return true
		}
	}
	return false
}

func TestFaultsShowTheirDamage(t *testing.T) {
	for _, f := range simulate.Faults() {
		if f.Provoked {
			continue // see TestTaxonomy
		}
		want, ok := damage[f.Model()]
		if !ok && f.Model() != "midstream-stall" {
			t.Errorf("%s: the table has a fault without a case", f.Model())
			continue
		}
		for _, wire := range f.Wires {
			for form, stream := range streamed {
				t.Run(f.Model()+"/"+wire+"/"+form, func(t *testing.T) {
					base, _ := start(t, simulate.Weather())
					c := conversation{model: "sim/" + f.Model(), stream: stream, tools: true, messages: ask(twoCities)}
					if f.Model() == "midstream-stall" || f.Model() == "midstream-badline" {
						return // see TestBrokenStreams
					}
					if strings.HasPrefix(f.Name, "forced_choice") {
						c.choice = "required"
					}
					got := send(t, base, wire, c.body(wire))
					if !stream && f.StreamOnly {
						if got.status != http.StatusOK {
							t.Errorf("got %s", got)
						}
						return
					}
					for _, s := range want.shows {
						if !contains(got.String(), s) {
							t.Errorf("want %q in\n%s", s, got)
						}
					}
					for _, s := range want.lacks {
						if contains(got.String(), s) {
							t.Errorf("want no %q in\n%s", s, got)
						}
					}
				})
			}
		}
	}
}

func TestTableIsSound(t *testing.T) {
	seen := map[string]bool{}
	last := ""
	names := map[string]bool{}
	for _, f := range simulate.Faults() {
		if seen[f.Model()] {
			t.Errorf("%s stands twice", f.Model())
		}
		seen[f.Model()] = true
		if f.Name != last && names[f.Name] {
			t.Errorf("%s: rows of one name stand apart", f.Name)
		}
		names[f.Name], last = true, f.Name
		if f.Doc == "" || len(f.Wires) == 0 {
			t.Errorf("%s: no documentation or no wires", f.Model())
		}
		if got, ok := simulate.ParseFault("sim/" + f.Model()); !ok || got.Name != f.Name {
			t.Errorf("ParseFault(%q) = %v, %v", f.Model(), got, ok)
		}
	}
	for _, name := range []string{"", "gpt-4o-mini", "hermes-2-pro", "native", "llama", "hermes-unclosed-nothing"} {
		if f, ok := simulate.ParseFault(name); ok {
			t.Errorf("ParseFault(%q) = %v, want none", name, f)
		}
	}
}

func TestParallelIDs(t *testing.T) {
	base, _ := start(t, simulate.Weather())
	for _, tc := range []struct {
		model string
		same  bool
	}{{"native", false}, {"id-dup", true}, {"id-constant", true}, {"identical_twice", false}} {
		for _, wire := range wires {
			c := conversation{model: tc.model, tools: true, messages: ask(twoCities)}
			got := send(t, base, wire, c.body(wire))
			if same := got.calls[0].id == got.calls[1].id; same != tc.same {
				t.Errorf("%s on %s: same ids %v, want %v", tc.model, wire, same, tc.same)
			}
			if tc.model == "identical_twice" && len(got.calls) != 4 {
				t.Errorf("%s on %s: %d calls, want 4", tc.model, wire, len(got.calls))
			}
		}
	}
}

func TestInterleavedPiecesTakeTurns(t *testing.T) {
	for model, want := range map[string]string{"native": "0011", "index-interleave": "0101"} {
		base, _ := start(t, simulate.Weather())
		c := conversation{model: model, stream: true, tools: true, messages: ask(twoCities)}
		got := send(t, base, simulate.OpenAI, c.body(simulate.OpenAI))
		var order strings.Builder
		for piece := range strings.SplitSeq(got.raw, `"tool_calls":[{"index":`) {
			order.WriteByte(piece[0])
		}
		seen := order.String()[1:]
		if want == "0101" && !strings.HasPrefix(seen, want) || want == "0011" && strings.Contains(seen, "10") {
			t.Errorf("%s: the pieces came in the order %s", model, seen)
		}
	}
}

// A packetLog notes where writes end inside a character.
type packetLog struct {
	*httptest.ResponseRecorder
	torn int
}

func (l *packetLog) Write(b []byte) (int, error) {
	if !utf8.Valid(b) {
		l.torn++
	}
	return l.ResponseRecorder.Write(b)
}

func TestCharactersTornBetweenPackets(t *testing.T) {
	for model, torn := range map[string]bool{"native": false, "utf8_split-write": true} {
		for _, wire := range wires {
			r := post(t, "", wire, conversation{model: model, stream: true, tools: true, messages: ask("What is the weather in Zürich?")}.body(wire))
			log := &packetLog{ResponseRecorder: httptest.NewRecorder()}
			simulate.New(simulate.Weather()).ServeHTTP(log, r)
			if (log.torn > 0) != torn || !utf8.Valid(log.Body.Bytes()) {
				t.Errorf("%s on %s: %d packets end inside a character, all: %q", model, wire, log.torn, log.Body)
			}
		}
	}
}

func TestVariantsCombine(t *testing.T) {
	base, _ := start(t, simulate.Weather())
	c := conversation{model: "text_json-fence-keys_args-prose_before", tools: true, messages: ask(twoCities)}
	got := send(t, base, simulate.OpenAI, c.body(simulate.OpenAI))
	if want := "I will look that up.\n\n```json\n{\"name\": \"get_weather\", \"args\": "; !strings.HasPrefix(got.text, want) {
		t.Errorf("got %q, want prefix %q", got.text, want)
	}
}

func TestBusyOnlyOnce(t *testing.T) {
	base, _ := start(t, simulate.Weather())
	c := conversation{model: "429-retry_after", tools: true, messages: ask(twoCities)}
	first := send(t, base, simulate.OpenAI, c.body(simulate.OpenAI))
	if first.status != http.StatusTooManyRequests || first.header.Get("Retry-After") != "1" {
		t.Errorf("first: got %s", first)
	}
	if second := send(t, base, simulate.OpenAI, c.body(simulate.OpenAI)); len(second.calls) != 2 {
		t.Errorf("second: got %s", second)
	}
}

func TestUnknownFaultOfAScript(t *testing.T) {
	base, _ := start(t, func(simulate.Seen) simulate.Turn {
		return simulate.Turn{Text: "Hi.", Fault: simulate.Fault{Name: "nonsense"}}
	})
	got := send(t, base, simulate.OpenAI, conversation{model: "m", messages: ask("Hi")}.body(simulate.OpenAI))
	if got.status != http.StatusInternalServerError || !strings.Contains(got.err, "nonsense") {
		t.Errorf("got %s", got)
	}
}
