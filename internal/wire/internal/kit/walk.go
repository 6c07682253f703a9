package kit

import (
	"github.com/callwright/callwright/internal/jsonx"
)

// Walk visits the top-level members of a request's body and checks on the way that it is one JSON object. Visitors pass every value
// by the Walker. op is for the error; what visitors found wrong in a body that is no JSON object is without meaning.
func (x *Index) Walk(op string, visit func(w *jsonx.Walker, key jsonx.Key, at int) (end int)) error {
	raw := x.Raw
	if start := jsonx.Space(raw, 0); start < len(raw) && raw[start] == '{' {
		w := jsonx.NewWalker(raw)
		end := w.Members(start, func(key jsonx.Key, at int) int { return visit(w, key, at) })
		if w.Sound() && jsonx.Space(raw, end) == len(raw) {
			x.long = placed(w.Long(), len(raw))
			return nil
		}
	}
	if _, err := Begin(op, raw); err != nil { // says what is wrong where
		return err
	}
	return Invalid(op, "", "expected a JSON object")
}
