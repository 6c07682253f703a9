package gateway

import (
	"math"
	"sync"

	"github.com/callwright/callwright"
)

// Bounds of the remembered token counts of models.
const (
	calibratedModels = 1024
	samplesKept      = 48
	samplesAtOnce    = 8  // answers of a model that are learned from before anybody asks for a count
	samplesAsked     = 32 // answers that are learned from after somebody did
)

// How an estimate is made of samples: as the mean of a linear regression that begins with the usual weights, and so
// many of its standard deviations above it.
const (
	deviations   = 3.5
	wholeError   = 0.003 // of a sample, as a part of it, at least
	wordError    = 0.05  // and as the variance of one token
	mostUnknown  = 0.15  // of what an estimate that is called calibrated may be above the mean
	foundLow     = 0.005 // by how much less than the truth an estimate may be without being learned from
	foundHigh    = 0.05  // and by how much more
	firstErrors  = 8     // how many times these variances are, as long as nothing is known of a model,
	firstTold    = 3     // which counts for so many truths
	toldMost     = 64
	leastSamples = 3
)

// deviation is how far the weight of each feature may be from the usual one: for the classes as a part of the tokens
// that a unit makes.
var deviation = func() (d [features]float64) {
	for i := range ideographs + 1 {
		d[i] = 0.6
	}
	d[textBytes], d[messagesOf], d[callsOf], d[toolsOf], d[anyTools], d[constant] = 0.3, perMessage, perCall, perTool, 200, 200
	return d
}()

// A sample is a request whose tokens the provider told.
type sample struct {
	p      *profile
	tokens float64
}

// A calibration is the relation of the estimated to the reported tokens of one model, learned from its answers.
type calibration struct {
	samples []sample // the oldest first
	left    int      // answers to learn from
	fitted  bool
	weights [features]float64
	unsure  matrix       // the covariance of the weights
	kept    tokenMeasure // the last one that was given away to be kept
	told    float64      // how many truths were held against estimates,
	missed  float64      // and the sum of the squares of their distances, each as a part of the least variance
}

// calibrations are those of all models. They are safe for concurrent use.
type calibrations struct {
	mu      sync.Mutex
	byModel map[callwright.ModelID]*calibration
}

func newCalibrations() *calibrations {
	return &calibrations{byModel: map[callwright.ModelID]*calibration{}}
}

// of returns the calibration of a model. The caller holds mu.
func (c *calibrations) of(model callwright.ModelID) *calibration {
	k := c.byModel[model]
	if k != nil {
		return k
	}
	if len(c.byModel) >= calibratedModels {
		for other := range c.byModel { // any of them: it is learned again
			delete(c.byModel, other)
			break
		}
	}
	k = &calibration{left: samplesAtOnce}
	c.byModel[model] = k
	return k
}

// estimate returns about how many tokens a request has for a model, and whether the estimate is learned from its
// provider's reports of similar requests. Further answers of the model are learned from, since a client counts.
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

// observe learns from an answer, and returns the measure of its model where that has changed enough to be kept. It
// costs nothing where enough is known and nobody asked.
func (c *calibrations) observe(req *callwright.Request, rep *callwright.Report) (measure tokenMeasure, keep bool) {
	if rep == nil || len(rep.Attempts) == 0 {
		return tokenMeasure{}, false
	}
	first := &rep.Attempts[0]
	if !first.Usage.Known || first.Usage.Input <= 0 || first.Model == "" || !c.wants(first.Model) {
		return tokenMeasure{}, false
	}
	p, err := profileOf(req)
	if err != nil || p.flat > 0 { // pictures and files are of many sizes
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

// wants reports whether an answer of the model is to be learned from.
func (c *calibrations) wants(model callwright.ModelID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.of(model)
	k.left--
	return k.left >= 0
}

// learn takes over how far the estimate was from the truth, and keeps a sample that the others do not tell already.
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

// errors returns how many times the least variance the truth has around the estimates, as far as it was told: at first
// it is taken for large.
func (k *calibration) errors() float64 {
	return max(1, (firstErrors*firstTold+k.missed)/(firstTold+k.told))
}

// variance returns that of the provider's counts around the estimates of the weights.
func (k *calibration) variance(tokens float64) float64 {
	return k.errors() * (wholeError*wholeError*tokens*tokens + wordError*tokens)
}

// predict returns the tokens of the text of a request by the samples, and the variance of the truth around them.
func (k *calibration) predict(p *profile) (mean, variance float64) {
	if !k.fitted {
		k.fit()
	}
	mean = max(p.weightedSum(&k.weights), p.weightedSum(&usual)/8) // a request that is like no sample may come to less
	return mean, max(0, k.unsure.of(&p.of)) + k.variance(mean)
}

// tokens returns the tokens of the text of a request, and whether the samples tell them.
func (k *calibration) tokens(p *profile) (n float64, calibrated bool) {
	if len(k.samples) == 0 {
		return p.weightedSum(&usual), false
	}
	mean, variance := k.predict(p)
	above := deviations * math.Sqrt(variance)
	return mean + above, len(k.samples) >= leastSamples && above <= mostUnknown*mean
}

// fit makes the weights of the samples.
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

// A matrix has a row and a column for each feature.
type matrix [features][features]float64

// of returns the square of x by the matrix.
func (m *matrix) of(x *[features]float64) float64 {
	n := 0.0
	for i := range m {
		for j := range m {
			n += x[i] * m[i][j] * x[j]
		}
	}
	return n
}

// inverse returns the inverse of a matrix that is symmetric and positive, by elimination.
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
