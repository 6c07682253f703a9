// Package promptcmd implements callwright eval prompts, which measures how well a model calls tools with different
// wordings of the prompt.
//
// A Question has tools and the expected calls. A Variant is a mode and a wording. Each question is sent in each variant
// once and without corrections, and the calls in the response are compared with the expected ones.
package promptcmd
