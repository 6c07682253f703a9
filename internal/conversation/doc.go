// Package conversation encodes the vocabulary types of the root package as JSON: a conversation in a file, and single
// messages, calls, tools, requests and responses in journals and traces. It also decodes them.
//
//	{"callwright":1,"model":"groq/llama-3.3-70b","messages":[
//		{"role":"user","parts":[{"type":"text","text":"Weather in Oslo?"}]},
//		{"role":"assistant","parts":[{"type":"call","id":"c1","name":"weather","arguments":{"city": "Oslo"}}]}]}
//
// The member callwright has the version of the format. [IsConversation] uses it to distinguish the format from requests
// of APIs. A document is one line. Empty members are omitted. A decoded value equals the encoded one:
//
//   - JSON text (arguments, schemas, extra members) is preserved byte for byte. It is embedded if it is one valid value
//     without line breaks. Otherwise it is a string in a member with the suffix _text, such as arguments_text in place
//     of arguments.
//   - Texts, ids and signatures are preserved if they are UTF-8. Invalid bytes become U+FFFD, as in provider requests.
//   - A nil list stays nil, and an empty list stays empty. Empty JSON text and bytes become nil.
//
// Decoding is strict. An unknown member, part, role or version, a value of another type and a duplicate name are a
// [callwright.Error] of [callwright.KindInvalid], whose Path is the location.
package conversation
