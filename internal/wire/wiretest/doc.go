// Package wiretest is the suite that every codec passes, the benchmarks by which all are measured, and the dump of the
// vocabulary in which the suite's golden files are written.
//
//	func TestCodec(t *testing.T) { wiretest.Run(t, wiretest.Suite{Codec: openai.Codec{}, Dir: "testdata"}) }
//	func FuzzCodec(f *testing.F) { wiretest.Fuzz(f, wiretest.Suite{Codec: openai.Codec{}, Dir: "testdata"}) }
//
// # Cases
//
// Each NAME.txtar below Dir is one case. Its comment is a line with the subject of the case. One of these files in it
// is the input:
//
//	request.json   a request of a client
//	response.json  a whole answer of a provider with status 200
//	stream.sse     a streamed answer, written with LF (stream.ndjson where Codec.Lines)
//	error.json     an answer with another status; beside it the file head: the status in its first line, then headers
//
// A request with an empty file named rewritten holds older forms, which are written in newer ones. The law of members
// does not apply to it.
//
// The file want is the dump of the decoded input. Running the test with -update writes want again; a person reads the
// difference. JSON bodies are taken without the newline at their end.
//
// # Laws
//
// Beside the dump, the suite holds each case to these:
//
//   - request: encoded for the same wire with another model name, the bytes are the same but for that name. Without its
//     Body, every member that was there is there again, members that the wire does not know included (Suite.Open says
//     where those may stand).
//   - response: Raw, where kept, comes out as it went in. Encoded without Raw and read again, the dump is the same.
//   - stream: whole, byte by byte and cut in odd places, with LF, CRLF and CR, the joined events are the same. With a
//     frame for every event the encoder gives the bytes that came. Without frames, encoded and read again, the joined
//     events are the same.
//   - error: encoded for a client and read again, kind and message are the same.
//
// # Dump
//
// A line for each thing, strings quoted as in Go, empty members left out, neighbouring deltas joined:
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
