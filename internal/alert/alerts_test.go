package alert_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/alert"
	"github.com/callwright/callwright/internal/health"
	"github.com/google/go-cmp/cmp"
)

// Each problem is an event when it appears and another one when it is over, of the type of its family.
func TestEvents(t *testing.T) {
	for name, tt := range map[string]struct {
		problem health.Problem
		want    string
	}{
		"breaker":          {opened, "breaker.opened breaker.closed"},
		"key refused":      {refusedKey, "provider_key.refused provider_key.accepted"},
		"configuration":    {badFile, "configuration.refused configuration.accepted"},
		"state":            {away, "state.lost state.restored"},
		"healing":          {jumped, "healing.jumped healing.settled"},
		"any other":        {timedOut, "problem.began problem.ended"},
		"alerts of alerts": {health.Problem{Subject: alert.Subject, Cause: "2 not delivered"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScene(t)
				s.start(t)
				defer s.end()
				s.set(10*time.Second, tt.problem)
				changed := tt.problem
				changed.Cause = strings.ReplaceAll(changed.Cause, "3", "4") // the same problem, with other counts
				s.set(10*time.Second, changed)
				s.set(10 * time.Second)
				if got := s.types(); got != tt.want {
					t.Errorf("got %q, want %q", got, tt.want)
				}
			})
		})
	}
}

// The body has a version, the event and its remedy, and a text in which nothing is markup of Slack's.
func TestBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.start(t)
		defer s.end()
		s.set(1500*time.Millisecond, badFile)
		s.set(time.Minute)
		const began = `{"version":1,"type":"configuration.refused","timestamp":"2000-01-01T00:00:01Z",` +
			`"text":"callwright on gw1: configuration: callwright.yaml:3:7: unknown key \u0026lt;modal\u0026gt;. Remedy: correct the file.",` +
			`"data":{"gateway":"gw1","severity":"degraded","subject":"configuration","cause":"callwright.yaml:3:7: unknown key \u003cmodal\u003e","remedy":"correct the file"}}`
		const over = `{"version":1,"type":"configuration.accepted","timestamp":"2000-01-01T00:00:02Z",` +
			`"text":"callwright on gw1: over: configuration: callwright.yaml:3:7: unknown key \u0026lt;modal\u0026gt;",` +
			`"data":{"gateway":"gw1","severity":"degraded","subject":"configuration","cause":"callwright.yaml:3:7: unknown key \u003cmodal\u003e","remedy":"correct the file","began":"2000-01-01T00:00:01Z"}}`
		got := s.all()
		if len(got) != 2 {
			t.Fatalf("got %d messages", len(got))
		}
		if d := cmp.Diff([]string{began, over}, []string{got[0].body, got[1].body}); d != "" {
			t.Errorf("(-want +got)\n%s", d)
		}
	})
}

// verify checks a message as its receiver does, by https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md:
// the signature is the HMAC-SHA256 of id, time and body with dots between, by the bytes behind whsec_, and the time is that of the attempt.
func verify(t *testing.T, r *received) {
	t.Helper()
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secretText, "whsec_"))
	if err != nil {
		t.Fatal(err)
	}
	id, seconds := r.header.Get("webhook-id"), r.header.Get("webhook-timestamp")
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, seconds, r.body)
	if want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)); r.header.Get("webhook-signature") != want {
		t.Errorf("signature %q, want %q", r.header.Get("webhook-signature"), want)
	}
	if n, err := strconv.ParseInt(seconds, 10, 64); err != nil || math.Abs(float64(r.at.Unix()-n)) > 1 {
		t.Errorf("time %q at %v", seconds, r.at)
	}
	if !strings.HasPrefix(id, "msg_") || strings.Contains(id, ".") {
		t.Errorf("id %q", id)
	}
	if got := r.header.Get("content-type"); got != "application/json" {
		t.Errorf("content type %q", got)
	}
}

// A message is signed at each attempt anew, under one id. Statuses that tell of load, and broken connections, are tried again after a wait that grows.
func TestRetry(t *testing.T) {
	for name, tt := range map[string]struct {
		answers  []string
		attempts int
		least    time.Duration // from the first attempt to the last one
		outcome  string
	}{
		"taken":           {[]string{"204"}, 1, 0, "sent"},
		"server error":    {[]string{"500", "503", "200"}, 3, 2 * time.Second, "sent"},
		"told to wait":    {[]string{"429 90", "200"}, 2, 90 * time.Second, "sent"},
		"broken":          {[]string{"reset", "reset", "200"}, 3, 2 * time.Second, "sent"},
		"a wait too long": {[]string{"503 86400", "200"}, 2, 5 * time.Minute, "sent"},
		"no such address": {[]string{"404", "200"}, 1, 0, "failed"},
		"moved":           {[]string{"302", "200"}, 1, 0, "failed"},
		"bad request":     {[]string{"400", "200"}, 1, 0, "failed"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScene(t, tt.answers...)
				s.start(t)
				defer s.end()
				s.set(10*time.Minute, opened)
				got := s.all()
				if len(got) != tt.attempts {
					t.Fatalf("%d attempts, want %d", len(got), tt.attempts)
				}
				for i := range got {
					verify(t, &got[i])
					if got[i].header.Get("webhook-id") != got[0].header.Get("webhook-id") || got[i].body != got[0].body {
						t.Errorf("attempt %d is another message", i)
					}
				}
				if took := got[len(got)-1].at.Sub(got[0].at); took < tt.least || took > 2*tt.least+time.Second {
					t.Errorf("the last attempt came after %v, want %v", took, tt.least)
				}
				if s.count(tt.outcome) != 1 {
					t.Errorf("outcomes: %v", s.counted)
				}
			})
		})
	}
}

// A receiver that is away for an hour gets the messages of that time that are no older, in their order.
func TestOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, "reset")
		s.start(t)
		defer s.end()
		s.set(10*time.Minute, opened)
		s.set(10*time.Minute, away)
		s.set(10*time.Minute, away, timedOut)
		s.receiver.mu.Lock()
		s.receiver.answers, s.receiver.got = []string{"200"}, nil
		s.receiver.mu.Unlock()
		s.set(5*time.Minute, away, timedOut)
		if got := s.types(); got != "breaker.opened breaker.closed state.lost problem.began" {
			t.Errorf("got %q", got)
		}
	})
}

// A message is given up after an hour, and the next one is tried.
func TestGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, "500")
		s.start(t)
		defer s.end()
		s.set(59*time.Minute, opened)
		if n := s.count("failed"); n != 0 {
			t.Errorf("%d given up after 59 minutes", n)
		}
		s.set(3*time.Minute, opened)
		if n := s.count("failed"); n != 1 {
			t.Errorf("%d given up after an hour", n)
		}
	})
}

// Messages wait up to a bound. The oldest are dropped, which the next message says.
func TestBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, "500")
		s.start(t)
		defer s.end()
		var list []health.Problem
		for i := range 400 {
			p := timedOut
			p.Model = callwright.ModelID(fmt.Sprintf("lab/%03d", i))
			p.Subject = string(p.Model)
			list = append(list, p)
		}
		s.set(10*time.Second, list...)
		dropped := s.count("dropped")
		if dropped < 400-256-1 || dropped > 400-256 {
			t.Errorf("%d dropped of 400", dropped)
		}
		s.receiver.mu.Lock()
		s.receiver.answers, s.receiver.got = []string{"200"}, nil
		s.receiver.mu.Unlock()
		s.set(2*time.Minute, list...)
		said := 0
		for _, g := range s.all() {
			said += g.event.Dropped
		}
		if said != dropped || s.count("sent") != 400-dropped {
			t.Errorf("messages say that %d were dropped, %d were, %d sent", said, dropped, s.count("sent"))
		}
	})
}

// A receiver that is gone gets nothing more.
func TestGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, "410")
		s.start(t)
		defer s.end()
		s.set(time.Minute, opened)
		s.set(time.Hour, away)
		if n := len(s.all()); n != 1 {
			t.Errorf("%d requests", n)
		}
	})
}

// What waits when the gateway ends is tried once more, and not for long.
func TestEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, "500")
		s.start(t)
		s.set(time.Minute, opened, away)
		s.receiver.mu.Lock()
		s.receiver.answers, s.receiver.got = []string{"200"}, nil
		s.receiver.mu.Unlock()
		began := time.Now()
		s.end()
		if got := s.all(); len(got) != 2 || got[0].event.Type == got[1].event.Type {
			t.Errorf("got %q", s.types())
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

// Only the families that are asked for are sent.
func TestFamilies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.cfg.Families = []alert.Family{alert.State, alert.Budget}
		a := s.start(t)
		defer s.end()
		a.ReportCrossing(access.Crossing{Key: "ci", Percent: 80, Period: access.Day, Limit: access.Limit{What: "usd", Limit: 5, Used: 4, Resets: time.Now().Add(time.Hour)}})
		s.set(time.Minute, opened, away, timedOut)
		if got := s.types(); got != "budget.reached state.lost" {
			t.Errorf("got %q", got)
		}
	})
}

// A share of a budget is told once in its window, and names the key.
func TestBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.cfg.Counters = access.NewMemoryCounters(nil)
		a := s.start(t)
		defer s.end()
		resets := time.Now().Add(12 * time.Hour)
		use := access.Crossing{Key: "ci", Percent: 80, Period: access.Day, Limit: access.Limit{What: "usd", Limit: 5, Used: 4.1, Resets: resets}}
		a.ReportCrossing(access.Crossing{Key: "ci", Percent: 80, Period: access.Minute, Limit: access.Limit{What: "requests", Limit: 5, Used: 4, Resets: resets}})
		for range 3 {
			a.ReportCrossing(use)
			s.set(time.Minute)
		}
		use.Percent, use.Limit.Used = 100, 5.2
		a.ReportCrossing(use)
		time.Sleep(13 * time.Hour)
		use.Percent, use.Limit.Used, use.Limit.Resets = 80, 4.5, resets.Add(24*time.Hour)
		a.ReportCrossing(use)
		use.Key, use.Group = "", "team"
		a.ReportCrossing(use)
		use.Group = ""
		a.ReportCrossing(use)
		s.set(time.Minute)
		var got []string
		for _, g := range s.all() {
			got = append(got, fmt.Sprintf("%s %d", g.event.Data.Subject, g.event.Data.Budget.Percent))
		}
		if d := cmp.Diff([]string{"key ci 80", "key ci 100", "key ci 80", "group team 80", "all keys 80"}, got); d != "" {
			t.Errorf("(-want +got)\n%s", d)
		}
		if text := s.all()[0].event.Text; !strings.Contains(text, "key ci: 80 % of a budget is used: 4.1 of 5 USD a day. Remedy: raise the limit") {
			t.Error(text)
		}
	})
}

// Of two gateways that share counters one tells of a problem that both have, however long it lasts. When that gateway is gone the other one tells of it, after
// the time in which an event is sent once.
func TestTwoGateways(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		counters := access.NewMemoryCounters(nil)
		one, two := newScene(t), newScene(t)
		one.cfg.Counters, two.cfg.Counters = counters, counters
		one.start(t)
		one.set(time.Minute, away)
		two.start(t)
		defer two.end()
		two.set(2*time.Hour, away)
		if one.types() != "state.lost" || two.types() != "" {
			t.Errorf("told: %q and %q", one.types(), two.types())
		}
		one.end()
		two.set(alert.DefaultRepeatAfter*3/4, away)
		if two.types() != "" {
			t.Errorf("the second one told %q while the claim of the first one held", two.types())
		}
		two.set(alert.DefaultRepeatAfter, away)
		if two.types() != "state.lost" {
			t.Errorf("the second one told %q after the first one was gone", two.types())
		}
	})
}

// Neither the secret nor the address stands in the log, in an error or in a printed value.
func TestRedacted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, "reset", "500", "404")
		problems := health.New(health.Config{})
		s.cfg.Fault = problems.Fault(alert.Subject, "not delivered", "look at the receiver")
		s.start(t)
		s.set(10*time.Minute, opened)
		s.end()
		text := s.log.String() + fmt.Sprintf("%v %+v %#v", s.cfg.Secret, s.cfg.Secret, s.cfg.Secret) + fmt.Sprint(health.Lines(problems.Problems()))
		for _, canary := range []string{"canary-token", strings.TrimPrefix(secretText, "whsec_")} {
			if strings.Contains(text, canary) {
				t.Errorf("%s stands in\n%s", canary, text)
			}
		}
		if !strings.Contains(text, "not delivered") || !strings.Contains(text, "404 Not Found") {
			t.Errorf("the failure is not told:\n%s", text)
		}
	})
}

// A secret that is none is refused, and not quoted.
func TestSecret(t *testing.T) {
	long := "whsec_" + base64.StdEncoding.EncodeToString(make([]byte, 65))
	for _, text := range []string{"", "canary", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_canary", "whsec_" + base64.StdEncoding.EncodeToString(make([]byte, 23)), long, "whsec_%%%"} {
		if _, err := alert.ParseSecret(text); err == nil || strings.Contains(err.Error(), "canary") || callwright.KindOf(err) != callwright.KindInvalid {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Each family has types of its own, of the letters that Standard Webhooks recommends.
func TestTypes(t *testing.T) {
	types := alert.Types()
	sorted := slices.Sorted(slices.Values(types))
	if len(slices.Compact(sorted)) != len(types) || len(types) != 2*len(alert.Families())-1 {
		t.Errorf("got %v", types)
	}
	for _, name := range types {
		if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_.") != "" || strings.Count(name, ".") != 1 {
			t.Errorf("%q", name)
		}
	}
}
