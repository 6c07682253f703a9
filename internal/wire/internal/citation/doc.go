// Package citation carries the sources that an answer names from one API to another.
//
//   - sources read: [Walk] finds the members that name them, [Carried] returns the part of one that can be carried, [Gatherer] reads them and their places
//   - places: all words of an answer are one text, in which a [Source] covers characters; [Place] tells which text part it belongs to
//   - sources written: [Source.AppendAnnotation] for both APIs of OpenAI, [Gatherer.AppendLocation] for Anthropic's, [Gatherer.AppendGrounding] for Gemini's
//
// A source without a URL cannot be carried. The forms of the APIs:
//
//   - https://platform.openai.com/docs/guides/tools-web-search#output-and-citations
//   - https://docs.perplexity.ai/api-reference/chat-completions-post (citations and search_results, beside the choices)
//   - https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool#citations
//   - https://ai.google.dev/api/generate-content#GroundingMetadata
package citation
