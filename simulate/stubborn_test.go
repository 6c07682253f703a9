package simulate_test

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/callwright/callwright/simulate"
)

// stubbornBody is a request for Chat Completions, with more members.
func stubbornBody(fault, members, correction string) string {
	messages := `{"role":"user","content":"What is the weather in Oslo?"}`
	if correction != "" {
		messages += `,{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"get_weather","arguments":"{\"days\": 3}"}}]},
			{"role":"tool","tool_call_id":"c1","content":` + string(must(json.Marshal(correction))) + `}`
	}
	return `{"model":"` + fault + `",` + members + `"messages":[` + messages + `],"tools":[{"type":"function","function":{"name":"get_weather","parameters":` + simulate.WeatherSchema + `}}]}`
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

// A stubborn fault outlasts a correction in words, and ends with the change that its row names and with no other.
func TestStubbornFaultsEndWithAChange(t *testing.T) {
	const words = "The call of get_weather was not executed:\n- expected the member \"city\", got none\nWrite the call again."
	const quoted = words + "\nYour arguments: {\"days\": 3 >>>a member is missing<<<}"
	changes := map[string]string{
		"marked": "", "named": `"tool_choice":{"type":"function","function":{"name":"get_weather"}},`,
		"schema": `"response_format":{"type":"json_schema","json_schema":{"name":"a","schema":{"type":"object","properties":{}}}},`,
		"warm":   `"temperature":0,`,
	}
	for variant := range changes {
		for name, members := range changes {
			said := words
			if name == "marked" {
				said = quoted
			}
			s := simulate.New(simulate.Weather())
			w := httptest.NewRecorder()
			s.ServeHTTP(w, httptest.NewRequest("POST", "/v1/chat/completions", strings.NewReader(stubbornBody("stubborn-"+variant, members, said))))
			ends := name == variant || variant == "named" && name == "schema"
			if healed := strings.Contains(w.Body.String(), "Oslo"); healed != ends {
				t.Errorf("stubborn-%s, with the change of %s: healed %t, expected %t: %s", variant, name, healed, ends, w.Body)
			}
		}
	}
}

// The repetition is that of a greedy decoder.
func TestStubbornLoop(t *testing.T) {
	for members, cut := range map[string]bool{
		"":                                       false,
		`"temperature":0,`:                       true,
		`"temperature":0,"seed":7,`:              true,
		`"temperature":0,"frequency_penalty":0,`: true,
		`"temperature":0,"frequency_penalty":0.5,`: false,
		`"temperature":0.5,`:                       false,
	} {
		w := httptest.NewRecorder()
		simulate.New(simulate.Weather()).ServeHTTP(w, httptest.NewRequest("POST", "/v1/chat/completions", strings.NewReader(stubbornBody("stubborn-loop", members, ""))))
		if got := strings.Contains(w.Body.String(), `"finish_reason":"length"`); got != cut {
			t.Errorf("%s: cut %t, expected %t: %s", members, got, cut, w.Body)
		}
	}
}

// A habit stays for a conversation, whatever the request of it is, and comes as often as its share says.
func TestHabitsStay(t *testing.T) {
	mix := simulate.Mix{Habits: []simulate.Share{{Fault: simulate.Fault{Name: "stubborn", Options: []string{"named"}}, P: 0.5}}}
	s := simulate.New(simulate.Weather(), simulate.WithMix(mix, 7))
	stubborn := 0
	for i := range 200 {
		var answers []bool
		for _, said := range []string{"", "Not executed. Write the call again.", "Not executed. Write the call once more."} {
			body := strings.Replace(stubbornBody("m", "", said), "in Oslo?", "in Oslo? Trial "+string(rune('A'+i%26))+string(rune('A'+i/26)), 1)
			w := httptest.NewRecorder()
			s.ServeHTTP(w, httptest.NewRequest("POST", "/v1/chat/completions", strings.NewReader(body)))
			answers = append(answers, strings.Contains(w.Body.String(), `\"city\"`))
		}
		if answers[0] != answers[1] || answers[1] != answers[2] {
			t.Fatalf("conversation %d: %v", i, answers)
		}
		if !answers[0] {
			stubborn++
		}
	}
	if stubborn < 70 || stubborn > 130 {
		t.Errorf("%d of 200 conversations have a habit of one in two", stubborn)
	}
}
