package kit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/turnmemo"
)

// counter is the smallest Resumer: each object of the list is a turn.
type counter struct {
	Outliner
	read []int // numbers of the elements that were read
}

func (c *counter) Enter(_ *Shape, n int) bool {
	c.N = n
	c.Begin()
	return !c.SkipElement(func() string { return c.Path("") })
}

func (c *counter) Leave(o *Object) {
	c.read = append(c.read, o.N)
	c.End(o.Span)
}

var counted = NewShape(1, "text")

func readCounted(t *testing.T, memo turnmemo.Owner, body string) (*Index, *counter) {
	t.Helper()
	x := NewIndex([]byte(body))
	x.Memo = memo
	c := &counter{Outliner: NewOutliner("test", "turns", x.Raw, 0)}
	if err := x.Walk("test", c, func(w *Walk, key jsonx.Key, at int) int {
		switch {
		case key.Is("turns"):
			return w.History(at, counted, c)
		case key.Is("before"):
			return w.List(at, counted)
		}
		return 0
	}); err != nil {
		t.Fatal(err)
	}
	return &x, c
}

func turnsOf(from, to int) string {
	var turns []string
	for i := from; i < to; i++ {
		turns = append(turns, fmt.Sprintf(`{"text":"%d %s"}`, i, strings.Repeat("long ", 100)))
	}
	return strings.Join(turns, ",")
}

// TestHistoryResumes: the elements that an earlier list began with are not read again, and the places of long values are those of the body at hand.
func TestHistoryResumes(t *testing.T) {
	memo := turnmemo.New(0)
	first := `{"turns":[` + turnsOf(0, 20) + `]}`
	for _, c := range []struct {
		owner, body string
		read        []int
	}{
		{"a", first, numbers(0, 20)},
		{"a", first, nil},
		{"b", first, numbers(0, 20)},
		{"a", `{"model":"x","turns": [` + turnsOf(0, 20) + `,` + turnsOf(20, 22) + `],"more":"` + strings.Repeat("x", 400) + `"}`, []int{20, 21}},
		{"a", `{"turns":[` + turnsOf(0, 15) + `,` + turnsOf(30, 33) + `]}`, []int{15, 16, 17}},
		{"a", `{"turns":[` + turnsOf(0, 15) + `]}`, nil},
	} {
		got, c1 := readCounted(t, memo.Of(c.owner), c.body)
		want, c2 := readCounted(t, turnmemo.Owner{}, c.body)
		if !slices.Equal(c1.read, c.read) {
			t.Errorf("read %v, want %v", c1.read, c.read)
		}
		if !slices.Equal(got.long.list, want.long.list) || !slices.Equal(c1.Spans, c2.Spans) {
			t.Errorf("got %v %v\nwant %v %v", got.long.list, c1.Spans, want.long.list, c2.Spans)
		}
	}
}

func numbers(from, to int) (list []int) {
	for i := from; i < to; i++ {
		list = append(list, i)
	}
	return list
}

// TestHistoryResumesCounts: parts that were read in an earlier request count towards the limit.
func TestHistoryResumesCounts(t *testing.T) {
	memo := turnmemo.New(1 << 30).Of("")
	many := strings.Repeat(`{},`, MaxParts-1) + `{}`
	for range 2 { // the first one is too long to be kept at once
		readCounted(t, memo, `{"turns":[`+many+`]}`)
	}
	_, c := readCounted(t, memo, `{"turns":[`+many+`,{}]}`)
	if c.Err == nil || len(c.read) > 1 {
		t.Errorf("got the error %v, read %d elements", c.Err, len(c.read))
	}
}

// TestHistoryCountsBefore: parts before a list count towards the limit, also where the list was read in an earlier request.
func TestHistoryCountsBefore(t *testing.T) {
	memo := turnmemo.New(1 << 30).Of("")
	many := strings.Repeat(`{},`, MaxParts-1) + `{}`
	for range 2 {
		readCounted(t, memo, `{"turns":[`+many+`]}`)
	}
	body := `{"before":[{}],"turns":[` + many + `]}`
	_, got := readCounted(t, memo, body)
	_, want := readCounted(t, turnmemo.Owner{}, body)
	if want.Err == nil || got.Err == nil || got.Err.Error() != want.Err.Error() {
		t.Errorf("got the error %v, want %v", got.Err, want.Err)
	}
}
