package alert

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/health"
)

// A watched is a problem that is present, or that ended recently.
type watched struct {
	family    Family
	last      health.Problem
	round     int       // number of the last look that found the problem
	since     time.Time // begin of the problem
	beginSent bool      // the receiver got the begin event, and no end event since
	sent      time.Time // time of the last begin event, zero for none
	next      time.Time // earliest time for the next claim or renewal
}

// renewals is the number of renewals of a claim within RepeatAfter.
const renewals = 4

// look compares the present problems with those of the look before and adds events to the queue: first the ended
// problems, then the new problems.
func (a *Alerts) look(ctx context.Context) {
	now := a.cfg.Now()
	a.round++
	var there []string
	for _, p := range a.cfg.Problems() {
		f := familyOf(&p)
		if !a.wanted[f] || p.Subject == Subject {
			continue
		}
		id := identityOf(f, &p)
		w := a.watched[id]
		if w == nil {
			w = &watched{family: f}
			a.watched[id] = w
		}
		if w.round < a.round-1 {
			w.since = now
		}
		if w.round < a.round {
			there = append(there, id)
		}
		w.round, w.last = a.round, p
	}
	for _, id := range slices.Sorted(maps.Keys(a.watched)) {
		switch w := a.watched[id]; {
		case w.round == a.round:
		case w.beginSent:
			a.reportEnd(w, now)
		case now.Sub(w.sent) >= a.cfg.RepeatAfter:
			delete(a.watched, id)
		}
	}
	for _, id := range there {
		a.present(ctx, id, a.watched[id], now)
	}
}

// present adds the begin event of a present problem, at most once within RepeatAfter and if no other gateway has
// claimed it. After the event it renews the claim.
func (a *Alerts) present(ctx context.Context, id string, w *watched, now time.Time) {
	recent := !w.sent.IsZero() && now.Sub(w.sent) < a.cfg.RepeatAfter
	if now.Before(w.next) || !w.beginSent && recent {
		return
	}
	w.next = now.Add(a.cfg.RepeatAfter / renewals)
	switch {
	case w.beginSent:
		a.claims.renew(ctx, id, now)
	case a.claims.take(ctx, a.claims.window(id, now)):
		w.beginSent, w.sent = true, now
		began, _ := w.family.types()
		a.add(began, dataOf(&w.last), now, began)
	}
}

// reportEnd adds the end event of a problem.
func (a *Alerts) reportEnd(w *watched, now time.Time) {
	w.beginSent, w.next = false, time.Time{}
	began, over := w.family.types()
	d := dataOf(&w.last)
	since := w.since
	d.Began = &since
	a.add(over, d, now, began)
}

// ReportCrossing reports that 80 or 100 percent of a budget are used. Run sends one event for each percentage in each
// period of the budget. A limit per minute is ignored. ReportCrossing does not block and is safe for concurrent use.
func (a *Alerts) ReportCrossing(c access.Crossing) {
	if !a.wanted[Budget] || c.Period == access.Minute {
		return
	}
	select {
	case a.crossed <- c:
	default:
		began, _ := Budget.types()
		a.count(began, "dropped")
	}
}

// budgetWindow returns the window in which the event of a budget's percentage is sent once: it ends with the budget's
// period.
func budgetWindow(c *access.Crossing) access.Window {
	id := strings.Join([]string{string(Budget), c.Key, c.Group, c.Limit.What, string(c.Period), c.Limit.Models, strconv.Itoa(c.Percent), number(c.Limit.Limit)}, "|")
	return access.Window{Name: windowName(id), Start: c.Limit.Resets.Add(-24 * time.Hour), End: c.Limit.Resets, Limit: 1}
}

// budget adds the event of a used budget to the queue, if no other gateway has claimed the event.
func (a *Alerts) budget(ctx context.Context, c *access.Crossing) {
	if !a.claims.take(ctx, budgetWindow(c)) {
		return
	}
	subject := "key " + c.Key
	switch {
	case c.Group != "":
		subject = "group " + c.Group
	case c.Key == "":
		subject = "all keys"
	}
	l := &c.Limit
	models := ""
	if l.Models != "" {
		models = " for " + l.Models
	}
	began, _ := Budget.types()
	a.add(began, Data{
		Severity: health.Degraded, Subject: subject, Remedy: "raise the limit, or wait until " + l.Resets.UTC().Format(time.RFC3339),
		Cause: fmt.Sprintf("%d %% of a budget is used: %s of %s %s a %s%s", c.Percent, number(l.Used), number(l.Limit),
			access.UnitOf(l.What), c.Period, models),
		Budget: &BudgetUse{Key: c.Key, Group: c.Group, What: l.What, Per: string(c.Period), Models: l.Models,
			Percent: c.Percent, Limit: l.Limit, Used: l.Used, Resets: l.Resets},
	}, a.cfg.Now(), began)
}

// number formats an amount in decimal without trailing zeros.
func number(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
