// Package arith evaluates constant arithmetic expressions such as 7/100 or 2*(3 + 0.5) exactly.
package arith

import (
	"math/big"
	"strings"
)

// maxText is the maximum length of an expression in bytes. maxDepth is its maximum nesting of parentheses.
const (
	maxText  = 64
	maxDepth = 8
)

// Eval evaluates an expression of decimal numbers with + - * / and parentheses and returns the value as a JSON number.
// ok is false for other text, for a single number, and for a value without a finite decimal form.
func Eval(text string) (number string, ok bool) {
	if len(text) > maxText || strings.Trim(text, "0123456789.+-*/() ") != "" || strings.Contains(text, "**") || strings.Contains(text, "//") {
		return "", false
	}
	r := reader{t: text}
	v := r.sum()
	if r.space(); v == nil || r.i < len(text) || r.operators == 0 {
		return "", false
	}
	return decimal(v)
}

// decimal returns v in decimal notation. ok is false if it has no finite decimal form.
func decimal(v *big.Rat) (string, bool) {
	if v.IsInt() {
		return v.Num().String(), true
	}
	digits, exact := v.FloatPrec()
	if !exact || digits > maxText {
		return "", false
	}
	return v.FloatString(digits), true
}

type reader struct {
	t         string
	i         int
	depth     int
	operators int
}

func (r *reader) space() {
	for r.i < len(r.t) && r.t[r.i] == ' ' {
		r.i++
	}
}

// operator consumes an operator in set and returns it, 0 if there is none.
func (r *reader) operator(set string) byte {
	if r.space(); r.i < len(r.t) && strings.IndexByte(set, r.t[r.i]) >= 0 {
		r.i++
		r.operators++
		return r.t[r.i-1]
	}
	return 0
}

func (r *reader) sum() *big.Rat {
	v := r.product()
	for v != nil {
		op := r.operator("+-")
		if op == 0 {
			break
		}
		w := r.product()
		switch {
		case w == nil:
			return nil
		case op == '+':
			v.Add(v, w)
		default:
			v.Sub(v, w)
		}
	}
	return v
}

func (r *reader) product() *big.Rat {
	v := r.operand()
	for v != nil {
		op := r.operator("*/")
		if op == 0 {
			break
		}
		w := r.operand()
		switch {
		case w == nil, op == '/' && w.Sign() == 0:
			return nil
		case op == '*':
			v.Mul(v, w)
		default:
			v.Quo(v, w)
		}
	}
	return v
}

func (r *reader) operand() *big.Rat {
	if r.space(); r.i == len(r.t) || r.depth == maxDepth {
		return nil
	}
	r.depth++
	defer func() { r.depth-- }()
	switch r.t[r.i] {
	case '-':
		r.i++
		if v := r.operand(); v != nil {
			return v.Neg(v)
		}
		return nil
	case '(':
		r.i++
		v := r.sum()
		if r.space(); v == nil || r.i == len(r.t) || r.t[r.i] != ')' {
			return nil
		}
		r.i++
		return v
	}
	from := r.i
	for r.i < len(r.t) && (r.t[r.i] == '.' || '0' <= r.t[r.i] && r.t[r.i] <= '9') {
		r.i++
	}
	v, ok := new(big.Rat).SetString(r.t[from:r.i])
	if !ok {
		return nil
	}
	return v
}
