// Package jsonlines answers lines of JSON with lines of JSON.
package jsonlines
