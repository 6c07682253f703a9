package turnmemo_test

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright/internal/wire/turnmemo"
)

// TestMemo: an entry has exactly the bytes in common that it has, whatever it grew from, only its owner and its reader find it, and the bound holds.
func TestMemo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.SampledFrom([]int{40 << 10, 1 << 20}).Draw(t, "limit")
		m := turnmemo.New(limit)
		text := []byte(strings.Repeat("head", 100))
		kept := map[*turnmemo.Entry][]byte{}
		for range rapid.IntRange(1, 60).Draw(t, "requests") {
			at := rapid.IntRange(0, len(text)).Draw(t, "change")
			if rapid.Bool().Draw(t, "grows") {
				at = len(text)
			}
			text = append(bytes.Clone(text[:at]), strings.Repeat(rapid.SampledFrom([]string{"a", "b", "cd"}).Draw(t, "letter"), rapid.IntRange(0, 500).Draw(t, "more"))...)
			owner := m.Of(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "owner"))
			kind := rapid.SampledFrom([]string{"x", "y"}).Draw(t, "kind")
			parent, common := owner.Find(kind, text)
			if parent != nil {
				was := kept[parent]
				if was == nil {
					was = []byte(parent.State.(string))
				}
				want := 0
				for want < len(was) && want < len(text) && was[want] == text[want] {
					want++
				}
				if common != want {
					t.Fatalf("got %d bytes in common, want %d", common, want)
				}
				common = rapid.IntRange(0, common).Draw(t, "used")
			}
			owner.Keep(kind, text, parent, common, string(text), rapid.IntRange(0, 3000).Draw(t, "cost"))
			if m.Size() > limit {
				t.Fatalf("%d bytes, want at most %d", m.Size(), limit)
			}
		}
	})
}

// TestOwners: what one owner or reader keeps no other one finds.
func TestOwners(t *testing.T) {
	m, text := turnmemo.New(0), []byte(strings.Repeat("x", 1000))
	m.Of("a").Keep("x", text, nil, 0, 1, 0)
	for _, c := range []struct {
		owner, kind string
		found       bool
	}{{"a", "x", true}, {"a", "y", false}, {"b", "x", false}, {"", "x", false}} {
		if e, n := m.Of(c.owner).Find(c.kind, text); (e != nil) != c.found || c.found && n != len(text) {
			t.Errorf("owner %q, kind %q: found %v, %d bytes", c.owner, c.kind, e != nil, n)
		}
	}
	if e, _ := turnmemo.New(-1).Of("a").Find("x", text); e != nil {
		t.Error("a memo that keeps nothing found something")
	}
}

// TestLongAtSecond: a long history without a parent is kept when its head comes for the second time.
func TestLongAtSecond(t *testing.T) {
	m, text := turnmemo.New(0), []byte(strings.Repeat("x", 100<<10))
	for i := range 3 {
		if e, _ := m.Of("a").Find("x", text); (e != nil) != (i == 2) {
			t.Errorf("request %d: found %v", i, e != nil)
		}
		m.Of("a").Keep("x", text, nil, 0, 1, 0)
	}
}

// TestMemoTogether: many conversations at once, for the race detector.
func TestMemoTogether(t *testing.T) {
	m := turnmemo.New(200 << 10)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			o := m.Of(fmt.Sprint(i % 3))
			text := []byte(strings.Repeat("head", 100))
			for range 200 {
				text = append(text, "one more turn of it "...)
				e, n := o.Find("x", text)
				if e != nil && !strings.HasPrefix(string(text), e.State.(string)[:n]) {
					t.Error("the bytes in common differ")
				}
				o.Keep("x", text, e, n, string(text), 100)
			}
		})
	}
	all.Wait()
}

// BenchmarkGrow is a conversation of 400 KB that grows by 1 KB a turn.
func BenchmarkGrow(b *testing.B) {
	o, turn := turnmemo.New(0).Of("a"), bytes.Repeat([]byte("turn"), 256)
	text := bytes.Repeat(turn, 400)
	o.Keep("x", text, nil, 0, 1, 0)
	o.Keep("x", text, nil, 0, 1, 0)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		text[len(text)-10] = byte(i)
		e, n := o.Find("x", text)
		if e == nil {
			b.Fatal("nothing was found")
		}
		o.Keep("x", text, e, n, 1, 100)
	}
}
