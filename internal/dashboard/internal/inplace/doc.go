// Package inplace marks changes within a text: the changes described by notes, or the differences between two texts.
package inplace
