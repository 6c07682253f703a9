package store_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/store"
)

// A conversation goes on at whichever gateway is asked, and after all have ended.
func TestAnswersAreShared(t *testing.T) {
	t.Parallel()
	space := fresh()
	gateways := []*store.AnswerStore{open(t, sharedCluster(t).config(space)).Answers(archive.Limits{}), open(t, sharedCluster(t).config(space)).Answers(archive.Limits{})}
	key := func(i int) archive.Key { return archive.Key{Owner: "o", ID: fmt.Sprint("resp_", i)} }
	want := "["
	for i := range 20 {
		at := gateways[i%2]
		var before *archive.Turn
		if i > 0 {
			var err error
			if before, err = at.Conversation(t.Context(), key(i-1)); err != nil {
				t.Fatal(err)
			}
			want += ","
		}
		want += fmt.Sprint(i)
		if err := at.Keep(t.Context(), key(i), archive.Answer{Body: []byte("{}"), Turn: &archive.Turn{Before: before, Items: fmt.Appendf(nil, "[%d]", i)}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := gateways[0].Delete(t.Context(), key(18)); err != nil {
		t.Fatal(err)
	}
	if _, err := gateways[1].Find(t.Context(), key(18)); callwright.KindOf(err) != callwright.KindNotFound {
		t.Errorf("a deleted answer: %v", err)
	}
	last, err := open(t, sharedCluster(t).config(space)).Answers(archive.Limits{}).Conversation(t.Context(), key(19))
	if err != nil || string(last.Conversation()) != want+"]" {
		t.Errorf("got %s, %v", last.Conversation(), err)
	}
}

// What one gateway reports another one lists, until it is deleted.
func TestReportsAreShared(t *testing.T) {
	t.Parallel()
	space := fresh()
	a, b := open(t, sharedCluster(t).config(space)).Reports(archive.Limits{}), open(t, sharedCluster(t).config(space)).Reports(archive.Limits{})
	listed := func() int {
		list, err := b.List(t.Context(), archive.Query{AnyOwner: true})
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	for i := range 10 {
		if err := a.Keep(t.Context(), &archive.Report{Owner: "\xff", Report: &callwright.Report{ID: fmt.Sprint("rep_", i)}}); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "all are listed", func() bool { return listed() == 10 })
	if err := a.Delete(t.Context(), archive.Key{Owner: "\xff", ID: "rep_3"}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "one is gone", func() bool { return listed() == 9 })
}

// What was kept before is found as soon as a Store is open, and what is kept while it is read is the latest.
func TestReportsAreReadBeside(t *testing.T) {
	t.Parallel()
	dir, l := folder(t), archive.Limits{Count: 3000, Bytes: 1 << 30}
	report := func(i int) *archive.Report {
		return &archive.Report{Time: time.Unix(int64(i), 0), Report: &callwright.Report{ID: fmt.Sprint("rep_", i)}}
	}
	first, err := store.Open(t.Context(), store.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	for i := range l.Count {
		if err := first.Reports(l).Keep(t.Context(), report(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	r := open(t, store.Config{Dir: dir}).Reports(l)
	if err := r.Keep(t.Context(), report(l.Count)); err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{l.Count - 1, l.Count} {
		if _, err := r.Find(t.Context(), report(i).Key()); err != nil {
			t.Error(err)
		}
	}
	eventually(t, "the oldest makes room", func() bool {
		_, err := r.Find(t.Context(), report(0).Key())
		return callwright.KindOf(err) == callwright.KindNotFound
	})
	got, err := r.List(t.Context(), archive.Query{})
	if err != nil || len(got) == 0 || got[0].Report.ID != report(l.Count).Report.ID {
		t.Errorf("got %d reports, %v", len(got), err)
	}
}

// Reports that came together are there after the end of the process, but for those that were deleted.
func TestReportsStay(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	first, err := store.Open(t.Context(), store.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	kept := first.Reports(archive.Limits{})
	const n = 300 // more than one message takes
	for i := range n {
		rep := &callwright.Report{ID: fmt.Sprint("rep_", i), Model: callwright.ModelID(strings.Repeat("m", 500))}
		if err := kept.Keep(t.Context(), &archive.Report{Time: time.Unix(int64(i), 0), Report: rep}); err != nil {
			t.Fatal(err)
		}
		if i%100 == 50 {
			if err := kept.Delete(t.Context(), archive.Key{ID: rep.ID}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again := open(t, store.Config{Dir: dir}).Reports(archive.Limits{})
	list, err := again.List(t.Context(), archive.Query{AnyOwner: true, Limit: n})
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != n-3 || list[0].Report.ID != fmt.Sprint("rep_", n-1) || len(list[0].Report.Model) != 500 {
		t.Errorf("expected %d reports, the latest first, got %d from %s to %s", n-3, len(list), list[0].Report.ID, list[len(list)-1].Report.ID)
	}
	if _, err := again.Find(t.Context(), archive.Key{ID: "rep_150"}); callwright.KindOf(err) != callwright.KindNotFound {
		t.Errorf("a deleted report: %v", err)
	}
}
