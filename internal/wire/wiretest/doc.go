// Package wiretest has the test suite that every codec must pass, the benchmarks of all codecs, and a text dump of
// requests and responses, in which the suite's golden files are written.
//
//	func TestCodec(t *testing.T) { wiretest.Run(t, wiretest.Suite{Codec: openai.Codec{}, Dir: "testdata"}) }
//	func FuzzCodec(f *testing.F) { wiretest.Fuzz(f, wiretest.Suite{Codec: openai.Codec{}, Dir: "testdata"}) }
//
// # Cases
//
// Each NAME.txtar below Dir is a test case. Its comment is a line that describes the case. One of these files in it is
// the input:
//
//	request.json   a request of a client
//	response.json  a whole response of a provider with status 200
//	stream.sse     a streamed response, with LF line ends (stream.ndjson if Codec.Lines)
//	error.json     a response with another status; the file head has the status in its first line, then headers
//
// A request with an empty file named rewritten uses older formats, which the encoder replaces by newer ones. Its
// members need not survive.
//
// The file want is the dump of the decoded input. Running the test with -update writes want again; review the
// difference. The newline at the end of a JSON body is removed.
//
// # Invariants
//
// In addition to the dump, the suite checks these invariants for each case:
//
//   - request: Encoding it for the same API with another model name changes only the bytes of that name. If the Body is
//     removed, the encoding still has every member, including unknown ones (Suite.Open tells where those may be).
//   - response: Raw, if kept, is encoded unchanged. If Raw is removed, encoding and decoding gives the same dump.
//   - stream: The joined events are the same for the whole input, byte by byte and with other cuts, and with LF, CRLF
//     and CR. With the raw bytes of all events, the encoder writes exactly these bytes. Without, encoding and decoding
//     gives the same joined events.
//   - error: Encoding for a client and decoding gives the same kind and message.
//
// # Dump
//
// One line for each item. Strings are quoted as in Go, empty fields are omitted, adjacent deltas are joined:
//
//	begin id="x" model="y"
//	text "..."
//	reasoning "..."
//	reasoning-end signature="..."
//	call 0 id="a" name="f" args="{...}" extra={...}
//	image type="image/png" data="..."
//	opaque {...}
//	usage input=3 output=4
//	end stop
//	error truncated "..."
//	note F26 stream.index
package wiretest
