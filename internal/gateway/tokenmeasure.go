package gateway

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable"
)

// A tokenMeasure is the stored form of a calibration, a learned fact about a model. The estimated tokens of a request
// are beside plus percent/100 times the default estimate of its text. No request in the samples had more tokens. The
// zero value means no measure.
type tokenMeasure struct{ beside, percent int }

const (
	factTokenMeasure = "token_measure"
	measureForm      = "%d+%d%%" // for example 40+125%
	measureTime      = 30 * 24 * time.Hour
)

// A reported token count outside these bounds is treated as an error of the provider. It may be at most mostTimes times
// the default estimate plus mostBeside tokens for a hidden system prompt, and at least the default estimate divided by
// mostTimes.
const (
	mostTimes  = 16
	mostBeside = 4096
)

// plausible reports whether the provider's token count is within the bounds of mostTimes and mostBeside.
func (s *sample) plausible() bool {
	u := s.p.weightedSum(&usual)
	return s.tokens <= mostTimes*u+mostBeside && s.tokens >= u/mostTimes
}

// of returns the estimated tokens of the text of a request.
func (m tokenMeasure) of(p *profile) float64 {
	return float64(m.beside) + p.weightedSum(&usual)*float64(m.percent)/100
}

// measureSamples returns the measure computed from the samples, zero if there are fewer than leastSamples. keep is true
// if percent rose by more than 2 % or fell by more than 20 % since the last stored measure.
func (k *calibration) measureSamples() (m tokenMeasure, keep bool) {
	if len(k.samples) < leastSamples {
		return tokenMeasure{}, false
	}
	if !k.fitted {
		k.fit()
	}
	m.beside = int(max(0, k.weights[constant]))
	for _, s := range k.samples {
		m.beside = min(m.beside, int(s.tokens/2))
	}
	for _, s := range k.samples {
		m.percent = max(m.percent, int(math.Ceil((s.tokens-float64(m.beside))*100/s.p.weightedSum(&usual))))
	}
	before := float64(k.kept.percent)
	if now := float64(m.percent); now > before*1.02 || now < before*0.8 {
		k.kept, keep = m, true
	}
	return m, keep
}

// measureOf returns the stored measure of a model, the zero tokenMeasure if there is none.
func measureOf(ctx context.Context, model *reliable.Client) (m tokenMeasure) {
	if n, err := fmt.Sscanf(model.TokenMeasure(ctx), measureForm, &m.beside, &m.percent); n != 2 || err != nil ||
		m.beside < 0 || m.percent <= 0 {
		return tokenMeasure{}
	}
	return m
}

// observeTokens calibrates the estimate of the request's model by the reported usage in rep, and stores a changed
// measure.
func (s *Server) observeTokens(ctx context.Context, req *callwright.Request, rep *callwright.Report) {
	m, keep := s.tokens.observe(req, rep)
	if !keep {
		return
	}
	model := rep.Attempts[0].Model
	client, err := s.cfg.Models.Resolve(string(model))
	if err == nil {
		ctx := context.WithoutCancel(ctx)
		err = client.Learn(ctx, caps.Fact{Key: factTokenMeasure, Value: fmt.Sprintf(measureForm, m.beside, m.percent), Source: caps.Learned,
			Expires: time.Now().Add(measureTime), Evidence: "the token usage of its answers"})
	}
	if err != nil {
		s.logStoreError(ctx, "token measure not stored", string(model), err)
	}
}
