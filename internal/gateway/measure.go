package gateway

import "bytes"

// bytesPerToken is about how many bytes of a request make a token, its marks and escapes among them.
const bytesPerToken = 4

// encoded are the beginnings of pictures and files in a request. They count by the piece: their length says little of
// their tokens.
var encoded = []struct {
	mark   []byte
	quoted bool // the text begins with the next quote, behind a colon and what else stands between
}{{mark: []byte(";base64,")}, {mark: []byte(`"data"`), quoted: true}, {mark: []byte(`"images"`), quoted: true}}

// shortest is the minimum length of the text behind such a beginning for a picture or a file, and toQuote the maximum
// distance of its quote.
const (
	shortest = 2048
	toQuote  = 8
)

// roughTokens returns about how many tokens a request has, by its bytes alone. It decodes nothing.
func roughTokens(body []byte) int {
	n := max(len(body)/bytesPerToken, 1)
	if len(body) < shortest {
		return n
	}
	for _, e := range encoded {
		for at := 0; ; {
			i := bytes.Index(body[at:], e.mark)
			if i < 0 {
				break
			}
			at += i + len(e.mark)
			begin := at
			for { // a list of pictures has several
				if e.quoted {
					open := bytes.IndexByte(body[begin:min(begin+toQuote, len(body))], '"')
					if open < 0 {
						break
					}
					begin += open + 1
				}
				length := encodedLength(body[begin:])
				if length == 0 {
					break
				}
				n += perImage - length/bytesPerToken
				begin += length + 1
				at = begin
				if !e.quoted {
					break
				}
			}
		}
	}
	return max(n, 1)
}

// encodedLength returns the length of a long text without blanks that ends with a quote, 0 where none stands there.
func encodedLength(text []byte) int {
	length := bytes.IndexByte(text, '"')
	if length < shortest || bytes.IndexByte(text[:shortest], ' ') >= 0 {
		return 0
	}
	return length
}
