package dialect

// A tristate is the answer to a question about text that may be incomplete: maybe means that more text is needed.
type tristate uint8

const (
	no tristate = iota
	maybe
	yes
)

// unless is maybe while more text can come.
func unless(ended bool) tristate {
	if ended {
		return no
	}
	return maybe
}

// atEnd is yes at the end of the text, and maybe while more can come.
func atEnd(ended bool) tristate {
	if ended {
		return yes
	}
	return maybe
}

// yesIf is yes or no.
func yesIf(b bool) tristate {
	if b {
		return yes
	}
	return no
}

// yesMaybe is maybe or no.
func yesMaybe(b bool) tristate {
	if b {
		return maybe
	}
	return no
}

// not is the opposite answer.
func not(v tristate) tristate { return yes - v }
