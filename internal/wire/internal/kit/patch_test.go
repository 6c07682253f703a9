package kit_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

func index(body string) *kit.Index {
	x := kit.NewIndex([]byte(body))
	jsonx.WalkMembers(x.Raw, jsonx.Space(x.Raw, 0), func(key jsonx.Key, at int) int {
		end := jsonx.SkipValue(x.Raw, at)
		x.Add(key, at, end)
		return end
	})
	return &x
}

func TestIndex(t *testing.T) {
	x := index(` {"a" : 1, "l":[ ], "m":[0], "a":2}`)
	if got := string(x.Find("a")); got != "2" {
		t.Errorf("expected the last of two, got %s", got)
	}
	if x.Find("b") != nil || x.Lists("l") || !x.Lists("m") || x.Lists("a") {
		t.Error("expected b to be missing and m alone to be a list with something in it")
	}
	var all []string
	for key, v := range x.Members() {
		all = append(all, key.String()+string(v))
	}
	if got := strings.Join(all, " "); got != "a1 l[ ] m[0] a2" {
		t.Errorf("expected every member in order, got %s", got)
	}
	var once kit.Once[int]
	reads := 0
	read := func() (int, error) { reads++; return 7, nil }
	if once.Peek() != 0 {
		t.Error("expected nothing before it is read")
	}
	for range 2 {
		if n, err := once.Get(read); n != 7 || err != nil || reads != 1 {
			t.Errorf("expected one reading, got %d %v after %d", n, err, reads)
		}
	}
}

func TestPatched(t *testing.T) {
	for _, c := range []struct {
		name, body string
		make       func(p *kit.Patch)
		want       string
	}{
		{"nothing", ` {"a" : 1} `, func(p *kit.Patch) {}, ` {"a" : 1} `},
		{"white space around", " {\"a\" : 1}\n", func(p *kit.Patch) { p.Set([]byte("2"), "a") }, " {\"a\" : 2}\n"},
		{"twins", `{"a":1,"a":2}`, func(p *kit.Patch) { p.Set([]byte("2"), "a") }, `{"a":2,"a":2}`},
		{"spelled", `{"mod\u0065l":1}`, func(p *kit.Patch) { p.Set([]byte("2"), "model") }, `{"mod\u0065l":2}`},
		{"below", `{"o":{"p":1}}`, func(p *kit.Patch) { p.Set([]byte("2"), "o", "q") }, `{"o":{"p":1,"q":2}}`},
		{"in order", `{"a":1}`, func(p *kit.Patch) {
			p.Set(nil, "a")
			p.Set([]byte("3"), "a")
			p.Edit([]callwright.Edit{{Path: []string{"a"}, Value: json.RawMessage("4"), Only: json.RawMessage("3")}})
		}, `{"a":4}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var p kit.Patch
			c.make(&p)
			if got := string(index(c.body).ApplyPatch(&p)); got != c.want {
				t.Errorf("expected %s, got %s", c.want, got)
			}
		})
	}
}

// A patch that gives every member the value it has leaves the body itself.
func TestPatchedUnchanged(t *testing.T) {
	x := index(`{"model":"m","tools":[]}`)
	var p kit.Patch
	p.Set([]byte(`"m"`), "model")
	p.Set(nil, "stream")
	if got := x.ApplyPatch(&p); &got[0] != &x.Raw[0] {
		t.Errorf("expected the body itself, got a copy: %s", got)
	}
}
