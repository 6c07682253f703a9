// Package inplace shows texts with what was changed in them where it stood: by the rules of notes, or between two texts.
package inplace
