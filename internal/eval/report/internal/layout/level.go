package layout

// A Level is the colour of cells whose share of success it fits.
type Level struct {
	Name, Text string
	is         func(ok, n int) bool
}

// Levels are in the order in which they are tried: from blue over grey to orange, which people see apart who see red
// and green as one.
var Levels = []Level{
	{"none", "none counts", func(_, n int) bool { return n == 0 }},
	{"l5", "100%", func(ok, n int) bool { return ok == n }},
	{"l4", "96% and more", func(ok, n int) bool { return ok*100 >= n*96 }},
	{"l3", "80% and more", func(ok, n int) bool { return ok*100 >= n*80 }},
	{"l2", "50% and more", func(ok, n int) bool { return ok*100 >= n*50 }},
	{"l1", "less", func(ok, _ int) bool { return ok > 0 }},
	{"l0", "0%", func(int, int) bool { return true }},
}

// LevelOf names the colour of a cell in which ok of n trials succeeded.
func LevelOf(ok, n int) string {
	for _, l := range Levels {
		if l.is(ok, n) {
			return l.Name
		}
	}
	return ""
}
