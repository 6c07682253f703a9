package gateway

import (
	"math"
	"sync"

	"github.com/callwright/callwright"
)

// Bounds of the token counts that are remembered to calibrate estimates.
const (
	calibratedModels = 1024
	samplesKept      = 48
	samplesAtOnce    = 8  // responses learned from per model if no client requests a token count
	samplesAsked     = 32 // responses learned from after each request for a token count
)

// Parameters of the token estimate. The estimate is the mean of a Bayesian linear regression over the samples, whose
// prior are the usual weights, plus a number of standard deviations.
const (
	deviations   = 3.5
	wholeError   = 0.003 // least standard deviation of a token count, as a fraction of the count
	wordError    = 0.05  // variance of a token count per token, as the square root
	mostUnknown  = 0.15  // largest margin above the mean of a calibrated estimate, as a fraction of the mean
	foundLow     = 0.005 // an estimate lower by at most this fraction is accurate: the sample is not kept
	foundHigh    = 0.05  // an estimate higher by at most this fraction is accurate
	firstErrors  = 8     // prior factor on these variances,
	firstTold    = 3     // with the weight of this many samples
	toldMost     = 64
	leastSamples = 3
)

// deviation is the prior standard deviation of the weight of each feature. For character classes it is a fraction of
// the usual weight.
var deviation = func() (d [features]float64) {
	for i := range ideographs + 1 {
		d[i] = 0.6
	}
	d[textBytes], d[messagesOf], d[callsOf], d[toolsOf], d[anyTools], d[constant] = 0.3, perMessage, perCall, perTool, 200, 200
	return d
}()

// A sample is the profile of a request with the input tokens that the provider reported.
type sample struct {
	p      *profile
	tokens float64
}

// A calibration is the learned relation between estimated and reported tokens of one model.
type calibration struct {
	samples []sample // oldest first
	left    int      // number of further responses to learn from
	fitted  bool
	weights [features]float64
	unsure  matrix       // covariance of the weights
	kept    tokenMeasure // the last measure that observe returned for storage
	told    float64      // number of estimates compared with reported counts; halved above toldMost
	missed  float64      // sum of their squared errors, each divided by its variance at errors() = 1; halved with told
}

// calibrations holds the calibration of each model. It is safe for concurrent use.
type calibrations struct {
	mu      sync.Mutex
	byModel map[callwright.ModelID]*calibration
}

func newCalibrations() *calibrations {
	return &calibrations{byModel: map[callwright.ModelID]*calibration{}}
}

// of returns the calibration of a model and creates it if necessary. The caller holds c.mu.
func (c *calibrations) of(model callwright.ModelID) *calibration {
	k := c.byModel[model]
	if k != nil {
		return k
	}
	if len(c.byModel) >= calibratedModels {
		for other := range c.byModel { // any entry will do: it can be learned again
			delete(c.byModel, other)
			break
		}
	}
	k = &calibration{left: samplesAtOnce}
	c.byModel[model] = k
	return k
}

// estimate returns an upper estimate of the input tokens of a request for a model. known is the stored measure of the
// model, used if there are too few samples. calibrated reports whether n is based on token counts that the provider
// reported; it is false for a request with images or files. estimate also enables learning from further responses of
// the model.
func (c *calibrations) estimate(model callwright.ModelID, p *profile, known tokenMeasure) (n int, calibrated bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.of(model)
	k.left = samplesAsked
	tokens, calibrated := k.tokens(p)
	if !calibrated && known != (tokenMeasure{}) {
		tokens, calibrated = known.of(p), true
	}
	return int(math.Ceil(tokens + p.flat)), calibrated && p.flat == 0
}

// observe learns from the usage that the provider reported for the first attempt of a response. It returns the measure
// of the model. keep is true if that has changed enough to be stored. Both are zero if nothing is learned: without
// usage, with images or files, or if enough responses were observed and no client requested a token count.
func (c *calibrations) observe(req *callwright.Request, rep *callwright.Report) (measure tokenMeasure, keep bool) {
	if rep == nil || len(rep.Attempts) == 0 {
		return tokenMeasure{}, false
	}
	first := &rep.Attempts[0]
	if !first.Usage.Known || first.Usage.Input <= 0 || first.Model == "" || !c.wants(first.Model) {
		return tokenMeasure{}, false
	}
	p, err := profileOf(req)
	if err != nil || p.flat > 0 { // the tokens of images and files vary too much
		return tokenMeasure{}, false
	}
	s := sample{p, float64(first.Usage.Input)}
	if !s.plausible() {
		return tokenMeasure{}, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.of(first.Model)
	k.learn(s)
	return k.measureSamples()
}

// wants reports whether to learn from a response of the model, and decrements the number of responses left to learn
// from.
func (c *calibrations) wants(model callwright.ModelID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.of(model)
	k.left--
	return k.left >= 0
}

// learn records the error of the estimate for s. It keeps s as a sample unless the estimate was accurate.
func (k *calibration) learn(s sample) {
	n, calibrated := k.tokens(s.p)
	if len(k.samples) > 0 {
		mean, variance := k.predict(s.p)
		k.told++
		k.missed += (s.tokens - mean) * (s.tokens - mean) * k.errors() / variance
		if k.told > toldMost {
			k.told, k.missed = k.told/2, k.missed/2
		}
	}
	k.fitted = false
	if calibrated && n >= (1-foundLow)*s.tokens && n <= (1+foundHigh)*s.tokens {
		return
	}
	if len(k.samples) == samplesKept {
		k.samples = append(k.samples[:0], k.samples[1:]...)
	}
	k.samples = append(k.samples, s)
}

// errors returns the factor by which variance multiplies its least value. It is the ratio of the observed squared
// errors of estimates to that value, at least 1, and high until enough counts were compared.
func (k *calibration) errors() float64 {
	return max(1, (firstErrors*firstTold+k.missed)/(firstTold+k.told))
}

// variance returns the variance of the provider's token counts around an estimate of the given number of tokens.
func (k *calibration) variance(tokens float64) float64 {
	return k.errors() * (wholeError*wholeError*tokens*tokens + wordError*tokens)
}

// predict returns the mean and the variance of the tokens of a request's text, fitted to the samples.
func (k *calibration) predict(p *profile) (mean, variance float64) {
	if !k.fitted {
		k.fit()
	}
	mean = max(p.weightedSum(&k.weights), p.weightedSum(&usual)/8) // a request unlike all samples may get a too low mean
	return mean, max(0, k.unsure.of(&p.of)) + k.variance(mean)
}

// tokens returns the estimated tokens of a request's text. calibrated reports whether the samples suffice for an
// estimate with a small margin.
func (k *calibration) tokens(p *profile) (n float64, calibrated bool) {
	if len(k.samples) == 0 {
		return p.weightedSum(&usual), false
	}
	mean, variance := k.predict(p)
	above := deviations * math.Sqrt(variance)
	return mean + above, len(k.samples) >= leastSamples && above <= mostUnknown*mean
}

// fit computes the weights and their covariance from the samples.
func (k *calibration) fit() {
	ratio := 0.0
	for _, s := range k.samples {
		ratio += s.tokens / s.p.weightedSum(&usual) / float64(len(k.samples))
	}
	var normal matrix
	var right [features]float64
	for j := range right {
		d := deviation[j]
		if j <= ideographs {
			d *= ratio
		}
		normal[j][j] = 1 / (d * d)
		right[j] = ratio * usual[j] * normal[j][j]
	}
	for _, s := range k.samples {
		weight := 1 / k.variance(s.tokens)
		for i, x := range s.p.of {
			right[i] += weight * x * s.tokens
			for j, y := range s.p.of {
				normal[i][j] += weight * x * y
			}
		}
	}
	k.unsure = normal.inverse()
	for i := range k.weights {
		k.weights[i] = 0
		for j := range right {
			k.weights[i] += k.unsure[i][j] * right[j]
		}
	}
	k.fitted = true
}

// A matrix is a square matrix with a row and a column for each feature.
type matrix [features][features]float64

// of returns the quadratic form xᵀmx.
func (m *matrix) of(x *[features]float64) float64 {
	n := 0.0
	for i := range m {
		for j := range m {
			n += x[i] * m[i][j] * x[j]
		}
	}
	return n
}

// inverse returns the inverse of a symmetric positive definite matrix, by Gauss-Jordan elimination.
func (m matrix) inverse() matrix {
	var out matrix
	for i := range out {
		out[i][i] = 1
	}
	for i := range m {
		pivot := m[i][i]
		for j := range m {
			m[i][j] /= pivot
			out[i][j] /= pivot
		}
		for k := range m {
			if f := m[k][i]; k != i && f != 0 {
				for j := range m {
					m[k][j] -= f * m[i][j]
					out[k][j] -= f * out[i][j]
				}
			}
		}
	}
	return out
}
