// Package rejoin returns gateways that lost their shared counts to counting together, so that all of them together stay
// within a limit meanwhile.
//
// While the counts are away, each gateway counts alone, within its part of the rest of the limit. It tells the others
// that it counts alone as soon as it reaches them. When every gateway can write again, each writes the usage that it
// counted alone and stops counting alone. When all have written, each uses the shared counts again.
package rejoin
