// Package decoding gives requests a constraint under which their answers are decoded: only declared tools can be
// called, with arguments that satisfy their schemas. Text stays free.
package decoding
