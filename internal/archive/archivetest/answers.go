package archivetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/testclock"
)

// OpenAnswers opens an empty store that gets the time from now. It must close the store by t.Cleanup.
type OpenAnswers func(t *testing.T, now func() time.Time, l archive.Limits) archive.Answers

// answerLaws are the properties that every store of answers must have, with their tests.
var answerLaws = []struct {
	name string
	test func(s *answers, t *testing.T)
}{
	{"content", (*answers).content},
	{"replaced", (*answers).testReplacement},
	{"same id", (*answers).sameID},
	{"owners", (*answers).owners},
	{"branches", (*answers).branches},
	{"deleted", (*answers).testDeletion},
	{"lost meanwhile", (*answers).lostMeanwhile},
	{"age", (*answers).age},
	{"age of a conversation", (*answers).ageOfConversation},
	{"count", (*answers).count},
	{"bytes", (*answers).bytes},
	{"long conversation", (*answers).longConversation},
	{"too large", (*answers).tooLarge},
	{"canceled", (*answers).testCancellation},
	{"together", (*answers).together},
}

// Answers tests an implementation of archive.Answers.
func Answers(t *testing.T, open OpenAnswers) {
	t.Helper()
	for _, law := range answerLaws {
		t.Run(law.name, func(t *testing.T) { law.test(&answers{t: t, open: open, Clock: testclock.At(begin)}, t) })
	}
}

// begin is the initial time of each test.
var begin = time.Date(2026, 3, 29, 1, 59, 59, 123456789, time.UTC)

// An answers is the store under test with its clock.
type answers struct {
	t    *testing.T
	open OpenAnswers
	*testclock.Clock
	archive.Answers
}

// with opens the store with limits.
func (s *answers) with(l archive.Limits) {
	s.Answers = s.open(s.t, s.Now, l)
}

func key(id string) archive.Key { return archive.Key{Owner: "\xffowner\x00", ID: id} }

// keep stores an answer whose turn follows the turn before.
func (s *answers) keep(k archive.Key, before *archive.Turn, items string) {
	s.t.Helper()
	a := archive.Answer{Body: []byte(`{"id":"` + k.ID + `"}`), Turn: &archive.Turn{Before: before, Items: []byte(items)}}
	if err := s.Keep(s.t.Context(), k, a); err != nil {
		s.t.Fatalf("keep %q: %v", k.ID, err)
	}
}

// after returns the last turn of the conversation that ends with an answer.
func (s *answers) after(k archive.Key) *archive.Turn {
	s.t.Helper()
	turn, err := s.Conversation(s.t.Context(), k)
	if err != nil {
		s.t.Fatalf("conversation of %q: %v", k.ID, err)
	}
	return turn
}

// expect fails the test unless an answer has its body and the given conversation.
func (s *answers) expect(k archive.Key, conversation string) {
	s.t.Helper()
	body, err := s.Find(s.t.Context(), k)
	if want := `{"id":"` + k.ID + `"}`; err != nil || string(body) != want {
		s.t.Fatalf("find %q: expected %s, got %s and %v", k.ID, want, body, err)
	}
	if got := s.after(k).Conversation(); string(got) != conversation {
		s.t.Fatalf("conversation of %q: expected %.300s, got %.300s", k.ID, conversation, got)
	}
}

// expectMissing fails the test unless an answer is missing.
func (s *answers) expectMissing(k archive.Key) {
	s.t.Helper()
	body, err := s.Find(s.t.Context(), k)
	expectKind(s.t, err, callwright.KindNotFound)
	turn, err := s.Conversation(s.t.Context(), k)
	expectKind(s.t, err, callwright.KindNotFound)
	expectKind(s.t, s.Delete(s.t.Context(), k), callwright.KindNotFound)
	if body != nil || turn != nil {
		s.t.Fatalf("%q is gone, got %s and %v", k.ID, body, turn)
	}
}

// isKept reports whether an answer is stored. It fails the test unless body and conversation are both stored or both
// missing.
func (s *answers) isKept(k archive.Key) bool {
	s.t.Helper()
	_, err := s.Find(s.t.Context(), k)
	_, noTurn := s.Conversation(s.t.Context(), k)
	if callwright.KindOf(err) != callwright.KindOf(noTurn) {
		s.t.Fatalf("find %q: %v, its conversation: %v", k.ID, err, noTurn)
	}
	if err != nil {
		expectKind(s.t, err, callwright.KindNotFound)
	}
	return err == nil
}

func expectKind(t *testing.T, err error, want callwright.Kind) {
	t.Helper()
	if callwright.KindOf(err) != want {
		t.Fatalf("expected an error of kind %q, got %v", want, err)
	}
}

func (s *answers) content(t *testing.T) {
	s.with(archive.Limits{})
	for i, items := range []string{`[]`, " [ ] ", `[1]`, "\n[{\"a\":\"\\u0000 é\"},\t2]\n", `["` + strings.Repeat("long", 100_000) + `"]`} {
		k := key(fmt.Sprintf("resp_%d/ä %s", i, strings.Repeat("x", i*100)))
		body := bytes.Repeat([]byte("\x00\xff{"), i*1000)
		if err := s.Keep(t.Context(), k, archive.Answer{Body: body, Turn: &archive.Turn{Items: []byte(items)}}); err != nil {
			t.Fatal(err)
		}
		got, err := s.Find(t.Context(), k)
		if err != nil || !bytes.Equal(got, body) {
			t.Errorf("%q: got %d bytes and %v, want %d", k.ID, len(got), err, len(body))
		}
		if turn := s.after(k); turn.Before != nil || string(turn.Items) != items {
			t.Errorf("%q: got %.100s, want %.100s", k.ID, turn.Items, items)
		}
	}
	s.expectMissing(key("resp"))
	s.expectMissing(key(""))
}

func (s *answers) testReplacement(*testing.T) {
	s.with(archive.Limits{})
	s.keep(key("a"), nil, `[1]`)
	s.keep(key("a"), nil, `[2]`)
	s.expect(key("a"), `[2]`)
	if err := s.Delete(s.t.Context(), key("a")); err != nil {
		s.t.Fatal(err)
	}
	s.expectMissing(key("a"))
}

// sameID tests a provider that gives all answers the same id.
func (s *answers) sameID(*testing.T) {
	s.with(archive.Limits{})
	s.keep(key("a"), nil, `[1]`)
	for i := 2; i < 6; i++ {
		s.keep(key("a"), s.after(key("a")), fmt.Sprintf(`[%d]`, i))
	}
	s.expect(key("a"), `[1,2,3,4,5]`)
}

func (s *answers) owners(*testing.T) {
	s.with(archive.Limits{})
	keys := []archive.Key{{Owner: "", ID: "a.b"}, {Owner: "a", ID: "b"}, {Owner: "a.", ID: "b"}, {Owner: "a", ID: ".b"},
		{Owner: "A", ID: "b"}, {Owner: "a", ID: "B"},
		{Owner: "\x00", ID: "a.b"}, {Owner: "\xff", ID: "a.b"}, {Owner: "ab", ID: ""}, {Owner: "*", ID: ">"}}
	for i, k := range keys {
		for _, later := range keys[i:] {
			s.expectMissing(later)
		}
		s.keep(k, nil, fmt.Sprintf(`[%d]`, i))
	}
	for i, k := range keys {
		s.expect(k, fmt.Sprintf(`[%d]`, i))
		if err := s.Delete(s.t.Context(), k); err != nil {
			s.t.Fatal(err)
		}
		s.expectMissing(k)
	}
}

// branches tests several answers that continue the same answer, also an older one.
func (s *answers) branches(t *testing.T) {
	s.with(archive.Limits{})
	s.keep(key("a"), nil, `[1]`)
	s.keep(key("b"), s.after(key("a")), `[2]`)
	s.keep(key("c"), s.after(key("a")), `[]`)
	s.keep(key("d"), s.after(key("b")), `[4]`)
	s.keep(key("e"), s.after(key("c")), `[5, 6]`)
	s.expect(key("d"), `[1,2,4]`)
	s.expect(key("e"), `[1,5, 6]`)
	if n := s.after(key("e")).Len(); n != 3 {
		t.Errorf("got %d turns, want 3", n)
	}
}

func (s *answers) testDeletion(t *testing.T) {
	s.with(archive.Limits{})
	s.keep(key("a"), nil, `[1]`)
	s.keep(key("b"), s.after(key("a")), `[2]`)
	s.keep(key("c"), s.after(key("b")), `[3]`)
	for _, id := range []string{"b", "a"} {
		if err := s.Delete(t.Context(), key(id)); err != nil {
			t.Fatal(err)
		}
		s.expectMissing(key(id))
		s.expect(key("c"), `[1,2,3]`)
	}
	s.keep(key("d"), s.after(key("c")), `[4]`)
	s.expect(key("d"), `[1,2,3,4]`)
}

// lostMeanwhile tests that an answer can be stored if the earlier turns were removed while it was generated.
func (s *answers) lostMeanwhile(t *testing.T) {
	s.with(archive.Limits{Age: time.Hour})
	s.keep(key("a"), nil, `[1]`)
	s.keep(key("b"), s.after(key("a")), `[2]`)
	was := s.after(key("b"))
	for _, id := range []string{"a", "b"} {
		if err := s.Delete(t.Context(), key(id)); err != nil {
			t.Fatal(err)
		}
	}
	s.keep(key("c"), was, `[3]`)
	s.expect(key("c"), `[1,2,3]`)
	was = s.after(key("c"))
	s.Add(3 * time.Hour)
	s.expectMissing(key("c"))
	s.keep(key("d"), was, `[4]`)
	s.expect(key("d"), `[1,2,3,4]`)
}

func (s *answers) age(*testing.T) {
	s.with(archive.Limits{Age: time.Hour})
	s.keep(key("a"), nil, `[1]`)
	s.Add(time.Hour - time.Second)
	s.keep(key("b"), nil, `[2]`)
	s.expect(key("a"), `[1]`)
	s.Add(time.Second)
	s.expectMissing(key("a"))
	s.expect(key("b"), `[2]`)
	s.Add(time.Hour)
	s.expectMissing(key("b"))
}

// ageOfConversation tests that a conversation stays complete if it lasts longer than the maximum age of an answer.
func (s *answers) ageOfConversation(*testing.T) {
	s.with(archive.Limits{Age: time.Hour})
	s.keep(key("0"), nil, `[0]`)
	want := `[0`
	for i := 1; i < 12; i++ {
		s.Add(50 * time.Minute)
		s.keep(key(fmt.Sprint(i)), s.after(key(fmt.Sprint(i-1))), fmt.Sprintf(`[%d]`, i))
		want += fmt.Sprintf(`,%d`, i)
		s.expect(key(fmt.Sprint(i)), want+`]`)
		if i > 1 {
			s.expectMissing(key(fmt.Sprint(i - 2)))
		}
	}
	s.Add(59 * time.Minute)
	s.expect(key("11"), want+`]`)
}

func (s *answers) testCancellation(t *testing.T) {
	s.with(archive.Limits{})
	s.keep(key("a"), nil, `[1]`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.Find(ctx, key("a"))
	_, alsoErr := s.Conversation(ctx, key("a"))
	for _, err := range []error{err, alsoErr, s.Delete(ctx, key("a")),
		s.Keep(ctx, key("b"), archive.Answer{Body: []byte("{}"), Turn: &archive.Turn{Items: []byte("[]")}})} {
		if expectKind(t, err, callwright.KindCanceled); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
	s.expect(key("a"), `[1]`)
	s.expectMissing(key("b"))
}
