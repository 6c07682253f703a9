package simulate_test

import (
	"testing"

	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/simulate"
)

// Every textual format is of a class of failures that the table shows, and of the same one where the table has it by name.
func TestClassesOfFormats(t *testing.T) {
	classes, named := map[string]bool{}, map[string]string{}
	for _, f := range simulate.Faults() {
		classes[f.Class] = true
		named[f.Name] = f.Class
	}
	same := 0
	for _, f := range dialect.Formats() {
		if f.Fault == "" || !classes[f.Fault] {
			t.Errorf("%s: no fault is of the class %q", f.Name, f.Fault)
		}
		if class, ok := named[f.Name]; ok {
			same++
			if class != f.Fault {
				t.Errorf("%s is of the class %s, its fault of %s", f.Name, f.Fault, class)
			}
		}
	}
	if same == 0 {
		t.Error("no format is a fault by name")
	}
}
