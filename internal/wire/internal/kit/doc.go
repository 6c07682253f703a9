// Package kit holds what must be the same in all codecs:
//
//   - requests read: [Begin], [Index], [Names] (no member twice), [Once]
//   - requests written: [Patch] and [ApplyEdits], [SameParams], [Originals] (messages that keep their bytes), [IDs], [Waiting]
//     (results find their calls), [Room]
//   - answers read: [Findings], [EndedCall]
//   - answers written: [Encoder], by which batches keep their bytes
//   - notes: [Notes], [Lost]
//   - JSON: [Writer], [Own] (members of one wire), [Pointer], [OneLine], [CountAt]
//   - errors: [ErrorText], [KindOfStatus], [RetryAfter], [RetryHeader], [Invalid], [BadAnswer]
//
// These are laws and data. How an API's messages, parts and streams are walked stays with its codec, even where two
// look alike.
package kit
