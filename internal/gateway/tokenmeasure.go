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

// A tokenMeasure is the stored form of a calibration, as a fact of the model: so many tokens beside the text of a
// request, and so many for a hundred of the usual estimate of it. No request that it was learned from has more. The
// zero measure is none.
type tokenMeasure struct{ beside, percent int }

const (
	factTokenMeasure = "token_measure"
	measureForm      = "%d+%d%%" // such as 40+125%
	measureTime      = 30 * 24 * time.Hour
)

// The bounds beyond which a provider's count is taken for a mistake: more than so many times the usual estimate and so
// many tokens beside it, which is a long prompt of the provider's own, or less than one of so many parts.
const (
	mostTimes  = 16
	mostBeside = 4096
)

// plausible reports whether a provider can have read so many tokens.
func (s *sample) plausible() bool {
	u := s.p.weightedSum(&usual)
	return s.tokens <= mostTimes*u+mostBeside && s.tokens >= u/mostTimes
}

// of returns the tokens of the text of a request.
func (m tokenMeasure) of(p *profile) float64 {
	return float64(m.beside) + p.weightedSum(&usual)*float64(m.percent)/100
}

// measureSamples returns the measure of the samples, and whether it is to be kept: it is another one than was kept
// last, by more than estimates differ.
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

// measureOf returns the measure that is known of a model.
func measureOf(ctx context.Context, model *reliable.Client) (m tokenMeasure) {
	if n, err := fmt.Sscanf(model.TokenMeasure(ctx), measureForm, &m.beside, &m.percent); n != 2 || err != nil ||
		m.beside < 0 || m.percent <= 0 {
		return tokenMeasure{}
	}
	return m
}

// observeTokens learns from an answer how many tokens its request had.
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
			Expires: time.Now().Add(measureTime), Evidence: "the usage of its answers"})
	}
	if err != nil {
		s.logStoreError(ctx, "tokens not learned", string(model), err)
	}
}
