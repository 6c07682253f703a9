// Package kit holds the functions and tables that all codecs share:
//
//   - requests read: [Begin], [Index], [Names] (no member twice), [Once]
//   - requests written: [Patch] and [ApplyEdits], [SameParams], [Originals] (messages that keep their bytes), [IDs],
//     [Waiting] (results find their calls), [Room]
//   - answers read: [Findings], [EndedCall]
//   - answers written: [Encoder], by which batches keep their bytes
//   - notes: [Notes], [Lost]
//   - JSON: [Writer], [Own] (members of one wire), [Pointer], [OneLine], [CountAt]
//   - errors: [ErrorText], [KindOfStatus], [RetryAfter], [RetryHeader], [Invalid], [BadAnswer]
//
// Each codec walks the messages, parts and streams of its API with code of its own, even where two APIs look alike.
package kit
