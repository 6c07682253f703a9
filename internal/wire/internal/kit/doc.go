// Package kit has the functions and tables that all codecs share:
//
//   - decode requests: [Index], [Walk], [Names] (detects duplicate members), [Once]
//   - encode requests: [Patch] and [ApplyEdits], [SameParams], [DecodedMessages] (which keep their bytes), [IDs],
//     [Waiting] (matches tool results to tool calls), [EstimateSize]
//   - decode responses: [Findings], [EndedCall]
//   - encode responses: [Encoder], which forwards the bytes of batches unchanged
//   - notes: [Notes], [NoteLostMembers]
//   - JSON: [Writer], [API] (members of one API), [Pointer], [OneLine], [CountAt]
//   - errors: [ErrorText], [KindOfStatus], [RetryAfter], [RetryHeader], [Invalid], [BadAnswer]
//
// Each codec has its own code to walk the messages, parts and streams of its API, even if two APIs are similar.
package kit
