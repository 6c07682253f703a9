package simulate_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/callwright/callwright/simulate"
)

// A model that calls tools in text, and forgets the closing tag.
func ExampleWeather() {
	srv := httptest.NewServer(simulate.New(simulate.Weather()))
	defer srv.Close()
	body := `{"model":"sim/hermes-unclosed","messages":[{"role":"user","content":"What is the weather in Oslo?"}],
		"tools":[{"type":"function","function":{"name":"get_weather","parameters":` + simulate.WeatherSchema + `}}]}`
	resp, err := http.Post(srv.URL+"/v1/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	answer, _ := io.ReadAll(resp.Body)
	_, content, _ := strings.Cut(string(answer), `"content":`)
	content, _, _ = strings.Cut(content, `},"logprobs"`)
	fmt.Println(content)
	// Output: "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}"
}

// A model that misbehaves in three of four answers, the same way each time that this runs.
func ExampleWithMix() {
	mix, err := simulate.ParseMix("json_damage-trailing_comma=0.5,503=0.25")
	if err != nil {
		fmt.Println(err)
		return
	}
	server := simulate.New(simulate.AnyTools(), simulate.WithMix(mix, 7))
	for _, city := range []string{"Oslo", "Rome", "Paris", "Bern"} {
		w := httptest.NewRecorder()
		server.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader(
			`{"model":"m","messages":[{"role":"user","content":"What is the weather in `+city+`?"}],
			"tools":[{"type":"function","function":{"name":"get_weather","parameters":`+simulate.WeatherSchema+`}}]}`)))
		_, args, _ := strings.Cut(w.Body.String(), `"arguments":`)
		args, _, _ = strings.Cut(args, `}}]`)
		fmt.Printf("%d %q\n", w.Code, args)
	}
	// Output:
	// 503 ""
	// 200 "\"{\\\"city\\\": \\\"Rome\\\"}\""
	// 503 ""
	// 200 "\"{\\\"city\\\": \\\"Bern\\\",}\""
}

// A script of one's own.
func ExampleNew() {
	s := simulate.New(func(req simulate.Seen) simulate.Turn {
		return simulate.Turn{Text: "You said: " + req.User, Fault: simulate.Fault{Name: "midstream", Options: []string{"inband"}}}
	})
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/chat/completions",
		strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"Hello"}]}`)))
	fmt.Println(w.Body)
	// Output: {"error":{"message":"the model is overloaded","type":"server_error","param":null,"code":null}}
}

// A server that refuses what Mistral refuses.
func ExampleStrict() {
	s := simulate.New(simulate.Weather(), simulate.Strict("mistral"))
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/chat/completions",
		strings.NewReader(`{"model":"m","seed":7,"messages":[{"role":"user","content":"Hello"}]}`)))
	fmt.Println(w.Code, w.Header().Get(simulate.CheckHeader))
	fmt.Println(w.Body)
	// Output:
	// 422 openai/mistral/unknown-member
	// {"detail":[{"type":"extra_forbidden","loc":["body","seed"],"msg":"Extra inputs are not permitted","input":7}]}
}
