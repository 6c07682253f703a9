package gateway

import "bytes"

// bytesPerToken is the average number of bytes of a request body per token, JSON syntax included.
const bytesPerToken = 4

// encoded lists byte sequences before the base64 data of images and files in a request. Each image or file counts a
// fixed number of tokens, because its size in bytes says little about its tokens.
var encoded = []struct {
	mark   []byte
	quoted bool // the data begins after the next quote
}{{mark: []byte(";base64,")}, {mark: []byte(`"data"`), quoted: true}, {mark: []byte(`"images"`), quoted: true}}

// shortest is the minimum length in bytes of base64 data that counts as an image or file. toQuote is the maximum
// distance in bytes from the sequence to the opening quote of the data.
const (
	shortest = 2048
	toQuote  = 8
)

// roughTokens returns an estimate of the tokens of a request body without decoding it.
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
			for { // a list of images has several
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

// encodedLength returns the length of the base64 data at the beginning of text, which a quote ends. It returns 0 if
// text begins with anything else.
func encodedLength(text []byte) int {
	length := bytes.IndexByte(text, '"')
	if length < shortest || bytes.IndexByte(text[:shortest], ' ') >= 0 {
		return 0
	}
	return length
}
