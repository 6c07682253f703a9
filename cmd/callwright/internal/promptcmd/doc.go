// Package promptcmd measures how a model calls tools when it is told of them in different words: callwright eval
// prompts.
//
// A Question has tools and the calls that are right. A Variant is a mode and a wording. Each question is put to the
// model in each variant, once and without corrections, and its answer is read and held against the right calls.
package promptcmd
