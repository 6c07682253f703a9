package pairwise_test

import (
	"encoding/json"
	"strings"
)

// gemini is generateContent: https://ai.google.dev/api/generate-content. Calls have no ids here, as those of its older models.
var gemini = api{
	name: "gemini", finish: [2]string{"STOP", "STOP"}, talk: "contents",
	path: func(model string, stream bool) string {
		if stream {
			return "/v1beta/models/" + model + ":streamGenerateContent?alt=sse"
		}
		return "/v1beta/models/" + model + ":generateContent"
	},
	ask: func(r *request) obj {
		m := obj{}
		if r.system != "" {
			m["systemInstruction"] = obj{"parts": []any{obj{"text": r.system}}}
		}
		list := []any{}
		for _, e := range r.talk {
			switch {
			case e.user != "":
				list = append(list, obj{"role": "user", "parts": []any{obj{"text": e.user}}})
			case e.said != nil:
				if !r.stream {
					list = append(list, obj{"role": "model", "parts": e.said})
					continue
				}
				for _, p := range e.said { // the pieces of a stream are kept as they came: Chat of @google/genai
					list = append(list, obj{"role": "model", "parts": []any{p}})
				}
			default:
				parts := []any{}
				for _, res := range e.results {
					v := obj{"name": res.name, "response": obj{"result": res.text}}
					if res.id != "" {
						v["id"] = res.id
					}
					parts = append(parts, obj{"functionResponse": v})
				}
				list = append(list, obj{"role": "user", "parts": parts})
			}
		}
		m["contents"] = list
		declared := []any{}
		for _, t := range r.tools {
			declared = append(declared, obj{"name": t.name, "description": t.about, "parametersJsonSchema": json.RawMessage(t.schema)})
		}
		m["tools"] = []any{obj{"functionDeclarations": declared}}
		switch r.choice {
		case "":
		case "required":
			m["toolConfig"] = obj{"functionCallingConfig": obj{"mode": "ANY"}}
		default:
			m["toolConfig"] = obj{"functionCallingConfig": obj{"mode": "ANY", "allowedFunctionNames": []string{r.choice}}}
		}
		return m
	},
	read: func(a *answer, body string) {
		var v struct {
			ResponseID string
			Candidates []struct {
				Content      struct{ Parts []json.RawMessage }
				FinishReason string
			}
		}
		if json.Unmarshal([]byte(body), &v) != nil || len(v.Candidates) != 1 {
			a.fail = body
			return
		}
		c := v.Candidates[0]
		a.id, a.finish, a.said = v.ResponseID, c.FinishReason, c.Content.Parts
		for _, b := range a.said {
			var p part
			_ = json.Unmarshal(b, &p)
			switch {
			case p.FunctionCall != nil:
				a.calls = append(a.calls, call{p.FunctionCall.ID, p.FunctionCall.Name, string(p.FunctionCall.Args), false})
			case p.Thought:
				a.reasoning += p.Text
			default:
				a.text += p.Text
			}
		}
	},
	join: func(events []string) string {
		all, finish := []json.RawMessage{}, any(nil)
		for _, ev := range events {
			var v struct {
				Candidates []struct {
					Content      struct{ Parts []json.RawMessage }
					FinishReason string
				}
			}
			if json.Unmarshal([]byte(ev), &v) != nil || len(v.Candidates) == 0 {
				continue
			}
			all = append(all, v.Candidates[0].Content.Parts...)
			if v.Candidates[0].FinishReason != "" {
				finish = v.Candidates[0].FinishReason
			}
		}
		return js(obj{"candidates": []any{obj{"content": obj{"role": "model", "parts": all}, "finishReason": finish}}})
	},
	see: func(s *seen, path string, m obj2) {
		path, query, _ := strings.Cut(path, "?")
		s.model, _, _ = strings.Cut(path[strings.LastIndex(path, "/")+1:], ":")
		s.stream = strings.HasSuffix(path, ":streamGenerateContent") && strings.Contains(query, "alt=sse")
		for _, t := range elements(m["tools"]) {
			for _, f := range elements(object(t)["functionDeclarations"]) {
				v := object(f)
				schema := v["parametersJsonSchema"]
				if schema == nil {
					schema = v["parameters"]
				}
				s.tools = append(s.tools, shown{text(v["name"]), text(v["description"]), schema, false})
			}
		}
		s.system = partsText(object(m["systemInstruction"])["parts"])
		for _, b := range s.list {
			v := object(b)
			tu := turn{role: text(v["role"]), text: partsText(v["parts"])}
			if tu.role == "model" {
				tu.role = "assistant"
			}
			for _, b := range elements(v["parts"]) {
				var p part
				_ = json.Unmarshal(b, &p)
				if p.FunctionCall != nil {
					tu.calls = append(tu.calls, call{p.FunctionCall.ID, p.FunctionCall.Name, string(p.FunctionCall.Args), false})
				}
				if p.FunctionResponse != nil {
					tu.results = append(tu.results, result{id: p.FunctionResponse.ID, name: p.FunctionResponse.Name, text: string(p.FunctionResponse.Response)})
				}
			}
			if n := len(s.turns) - 1; n >= 0 && tu.role == "assistant" && s.turns[n].role == tu.role {
				s.turns[n].text, s.turns[n].calls = s.turns[n].text+tu.text, append(s.turns[n].calls, tu.calls...)
				continue
			}
			s.turns = append(s.turns, tu)
		}
	},
	say: func(r *reply, model string) obj { return geminiPiece(geminiParts(r), "STOP", model) },
	cut: func(r *reply, model string) (out []obj) {
		for _, p := range geminiParts(r) {
			if said, ok := p["text"].(string); ok && p["thoughtSignature"] == nil {
				for _, piece := range pieces(said) {
					v := obj{"text": piece}
					if p["thought"] != nil {
						v["thought"] = true
					}
					out = append(out, geminiPiece([]obj{v}, "", model))
				}
				continue
			}
			out = append(out, geminiPiece([]obj{p}, "", model))
		}
		return append(out, geminiPiece([]obj{{"text": ""}}, "STOP", model))
	},
	fail: func(status int, message string) string {
		return js(obj{"error": obj{"code": status, "message": message, "status": "INTERNAL"}})
	},
	can: map[string]bool{"choice": true, "signed": true},
}

// A part is one of a turn.
type part struct {
	Text         string
	Thought      bool
	FunctionCall *struct {
		ID, Name string
		Args     json.RawMessage
	}
	FunctionResponse *struct {
		ID, Name string
		Response json.RawMessage
	}
}

// partsText is the text of parts that are no thoughts.
func partsText(b json.RawMessage) (out string) {
	for _, el := range elements(b) {
		var p part
		if json.Unmarshal(el, &p) == nil && !p.Thought {
			out += p.Text
		}
	}
	return out
}

func geminiParts(r *reply) (out []obj) {
	if r.reasoning != "" {
		out = append(out, obj{"text": r.reasoning, "thought": true})
	}
	if r.text != "" {
		out = append(out, obj{"text": r.text})
	}
	for i, c := range r.calls {
		v := obj{"functionCall": obj{"name": c.name, "args": json.RawMessage(c.input)}}
		if i == 0 && r.state != "" {
			v["thoughtSignature"] = r.state
		}
		out = append(out, v)
	}
	return out
}

func geminiPiece(parts []obj, finish, model string) obj {
	c := obj{"index": 0, "content": obj{"role": "model", "parts": parts}}
	if finish != "" {
		c["finishReason"] = finish
	}
	return obj{"candidates": []any{c}, "modelVersion": model, "responseId": "r1", "usageMetadata": obj{"promptTokenCount": 9, "candidatesTokenCount": 9, "totalTokenCount": 18}}
}
