package store_test

import (
	"fmt"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/archive"
	"github.com/callwright/callwright/store"
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
	a, b := open(t, sharedCluster(t).config(space)).Reports(t.Context(), archive.Limits{}), open(t, sharedCluster(t).config(space)).Reports(t.Context(), archive.Limits{})
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
