// Package jsonlines implements commands that read JSON lines and write a JSON line for each.
package jsonlines
