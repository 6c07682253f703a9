// Package trace records the requests to a model and their answers in a file of JSON lines. It can replay the answers
// without the model.
//
//	w := trace.NewWriter(file)
//	model = trace.Record(model, w) // records each request and its answer
//	...
//	entries, err := trace.ReadAll(file)
//	player, err := trace.NewPlayer(entries) // a model that returns the recorded answers
//
// A line is one [Entry]. Its members are trace, the version of the format; seq, the number of the line; time; kind; id,
// which is shared by the entries of one request and is the id of its report; and data, whose format depends on kind:
//
//	model     the model's name and known facts, before the first request and after each change
//	request   the request in the format of package conversation, with its fingerprint and the client's request body
//	sent      a request body sent to the provider, one entry for each body
//	received  the provider's HTTP response, one entry for each try
//	answer    the answer in the format of package conversation, with its bytes unless they are in a received entry
//	error     the error in place of an answer, with the partial answer before it
//	lost      the number of entries dropped here because the write queue was full: see Folder
//	call      a tool call, appended by programs that run tools
//	result    the result of a tool call, appended by such programs
//
// A transport around the provider's transport records the received bytes:
//
//	codec, _ := codecs.Of(callwright.WireOpenAI)
//	tap := w.Transport(http.DefaultTransport, trace.Endpoint{Provider: "groq", Wire: codec.Name(), DecodeError: codec.DecodeError})
//	model, err := provider.Open("groq/llama-3.3-70b-versatile", provider.WithTransport(tap))
//
// A [Player] replays the recorded answers. A [Transport] replays the received bytes, which current codecs decode.
//
// Only a fixed list of headers is recorded, about formats, programs, versions, ids, limits and retries. None of them
// may contain a credential. URLs are not recorded. [WithoutContent] also omits the contents of conversations.
package trace
