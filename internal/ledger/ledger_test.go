package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/ledger"
	"github.com/callwright/callwright/internal/ledger/ledgertest"
	"github.com/callwright/callwright/internal/testclock"
)

func TestMemoryStore(t *testing.T) {
	ledgertest.Run(t, 0, func(*testing.T) ledger.Store { return &ledger.MemoryStore{} })
}

// At midnight rows of both days are written in any order: neither is written twice, and none of the last 400 days is dropped.
func TestMemoryStoreKeepsDays(t *testing.T) {
	var store ledger.MemoryStore
	first := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	day := func(n int) string { return first.AddDate(0, 0, n).Format(time.DateOnly) }
	for n := range 410 {
		for _, at := range []int{n, n + 1, n} {
			if err := store.Write(t.Context(), day(at), "a", []ledger.Row{{Day: day(at), Key: "a", Requests: 1}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	days := map[string]int64{}
	if err := store.Read(t.Context(), day(0), day(500), func(r ledger.Row) { days[r.Day] += r.Requests }); err != nil {
		t.Fatal(err)
	}
	if len(days) != 400 || days[day(11)] != 1 || days[day(410)] != 1 {
		t.Errorf("%d days are kept, %d of the oldest and %d of the newest", len(days), days[day(11)], days[day(410)])
	}
}

// newBook returns a book with the use of two keys on two days.
func newBook(t *testing.T, store ledger.Store) (*ledger.Book, *testclock.Clock) {
	t.Helper()
	clock := testclock.At(time.Date(2026, 3, 14, 23, 59, 59, 0, time.UTC))
	b := ledger.New(store, clock.Now, nil)
	b.Add(access.Spent{Key: "a", Group: "g", Model: "lab/m", Requests: 1, Input: 100, Cached: 10, Output: 5, Nanos: 2e9})
	b.Add(access.Spent{Key: "a", Group: "g", Model: "lab/m", Input: 50, Output: 5, Nanos: 1e9}) // another attempt of the request
	b.Add(access.Spent{Key: "=b", Model: "lab/n", Requests: 1, Input: 1, Output: 1, Unpriced: 2})
	clock.Add(time.Second)
	b.Add(access.Spent{Key: "a", Group: "g", Model: "lab/n", Requests: 1, Input: 7, Output: 3, Nanos: 5e8})
	return b, clock
}

// What was used is added up by any columns, of the days that are asked for.
func TestTable(t *testing.T) {
	b, _ := newBook(t, &ledger.MemoryStore{})
	key := "a"
	for _, c := range []struct {
		q    ledger.Query
		want string
	}{
		{ledger.Query{By: []ledger.Column{ledger.ByKey}}, "=b 1 1 0 1 0 2;a 2 157 10 13 3.5 0;total 3 158 10 14 3.5 2"},
		{ledger.Query{By: []ledger.Column{ledger.ByModel, ledger.ByKey}}, "lab/m a 1 150 10 10 3 0;lab/n =b 1 1 0 1 0 2;lab/n a 1 7 0 3 0.5 0;total 3 158 10 14 3.5 2"},
		{ledger.Query{By: []ledger.Column{ledger.ByDay}}, "2026-03-14 2 151 10 11 3 2;2026-03-15 1 7 0 3 0.5 0;total 3 158 10 14 3.5 2"},
		{ledger.Query{By: []ledger.Column{ledger.ByGroup}}, " 1 1 0 1 0 2;g 2 157 10 13 3.5 0;total 3 158 10 14 3.5 2"},
		{ledger.Query{By: []ledger.Column{ledger.ByKey}, From: "2026-03-15", To: "2026-03-15"}, "a 1 7 0 3 0.5 0;total 1 7 0 3 0.5 0"},
		{ledger.Query{By: []ledger.Column{ledger.ByKey}, To: "2026-03-13"}, "total 0 0 0 0 0 0"},
		{ledger.Query{By: []ledger.Column{ledger.ByKey}, From: "2026-03-15", To: "2026-03-14"}, "total 0 0 0 0 0 0"},
		{ledger.Query{By: []ledger.Column{ledger.ByGroup}, From: "0001-01-01", To: "9999-12-31"}, " 1 1 0 1 0 2;g 2 157 10 13 3.5 0;total 3 158 10 14 3.5 2"},
		{ledger.Query{By: []ledger.Column{ledger.ByDay}, Key: &key}, "2026-03-14 1 150 10 10 3 0;2026-03-15 1 7 0 3 0.5 0;total 2 157 10 13 3.5 0"},
	} {
		table, err := b.Table(t.Context(), c.q)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for i := range table.Rows {
			for _, by := range c.q.By {
				got += table.Rows[i].Text(by) + " "
			}
			got += numbers(&table.Rows[i]) + ";"
		}
		if got += "total " + numbers(&table.Total); got != c.want {
			t.Errorf("%v: got %q, want %q", c.q, got, c.want)
		}
	}
}

func numbers(l *ledger.Line) string {
	return strings.Trim(fmt.Sprint([]any{l.Requests, l.InputTokens, l.CachedTokens, l.OutputTokens, l.USD, l.Unpriced}), "[]")
}

func TestCSV(t *testing.T) {
	b, _ := newBook(t, &ledger.MemoryStore{})
	table, err := b.Table(t.Context(), ledger.Query{By: []ledger.Column{ledger.ByKey, ledger.ByDay}})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := table.WriteCSV(&out); err != nil {
		t.Fatal(err)
	}
	const want = "key,day,requests,input_tokens,cached_tokens,output_tokens,usd,unpriced_tokens\r\n'=b,2026-03-14,1,1,0,1,0,2\r\na,2026-03-14,1,150,10,10,3,0\r\na,2026-03-15,1,7,0,3,0.5,0\r\n"
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestQueriesThatAreWrong(t *testing.T) {
	b, _ := newBook(t, &ledger.MemoryStore{})
	for _, q := range []ledger.Query{{From: "yesterday"}, {To: "2026-3-1"}} {
		if _, err := b.Table(t.Context(), q); callwright.KindOf(err) != callwright.KindInvalid {
			t.Errorf("%+v: got %v", q, err)
		}
	}
	for _, text := range []string{"", "key,", "hour"} {
		if _, err := ledger.ParseColumns(text); callwright.KindOf(err) != callwright.KindInvalid {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

// A brokenStore does not write until it is mended.
type brokenStore struct {
	ledger.MemoryStore
	mu     sync.Mutex
	broken bool
}

func (s *brokenStore) Write(ctx context.Context, day, key string, rows []ledger.Row) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken {
		return errors.New("it is away")
	}
	return s.MemoryStore.Write(ctx, day, key, rows)
}

// What cannot be written is written later, also when its day is over, and nothing is counted twice.
func TestStoreAway(t *testing.T) {
	store := &brokenStore{broken: true}
	b, clock := newBook(t, store)
	if _, err := b.Table(t.Context(), ledger.Query{By: []ledger.Column{ledger.ByKey}}); err == nil {
		t.Error("a table without what was used")
	}
	clock.Add(48 * time.Hour)
	b.Add(access.Spent{Key: "a", Model: "lab/m", Requests: 1, Input: 1})
	_ = b.Flush(t.Context())
	store.mu.Lock()
	store.broken = false
	store.mu.Unlock()
	for range 2 {
		table, err := b.Table(t.Context(), ledger.Query{By: []ledger.Column{ledger.ByKey}})
		if err != nil || table.Total.Requests != 4 || table.Total.InputTokens != 159 {
			t.Errorf("got %+v, %v", table, err)
		}
	}
}

// Requests of many clients are all counted.
func TestTogether(t *testing.T) {
	b, _ := newBook(t, &ledger.MemoryStore{})
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			for range 100 {
				b.Add(access.Spent{Key: fmt.Sprint("k", i%3), Model: "m", Requests: 1})
				if i == 0 {
					_ = b.Flush(t.Context())
				}
			}
		})
	}
	wg.Wait()
	table, err := b.Table(t.Context(), ledger.Query{By: []ledger.Column{ledger.ByModel}})
	if err != nil || table.Rows[len(table.Rows)-1].Requests != 2000 {
		t.Errorf("got %+v, %v", table, err)
	}
}
