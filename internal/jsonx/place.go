package jsonx

// place is the grammatical position of the next byte.
type place uint8

const (
	atValue place = iota
	atFirstElement
	atFirstKey
	atKey
	atColon
	afterValue
	inString
	inEscape
	inHex
	inRune
	inLiteral
	inMinus
	inZero
	inInteger
	inPoint
	inFraction
	inExponent
	inSign
	inPower
)

// wants describes the permitted input at each place, for errors.
var wants = [...]string{
	atValue:        "a value",
	atFirstElement: "a value or ']'",
	atFirstKey:     "a member name or '}'",
	atKey:          "a member name",
	atColon:        "':'",
	afterValue:     "nothing more",
	inString:       "text or '\"'",
	inEscape:       "an escape character",
	inHex:          "a hexadecimal digit",
	inRune:         "UTF-8",
	inLiteral:      "a literal",
	inMinus:        "a digit",
	inZero:         "the end of the number",
	inInteger:      "a digit or the end of the number",
	inPoint:        "a digit",
	inFraction:     "a digit or the end of the number",
	inExponent:     "a digit or a sign",
	inSign:         "a digit",
	inPower:        "a digit or the end of the number",
}

// endsNumber reports whether a number may end at the place.
func (p place) endsNumber() bool {
	return p == inZero || p == inInteger || p == inFraction || p == inPower
}
