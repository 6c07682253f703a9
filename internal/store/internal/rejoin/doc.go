// Package rejoin coordinates gateways that count usage together, such as requests per key, while their shared counts
// are unavailable. All of them together stay within each limit.
//
// While the counts are unavailable, each gateway counts alone, within its share of the remaining limit, and announces
// that to the other gateways. When every gateway can write again, each writes its own usage to the shared counts. When
// all have done so, every gateway uses the shared counts again.
package rejoin
