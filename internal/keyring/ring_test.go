package keyring_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/keyapi"
	"github.com/callwright/callwright/internal/keyring"
	"github.com/callwright/callwright/internal/keyring/logtest"
	"github.com/callwright/callwright/internal/testclock"
	"github.com/google/go-cmp/cmp"
)

func TestMemoryLog(t *testing.T) {
	logs := map[string]*keyring.MemoryLog{}
	logtest.Run(t, func(_ *testing.T, name string) keyring.Log {
		if logs[name] == nil {
			logs[name] = &keyring.MemoryLog{}
		}
		return logs[name]
	})
}

var began = time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC)

// A place is rings and gates of gateways that share a log, by one clock.
type place struct {
	t     *testing.T
	clock *testclock.Clock
	log   *keyring.MemoryLog
	rings []*keyring.Ring
	gates []*access.Gate
}

// newPlace makes gateways, each with the keys of a configuration.
func newPlace(t *testing.T, gateways int, keys ...access.Key) *place {
	t.Helper()
	p := &place{t: t, clock: testclock.At(began), log: &keyring.MemoryLog{}}
	counters := access.NewMemoryCounters(p.clock.Now)
	for range gateways {
		r := keyring.New(p.log, p.clock.Now)
		g, err := access.New(access.Config{Keys: keys, Source: r, Counters: counters, Now: p.clock.Now})
		if err != nil {
			t.Fatal(err)
		}
		r.SetConfigured(g)
		p.rings, p.gates = append(p.rings, r), append(p.gates, g)
	}
	return p
}

// find returns the caller of a secret at every gateway, or what refuses it.
func (p *place) find(secret string) (c *access.Caller, refused string) {
	p.t.Helper()
	for i, g := range p.gates {
		var err error
		c, err = g.Find([][]byte{[]byte(secret)})
		said := ""
		if err != nil {
			said = err.Error()
		}
		if i > 0 && said != refused {
			p.t.Errorf("gateways differ: %q and %q", refused, said)
		}
		refused = said
	}
	return c, refused
}

// expect says of a secret what refuses it, "" for nothing.
func (p *place) expect(about, secret, want string) {
	p.t.Helper()
	if _, got := p.find(secret); want == "" && got != "" || !strings.Contains(got, want) {
		p.t.Errorf("%s: got %q, want %q", about, got, want)
	}
}

var operator = access.NewUnlimitedKey("operator", access.HashOf("operator"))

// Every change of a key is seen by all gateways with the next request.
func TestLife(t *testing.T) {
	p := newPlace(t, 2, operator)
	one, other := p.rings[0], p.rings[1]
	ctx := t.Context()
	k, secret, err := one.Create(ctx, "operator", "ci", keyring.Settings{Models: []string{"fast"}, Bounds: keyring.Bounds{Requests: 2}, Labels: map[string]string{"team": "a"}})
	if err != nil || k.Name != "ci" || !strings.HasPrefix(secret, "cw_") {
		t.Fatalf("got %+v %v", k, err)
	}
	p.expect("made", secret, "")
	c, _ := p.find(secret)
	if err := c.MayAsk("slow", nil); callwright.KindOf(err) != callwright.KindPermission {
		t.Errorf("out of scope: %v", err)
	}
	if _, err := other.Change(ctx, "operator", "ci", []byte(`{"disabled": true, "models": null}`)); err != nil {
		t.Fatal(err)
	}
	p.expect("disabled", secret, `the key "ci" is disabled`)
	if _, err := one.Change(ctx, "operator", "ci", []byte(`{"disabled": false}`)); err != nil {
		t.Fatal(err)
	}
	p.expect("enabled", secret, "")
	if c, _ := p.find(secret); c.MayAsk("slow", nil) != nil {
		t.Error("the scope was not removed")
	}
	k, second, err := other.Rotate(ctx, "operator", "ci", 24*time.Hour)
	if err != nil || second == secret || k.PreviousUntil == nil || !k.PreviousUntil.Equal(began.Add(24*time.Hour)) {
		t.Fatalf("got %+v %v", k, err)
	}
	p.expect("rotated, the new one", second, "")
	p.expect("rotated, the old one", secret, "")
	p.clock.Add(24 * time.Hour)
	p.expect("after the overlap, the new one", second, "")
	p.expect("after the overlap, the old one", secret, `the key "ci" was replaced`)
	_, third, err := one.Rotate(ctx, "operator", "ci", 0)
	if err != nil {
		t.Fatal(err)
	}
	p.expect("rotated at once, the new one", third, "")
	p.expect("rotated at once, the old one", second, "is not one of this gateway's keys")
	if _, err := one.Change(ctx, "operator", "ci", []byte(`{"expires": "2026-03-16T00:00:00Z"}`)); err != nil {
		t.Fatal(err)
	}
	p.expect("before its end", third, "")
	p.clock.Add(24 * time.Hour)
	p.expect("after its end", third, `the key "ci" expired`)
	if err := other.Delete(ctx, "operator", "ci"); err != nil {
		t.Fatal(err)
	}
	p.expect("deleted", third, "is not one of this gateway's keys")
	if _, _, err := one.Create(ctx, "operator", "ci", keyring.Settings{}); err != nil {
		t.Errorf("a name that is free again: %v", err)
	}
}

// A limit of spend is removed with its sum.
func TestSpendPatch(t *testing.T) {
	p := newPlace(t, 1, operator)
	ctx := t.Context()
	if _, _, err := p.rings[0].Create(ctx, "operator", "ci", keyring.Settings{}); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		patch string
		want  *keyring.Spend
	}{
		{`{"spend": {"usd": 5}}`, &keyring.Spend{USD: 5}},
		{`{"spend": {"per": "day"}}`, &keyring.Spend{USD: 5, Per: access.Day}},
		{`{"spend": {"usd": null}}`, nil},
		{`{"spend": {"usd": null, "per": null}}`, nil},
		{`{"spend": {"per": "day"}}`, nil},
	} {
		k, err := p.rings[0].Change(ctx, "operator", "ci", []byte(step.patch))
		if err != nil {
			t.Fatalf("%s: %v", step.patch, err)
		}
		if d := cmp.Diff(step.want, k.Spend); d != "" {
			t.Errorf("%s: (-want +got)\n%s", step.patch, d)
		}
	}
}

// The keys of a group share its limits, beside their own, at all gateways.
func TestGroups(t *testing.T) {
	p := newPlace(t, 2, operator)
	ctx, r := t.Context(), p.rings[0]
	if _, err := r.CreateGroup(ctx, "operator", "team", keyring.GroupSettings{Bounds: keyring.Bounds{Requests: 10}}); err != nil {
		t.Fatal(err)
	}
	var secrets []string
	for _, name := range []string{"a", "b", "own"} {
		s := keyring.Settings{Group: "team"}
		if name == "own" {
			s.Requests = 1
		}
		_, secret, err := r.Create(ctx, "operator", name, s)
		if err != nil {
			t.Fatal(err)
		}
		secrets = append(secrets, secret)
	}
	passed := map[string]int{}
	for range 12 {
		for i, secret := range secrets {
			for _, g := range p.gates {
				c, err := g.Find([][]byte{[]byte(secret)})
				if err != nil {
					t.Fatal(err)
				}
				if err := c.CountRequest(ctx); err == nil {
					passed[c.Name]++
				} else if i < 2 && !strings.Contains(err.Error(), `the group of keys "team" has used its limit of 10 requests`) {
					t.Errorf("got %v", err)
				}
			}
		}
	}
	if all := passed["a"] + passed["b"] + passed["own"]; all != 10 || passed["own"] != 1 || passed["a"] == 0 || passed["b"] == 0 {
		t.Errorf("got %v", passed)
	}
	u, ok := p.gates[1].GroupUsage(ctx, "team")
	if !ok || len(u.Limits) != 1 || u.Limits[0].Used != 10 {
		t.Errorf("got %+v", u)
	}
	if err := r.DeleteGroup(ctx, "operator", "team"); callwright.KindOf(err) != callwright.KindConflict {
		t.Errorf("a group with keys: %v", err)
	}
	p.clock.Add(2 * time.Minute)
	if _, err := r.ChangeGroup(ctx, "operator", "team", []byte(`{"requests_per_minute": 1}`)); err != nil {
		t.Fatal(err)
	}
	c, _ := p.find(secrets[0])
	if first, second := c.CountRequest(ctx), c.CountRequest(ctx); first != nil || callwright.KindOf(second) != callwright.KindRateLimited {
		t.Errorf("got %v and %v", first, second)
	}
	for _, name := range []string{"a", "b", "own"} {
		if _, err := r.Change(ctx, "operator", name, []byte(`{"group": null}`)); err != nil {
			t.Error(err)
		}
	}
	if err := r.DeleteGroup(ctx, "operator", "team"); err != nil {
		t.Error(err)
	}
}

// A group's budget is passed by at most the cost of one request, also where its keys are new and many ask at once.
func TestGroupSpend(t *testing.T) {
	p := newPlace(t, 2, operator)
	ctx, r := t.Context(), p.rings[0]
	prices := access.NewPrices([]access.PriceRow{{Models: "lab/m", Price: access.Price{Input: 1, Output: 1}}})
	for _, g := range p.gates {
		use, err := g.Prepare(access.Config{Keys: []access.Key{operator}, Prices: prices})
		if err != nil {
			t.Fatal(err)
		}
		use()
	}
	const usd = 0.01 // as much as 10,000 tokens cost
	if _, err := r.CreateGroup(ctx, "", "team", keyring.GroupSettings{Bounds: keyring.Bounds{Spend: &keyring.Spend{USD: usd, Per: access.Day}}}); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	spent, most := 0, 0
	for i := range 30 {
		_, secret, err := r.Create(ctx, "", fmt.Sprint("k", i), keyring.Settings{Group: "team"})
		if err != nil {
			t.Fatal(err)
		}
		for n := range 10 {
			wg.Go(func() {
				c, err := p.gates[n%2].Find([][]byte{[]byte(secret)})
				if err != nil {
					t.Error(err)
					return
				}
				use, err := c.Reserve(ctx, access.PlannedRequest{Models: []callwright.ModelID{"lab/m"}, Input: 100, MaxOutput: 900})
				if err != nil {
					return
				}
				tokens := 200 + 100*(n%8)
				use.Settle(ctx, &callwright.Report{Attempts: []callwright.Attempt{{Model: "lab/m", Usage: callwright.Usage{Known: true, Input: 100, Output: tokens - 100}}}}, callwright.Usage{})
				mu.Lock()
				defer mu.Unlock()
				spent, most = spent+tokens, max(most, tokens)
			})
		}
	}
	wg.Wait()
	if spent == 0 || spent > 10_000+most {
		t.Errorf("%d of 10000 tokens were used, one request has %d", spent, most)
	}
}

// What cannot be done is refused with an error that says why, and changes nothing.
func TestRefused(t *testing.T) {
	ctx := t.Context()
	some := func(s keyring.Settings) func(r *keyring.Ring) error {
		return func(r *keyring.Ring) error { _, _, err := r.Create(ctx, "", "new", s); return err }
	}
	patch := func(text string) func(r *keyring.Ring) error {
		return func(r *keyring.Ring) error { _, err := r.Change(ctx, "", "ci", []byte(text)); return err }
	}
	for about, c := range map[string]struct {
		do   func(r *keyring.Ring) error
		kind callwright.Kind
		want string
	}{
		"a name that the state has": {func(r *keyring.Ring) error { _, _, err := r.Create(ctx, "", "ci", keyring.Settings{}); return err }, callwright.KindConflict, `there is a key "ci" already`},
		"a name that the configuration has": {func(r *keyring.Ring) error {
			_, _, err := r.Create(ctx, "", "operator", keyring.Settings{})
			return err
		}, callwright.KindConflict, `there is a key "operator" already`},
		"a slash":                    {func(r *keyring.Ring) error { _, _, err := r.Create(ctx, "", "a/b", keyring.Settings{}); return err }, callwright.KindInvalid, "expected a name of 1 to 128"},
		"a key of the configuration": {func(r *keyring.Ring) error { return r.Delete(ctx, "", "operator") }, callwright.KindConflict, "is in the configuration: change it there"},
		"no such key":                {func(r *keyring.Ring) error { return r.Delete(ctx, "", "nobody") }, callwright.KindNotFound, `there is no key "nobody"`},
		"no such group":              {some(keyring.Settings{Group: "none"}), callwright.KindConflict, `there is no group "none": create it first`},
		"no such verb":               {some(keyring.Settings{Verbs: []access.Verb{"fly"}}), callwright.KindInvalid, `unknown verb "fly"`},
		"a limit below nothing":      {some(keyring.Settings{Bounds: keyring.Bounds{Tokens: -1}}), callwright.KindInvalid, "/tokens_per_minute: expected a number from 0"},
		"no dollars":                 {some(keyring.Settings{Bounds: keyring.Bounds{Spend: &keyring.Spend{}}}), callwright.KindInvalid, "/spend/usd: expected US dollars above 0, up to 1000000000, got 0: leave spend out for no limit"},
		"a period":                   {some(keyring.Settings{Bounds: keyring.Bounds{Spend: &keyring.Spend{USD: 1, Per: "year"}}}), callwright.KindInvalid, "/spend/per: expected day or month"},
		"an overlap below nothing":   {func(r *keyring.Ring) error { _, _, err := r.Rotate(ctx, "", "ci", -1); return err }, callwright.KindInvalid, "/overlap"},
		"an unknown member":          {patch(`{"modles": []}`), callwright.KindInvalid, `unknown field "modles"`},
		"the wrong type":             {patch(`{"disabled": "yes"}`), callwright.KindInvalid, "cannot unmarshal"},
		"no object":                  {patch(`[]`), callwright.KindInvalid, "expected a JSON object"},
		"two objects":                {patch(`{} {}`), callwright.KindInvalid, "got more"},
	} {
		t.Run(about, func(t *testing.T) {
			r := newPlace(t, 1, operator).rings[0]
			if _, _, err := r.Create(ctx, "", "ci", keyring.Settings{}); err != nil {
				t.Fatal(err)
			}
			before, _ := json.Marshal(r.List())
			if err := c.do(r); callwright.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v of kind %q, want %q", err, callwright.KindOf(err), c.want)
			}
			if after, _ := json.Marshal(r.List()); string(after) != string(before) {
				t.Errorf("got %s, was %s", after, before)
			}
		})
	}
}

// Without a key of the configuration that may, one of the ring may make others at any time; and before there is one everybody is let in.
func TestLastAdministrator(t *testing.T) {
	p := newPlace(t, 1)
	ctx, r, g := t.Context(), p.rings[0], p.gates[0]
	if !g.Open() {
		t.Error("without keys it is not open")
	}
	refused := func(about string, err error) {
		t.Helper()
		if callwright.KindOf(err) != callwright.KindConflict || !strings.Contains(err.Error(), "no key would have the verb admin") {
			t.Errorf("%s: %v", about, err)
		}
	}
	_, _, err := r.Create(ctx, "", "ci", keyring.Settings{})
	refused("the first one", err)
	all := keyring.Settings{Verbs: access.Verbs()}
	if _, _, err := r.Create(ctx, "", "root", all); err != nil {
		t.Fatal(err)
	}
	if g.Open() {
		t.Error("with a key it is open")
	}
	refused("delete", r.Delete(ctx, "root", "root"))
	for _, patch := range []string{`{"disabled": true}`, `{"verbs": null}`, `{"expires": "2026-03-14T00:00:00Z"}`} {
		_, err := r.Change(ctx, "root", "root", []byte(patch))
		refused(patch, err)
	}
	if _, _, err := r.Create(ctx, "root", "other", all); err != nil {
		t.Fatal(err)
	}
	if err := r.Delete(ctx, "other", "root"); err != nil {
		t.Error(err)
	}
}

// A key of the state that has the name of one of the configuration, or is the same, is not used: the configuration wins.
func TestConfigurationWins(t *testing.T) {
	p := newPlace(t, 1, operator)
	_, secret, err := p.rings[0].Create(t.Context(), "", "ci", keyring.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	use, err := p.gates[0].Prepare(access.Config{Keys: []access.Key{operator, {Name: "ci", Hash: access.HashOf("file")}}})
	if err != nil {
		t.Fatal(err)
	}
	use()
	p.expect("that of the configuration", "file", "")
	p.expect("that of the state", secret, "is not one of this gateway's keys")
}

// A group of the configuration takes the place of one of the state, and keys of either kind keep a group from being removed.
func TestConfiguredGroups(t *testing.T) {
	p := newPlace(t, 1, operator)
	ctx, r := t.Context(), p.rings[0]
	for _, name := range []string{"team", "other"} {
		if _, err := r.CreateGroup(ctx, "operator", name, keyring.GroupSettings{}); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := r.Create(ctx, "operator", "a", keyring.Settings{Group: "team"}); err != nil {
		t.Fatal(err)
	}
	use, err := p.gates[0].Prepare(access.Config{Keys: []access.Key{operator, {Name: "ci", Group: "other", Hash: access.HashOf("file")}},
		Groups: []access.Group{{Name: "team"}}})
	if err != nil {
		t.Fatal(err)
	}
	use()
	if err := r.DeleteGroup(ctx, "operator", "other"); callwright.KindOf(err) != callwright.KindConflict || !strings.Contains(err.Error(), `"ci"`) {
		t.Errorf("a group with a key of the configuration: %v", err)
	}
	if _, err := r.ChangeGroup(ctx, "operator", "team", []byte(`{"requests_per_minute": 1}`)); callwright.KindOf(err) != callwright.KindConflict {
		t.Errorf("a group that is not used was changed: %v", err)
	}
	if got := (&keyapi.API{Gate: p.gates[0], Ring: r}).Groups(); len(got) != 2 || got[0].Source != keyapi.FromConfiguration || got[1].Name != "other" {
		t.Errorf("got %+v", got)
	}
	if err := r.DeleteGroup(ctx, "operator", "team"); err != nil {
		t.Errorf("a group that is not used: %v", err)
	}
}

// Of gateways that change one key at the same time each change is made after the other, and none is lost.
func TestChangesTogether(t *testing.T) {
	p := newPlace(t, 2, operator)
	ctx := t.Context()
	if _, _, err := p.rings[0].Create(ctx, "", "ci", keyring.Settings{}); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	made := 0
	for i := range 20 {
		wg.Go(func() {
			_, err := p.rings[i%2].Change(ctx, "", "ci", fmt.Appendf(nil, `{"labels": {"n%d": "x"}}`, i))
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				made++
			case callwright.KindOf(err) != callwright.KindConflict:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	k, err := p.rings[1].Key("ci")
	if err != nil || len(k.Labels) != made || made == 0 {
		t.Errorf("%d changes left %d labels: %v", made, len(k.Labels), err)
	}
}

// The audit says who changed what, with the settings before and after, the newest first, and has no secret and no hash.
func TestAudit(t *testing.T) {
	p := newPlace(t, 1, operator)
	ctx, r := t.Context(), p.rings[0]
	_, secret, err := r.Create(ctx, "operator", "ci", keyring.Settings{Bounds: keyring.Bounds{Requests: 5}})
	if err != nil {
		t.Fatal(err)
	}
	p.clock.Add(time.Minute)
	if _, err := r.Change(ctx, "other", "ci", []byte(`{"requests_per_minute": 7}`)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.Rotate(ctx, "operator", "ci", time.Hour); err != nil {
		t.Fatal(err)
	}
	if _, err := r.CreateGroup(ctx, "operator", "team", keyring.GroupSettings{}); err != nil {
		t.Fatal(err)
	}
	if err := r.Delete(ctx, "operator", "ci"); err != nil {
		t.Fatal(err)
	}
	lines := func(q keyring.Query) (out []string) {
		t.Helper()
		list, err := r.Audit(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			out = append(out, fmt.Sprintf("%d %s %s %s %s %s>%s", e.Number, e.Who, e.Action, e.Kind, e.Name, e.Before, e.After))
		}
		return out
	}
	all := []string{
		`5 operator delete key ci {"requests_per_minute":7}>`, `4 operator create group team >{}`, `3 operator rotate key ci {"requests_per_minute":7}>{"requests_per_minute":7}`,
		`2 other change key ci {"requests_per_minute":5}>{"requests_per_minute":7}`, `1 operator create key ci >{"requests_per_minute":5}`,
	}
	for about, c := range map[string]struct {
		q    keyring.Query
		want []string
	}{
		"all": {keyring.Query{}, all}, "two": {keyring.Query{Limit: 2}, all[:2]}, "the next": {keyring.Query{Limit: 2, Before: 4}, all[2:4]}, "who": {keyring.Query{Who: "other"}, all[3:4]},
		"groups": {keyring.Query{Kind: keyring.GroupKind}, all[1:2]}, "name": {keyring.Query{Name: "team"}, all[1:2]},
		"from": {keyring.Query{From: began.Add(time.Minute)}, all[:4]}, "to": {keyring.Query{To: began.Add(time.Minute)}, all[4:]},
	} {
		if got := lines(c.q); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: got %q, want %q", about, got, c.want)
		}
	}
	if err := p.log.Read(ctx, func(e keyring.Entry) {
		if strings.Contains(string(e.Data), secret) {
			t.Errorf("the log has the secret: %s", e.Data)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprint(lines(keyring.Query{})); strings.Contains(text, "sha256") {
		t.Errorf("the audit has a hash: %s", text)
	}
}

// A silentLog is not read: its state is away.
type silentLog struct{ keyring.MemoryLog }

func (*silentLog) Follow(func(keyring.Entry), func()) {}

// Until the keys of the state are known nobody is let in by them, nor without a key, but keys of the configuration are taken.
func TestUnread(t *testing.T) {
	for about, c := range map[string]struct {
		keys      []access.Key
		presented string
		want      callwright.Kind
	}{
		"no keys, none presented":       {nil, "", callwright.KindUnavailable},
		"no keys, one presented":        {nil, "x", callwright.KindUnavailable},
		"a key of the configuration":    {[]access.Key{operator}, "operator", ""},
		"one that may be the state's":   {[]access.Key{operator}, "x", callwright.KindUnavailable},
		"keys are asked for, none sent": {[]access.Key{operator}, "", callwright.KindAuth},
	} {
		r := keyring.New(&silentLog{}, nil)
		g, err := access.New(access.Config{Keys: c.keys, Source: r})
		if err != nil {
			t.Fatal(err)
		}
		var presented [][]byte
		if c.presented != "" {
			presented = append(presented, []byte(c.presented))
		}
		if _, err := g.Find(presented); callwright.KindOf(err) != c.want || g.Open() {
			t.Errorf("%s: got %v, open %t", about, err, g.Open())
		}
		if _, _, err := r.Create(context.Background(), "", "ci", keyring.Settings{}); callwright.KindOf(err) != callwright.KindUnavailable {
			t.Errorf("%s: a change: %v", about, err)
		}
	}
}
