// Package conversation writes the vocabulary as JSON and reads it back: a conversation in a file, and single messages,
// calls, tools, requests and answers in journals and traces.
//
//	{"callwright":1,"model":"groq/llama-3.3-70b","messages":[
//	 {"role":"user","parts":[{"type":"text","text":"Weather in Oslo?"}]},
//	 {"role":"assistant","parts":[{"type":"call","id":"c1","name":"weather","arguments":{"city": "Oslo"}}]}]}
//
// The member callwright has the version of the form and marks it; [IsConversation] tells it from the requests of APIs.
// A document is one line. Members without a value are left out. A value that was written reads back equal:
//
//   - JSON text (arguments, schemas, extra members) stays byte for byte. It stands in the document as it is where it is one valid value on
//     one line; else as a string, in a member whose name ends in _text: arguments_text in place of arguments.
//   - Texts, ids and signatures stay as far as they are UTF-8: other bytes become U+FFFD, as in the requests that are sent.
//   - A list that is nil stays nil, and an empty one empty. JSON text and bytes that are empty become nil.
//
// Reading is strict: an unknown member, part, role or version, a value of another type and a duplicate name are a
// [callwright.Error] of [callwright.KindInvalid], whose Path says where.
package conversation
