package openapi_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/openapi"
	"github.com/google/go-cmp/cmp"
)

type color string

type inner struct {
	N    int64             `json:"n"`
	Text map[string]string `json:"text,omitempty"`
}

type outer struct {
	inner
	Name  string          `json:"name" jsonschema:"who it is"`
	Color color           `json:"color,omitempty"`
	At    *time.Time      `json:"at,omitempty"`
	Raw   json.RawMessage `json:"raw,omitempty"`
	List  []inner         `json:"list"`
	Share float64         `json:"share,omitzero"`
	No    string          `json:"-"`
	skip  bool
}

// Schemas have the members that encoding/json writes, in their order, and require those that it always writes.
func TestSchema(t *testing.T) {
	_ = outer{}.skip
	types := &openapi.Types{Enums: map[reflect.Type][]string{reflect.TypeFor[color](): {"red", "blue"}}}
	if got := types.Of(reflect.TypeFor[[]outer]()); got.Items.Ref != "#/components/schemas/Outer" {
		t.Errorf("got %+v", got)
	}
	got, err := json.Marshal(types.Components)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"Outer":{"type":"object","properties":{"n":{"type":"integer"},"text":{"type":"object","additionalProperties":{"type":"string"}},` +
		`"name":{"type":"string","description":"who it is"},"color":{"type":"string","enum":["red","blue"]},"at":{"type":"string","format":"date-time"},"raw":{},` +
		`"list":{"type":"array","items":{"$ref":"#/components/schemas/Inner"}},"share":{"type":"number"}},"required":["n","name","list"]},` +
		`"Inner":{"type":"object","properties":{"n":{"type":"integer"},"text":{"type":"object","additionalProperties":{"type":"string"}}},"required":["n"]}}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

// Bodies of requests allow no further members; those that may be absent may be null, and a patch needs none.
func TestBody(t *testing.T) {
	for _, c := range []struct {
		patch bool
		want  string
	}{
		{false, `{"additionalProperties":false,"properties":{"n":{"type":"integer"},"text":{"additionalProperties":{"type":"string"},"type":["object","null"]}},"required":["n"],"type":"object"}`},
		{true, `{"additionalProperties":false,"properties":{"n":{"type":["integer","null"]},"text":{"additionalProperties":{"type":["string","null"]},"type":["object","null"]}},"type":"object"}`},
	} {
		doc, err := openapi.Document(openapi.Info{Title: "t", Version: "1"}, &openapi.Types{}, []openapi.Operation{
			{Method: "PATCH", Path: "/x/{id}", ID: "change", Says: "Changes it.", Needs: "admin", Body: reflect.TypeFor[inner](), Patch: c.patch,
				Params: []openapi.Param{{Name: "id", Schema: openapi.Schema{Type: "string"}}, {Name: "dry"}}, Answers: []openapi.Answer{{Status: 204, Says: "Done."}}, Fails: []int{404}},
		})
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Paths map[string]map[string]struct {
				Parameters  []struct{ Name, In string }
				RequestBody struct {
					Content map[string]struct{ Schema any }
				}
				Responses map[string]any
			}
		}
		if err := json.Unmarshal(doc, &got); err != nil {
			t.Fatal(err)
		}
		op := got.Paths["/x/{id}"]["patch"]
		schema, _ := json.Marshal(op.RequestBody.Content["application/json"].Schema)
		if diff := cmp.Diff(c.want, string(schema)); diff != "" {
			t.Error(diff)
		}
		if op.Parameters[0].In != "path" || op.Parameters[1].In != "query" || len(op.Responses) != 5 || op.Responses["204"] == nil || op.Responses["404"] == nil {
			t.Errorf("got %+v", op)
		}
	}
}
