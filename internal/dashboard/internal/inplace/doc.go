// Package inplace shows texts with their changes in place: by the rules of notes, or between two texts.
package inplace
