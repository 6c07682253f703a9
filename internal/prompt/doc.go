// Package prompt contains the prompt templates that describe tools to models without native tool calls: a Text for the
// mode text and a Document for the modes json_schema and json_object. Each template has a name, a version, its source,
// and the dialects and model families that it is for. The generated prompt depends only on the tools, the options and
// the model. Thus the prompt of a conversation keeps its beginning as the conversation grows, and providers can cache
// it.
package prompt
