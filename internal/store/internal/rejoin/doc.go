// Package rejoin brings gateways that lost the counts that they share to where they count together again, so that all
// of them stay within a limit meanwhile.
//
// While the counts are away each gateway counts alone, within its part of what they left. It says so to the others as
// soon as it reaches them. When every gateway can write again, each writes what it used alone and takes no more. When
// all have, each takes from the counts again.
package rejoin
