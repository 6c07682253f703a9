// Package trace records requests to a model and its answers, in a file of JSON lines, and plays the answers again
// without the model.
//
//	w := trace.NewWriter(file)
//	model = trace.Record(model, w) // each request and its answer is recorded
//	...
//	entries, err := trace.ReadAll(file)
//	player, err := trace.NewPlayer(entries) // a model that gives the recorded answers
//
// A line is one [Entry]. Its members are trace, the version of the form; seq, the number of the line; time; kind; id,
// which joins the entries of one request and is that of its report; and data, whose form depends on the kind:
//
//	model     the name of the model and the facts known of it, before the first request and after a change
//	request   the request, as package conversation writes it, with its fingerprint; also the body where it came over an API
//	sent      the body as it was sent to the provider; several where the provider was asked several times
//	received  the bytes that the provider sent back, with their status; several where it was tried several times
//	answer    the answer, as package conversation writes it, with its raw bytes where they were not received on their own
//	error     the error in place of an answer, with the part of an answer before it
//	lost      how many entries are missing at the place, as they came faster than they could be written: see Folder
//	call      a call of a tool, and
//	result    its result: a program that runs tools appends them, and entries of kinds of its own
//
// Received bytes come from a transport, which is put around that of a provider:
//
//	codec, _ := codecs.Of(callwright.WireOpenAI)
//	tap := w.Transport(http.DefaultTransport, trace.Endpoint{Provider: "groq", Wire: codec.Name(), DecodeError: codec.DecodeError})
//	model, err := provider.Open("groq/llama-3.3-70b-versatile", provider.WithTransport(tap))
//
// A [Player] gives the recorded answers, a [Transport] the bytes, which are then read by the codecs of today.
//
// Of headers a fixed list of fields is recorded that name forms, programs, versions, ids, limits and times to wait; of
// addresses nothing. No field that may hold a credential is in the list. [WithoutContent] leaves out the contents of
// conversations, too.
package trace
